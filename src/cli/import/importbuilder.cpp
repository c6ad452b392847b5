// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "importbuilder_p.h"

#include "json/jsonnode.h"

#include <QRegularExpression>

#include <algorithm>

namespace Rekindle {

namespace {

constexpr qsizetype longestName = 64;
constexpr std::size_t mostAgents = 10'000;

bool isNameCharacter(QChar c)
{
    return c.unicode() < 128 && (c.isLetterOrNumber() || QStringLiteral("._-").contains(c));
}

QString validName(const QString &name)
{
    QString valid = name.left(longestName);
    std::ranges::replace_if(valid, [](QChar c) { return !isNameCharacter(c); }, QChar(u'-'));
    return valid.isEmpty() ? QStringLiteral("agent") : valid;
}

} // namespace

ImportedAgent &ImportBuilder::add(const QString &name, int line)
{
    if (m_configuration.agents.size() == mostAgents) {
        if (m_imported.faults.isEmpty())
            fault(line, 1, QStringLiteral("expected at most %1 agents").arg(mostAgents));
        m_configuration.agents.back() = {validName(name), line, Json::object()};
        return m_configuration.agents.back();
    }
    const QString valid = validName(name);
    QString unique = valid;
    for (int number = 2; m_names.contains(unique); ++number) {
        const QString suffix = QStringLiteral("-%1").arg(number);
        unique = valid.left(longestName - suffix.size()) + suffix;
    }
    m_names.insert(unique);
    if (unique != name)
        note(line, unique,
             QStringLiteral("name \"%1\" is invalid or used; the agent is named \"%2\"")
                 .arg(printable(name), unique));
    m_configuration.agents.push_back({unique, line, Json::object()});
    return m_configuration.agents.back();
}

void ImportBuilder::note(int line, const QString &agent, const QString &text)
{
    m_imported.warnings.append({agent, text, Fault::Severity::Warning, line, 1, {}});
}

void ImportBuilder::fault(int line, int column, const QString &text)
{
    m_imported.faults.append({{}, text, Fault::Severity::Error, line, column, {}});
}

bool ImportBuilder::isText(QByteArrayView text)
{
    if (const qsizetype zero = text.indexOf('\0'); zero >= 0) {
        fault(int(text.first(zero).count('\n')) + 1, 1,
              QStringLiteral("expected text, found a zero character"));
        return false;
    }
    if (!text.isValidUtf8()) {
        fault(1, 1, QStringLiteral("expected UTF-8, found invalid characters"));
        return false;
    }
    return true;
}

std::string ImportBuilder::limited(Duration value, Duration least, Duration greatest,
                                   const ImportedAgent &agent, int line, const QString &key)
{
    const Duration result = std::clamp(value, least, greatest);
    if (result != value)
        note(
            line, agent.name,
            QStringLiteral("%1 is outside of %2 to %3; using %4")
                .arg(key, formatDuration(least), formatDuration(greatest), formatDuration(result)));
    return formatDuration(result).toStdString();
}

void ImportBuilder::setVariable(ImportedAgent &agent, int line, const QString &name,
                                const QString &value)
{
    if (name.isEmpty() || name.contains(u'=') || name.contains(QChar(0)))
        note(line, agent.name,
             QStringLiteral("variable \"%1\" has an invalid name; rename it").arg(printable(name)));
    else
        agent.members["environment"][name.toStdString()] = value.toStdString();
}

void ImportBuilder::setUmask(ImportedAgent &agent, int line, const QString &value)
{
    static const QRegularExpression octal(QStringLiteral("^0?[0-7]{1,3}\\z"));
    if (octal.match(value).hasMatch())
        agent.members["umask"] = value.toStdString();
    else if (!value.isEmpty())
        note(line, agent.name,
             QStringLiteral("expected an octal umask, found \"%1\"; set \"umask\" by hand")
                 .arg(printable(value)));
}

void ImportBuilder::setCommand(ImportedAgent &agent, int line, const QStringList &words)
{
    if (words.isEmpty() || words.front().isEmpty()) {
        note(line, agent.name, QStringLiteral("the command has no program; add the agent by hand"));
        return;
    }
    agent.members["program"] = words.front().toStdString();
    for (const QString &word : words.sliced(1))
        agent.members["arguments"].push_back(word.toStdString());
}

Imported ImportBuilder::take(const QString &expected)
{
    std::erase_if(m_configuration.agents,
                  [](const ImportedAgent &agent) { return !agent.members.contains("program"); });
    if (m_configuration.agents.empty() && m_imported.faults.isEmpty())
        fault(1, 1, QStringLiteral("expected %1 with a command, found none").arg(expected));
    if (m_imported.faults.isEmpty())
        m_imported.value = std::move(m_configuration);
    std::ranges::stable_sort(m_imported.warnings, {}, &Fault::line);
    return std::move(m_imported);
}

} // namespace Rekindle
