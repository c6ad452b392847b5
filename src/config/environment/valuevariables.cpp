// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "valuevariables_p.h"

#include <algorithm>

namespace Rekindle {

namespace {

bool isVariableName(const QString &name)
{
    return !name.isEmpty() && std::all_of(name.begin(), name.end(), [](QChar c) {
        return c == u'_' || (c.unicode() < 128 && c.isLetterOrNumber());
    });
}

} // namespace

std::optional<QString> ValueVariables::text(const JsonPlace &place) const
{
    const std::optional<QString> written = place.text();
    return written ? replaced(place, *written) : written;
}

std::optional<QString> ValueVariables::textNotEmpty(const JsonPlace &place) const
{
    const std::optional<QString> written = place.textNotEmpty();
    std::optional<QString> result = written ? replaced(place, *written) : written;
    if (result && result->isEmpty() && m_isForAgent) {
        place.fault(QStringLiteral("expected a non-empty string, found %1, which is empty after "
                                   "its variables were replaced")
                        .arg(place.node().describe()));
        return {};
    }
    return result;
}

QString ValueVariables::describe(const JsonPlace &place, const QString &text)
{
    const QString written = place.node().describe();
    return place.node().text == text
        ? written
        : QStringLiteral("\"%1\" (from %2)").arg(printable(text), written);
}

// Nothing if there is a fault.
std::optional<QString> ValueVariables::replaced(const JsonPlace &place, const QString &text) const
{
    const qsizetype before = place.faults().errorCount();
    QString result;
    qsizetype from = 0;
    for (qsizetype start = text.indexOf(QLatin1String("${")); start >= 0;
         start = text.indexOf(QLatin1String("${"), from)) {
        if (start > from && text[start - 1] == u'$') {
            result += QStringView(text).mid(from, start - from - 1) + QLatin1String("${");
            from = start + 2;
            continue;
        }
        const qsizetype end = text.indexOf(u'}', start);
        if (end < 0) {
            if (m_isForAgent)
                place.fault("expected \"}\" after ${, found the end of the string; if "
                            "it is meant for a shell, write $${");
            break;
        }
        result += QStringView(text).mid(from, start - from);
        const QString value = valueOf(place, text.mid(start + 2, end - start - 2));
        if (!place.claimMemory(value.size() * qsizetype{sizeof(QChar)}))
            return {};
        result += value;
        from = end + 1;
    }
    if (place.faults().errorCount() > before)
        return {};
    return result + text.mid(from);
}

// The value of the text between the braces. A text that is not a variable is a fault.
QString ValueVariables::valueOf(const JsonPlace &place, const QString &variable) const
{
    if (variable == QLatin1String("workspaceFolder"))
        return m_workspace.absolutePath();
    if (variable == QLatin1String("workspaceFolderBasename"))
        return QDir(m_workspace.absolutePath()).dirName();
    if (variable == QLatin1String("userHome"))
        return QDir::homePath();
    if (variable == QLatin1String("pathSeparator") || variable == QLatin1String("/"))
        return QStringLiteral("/");
    if (variable.startsWith(QLatin1String("env:")))
        return existing(place, variable.mid(4), {});
    if (variable.startsWith(QLatin1String("input:"))) {
        place.fault(QStringLiteral("expected a string or ${env:NAME}, found ${%1}, for which an "
                                   "editor prompts")
                        .arg(printable(variable)));
        return {};
    }
    // Claude Code has ${NAME} and ${NAME:-DEFAULT}.
    const qsizetype colon = variable.indexOf(QLatin1String(":-"));
    const QString name = variable.left(colon < 0 ? variable.size() : colon);
    if (!isVariableName(name)) {
        place.fault(QStringLiteral("expected ${env:NAME}, ${NAME}, ${NAME:-DEFAULT}, "
                                   "${workspaceFolder} or ${userHome}, found ${%1}; if it is meant "
                                   "for a shell, write $${%1}")
                        .arg(printable(variable)));
        return {};
    }
    if (colon < 0)
        return existing(place, name, QLatin1String("${") + name + u'}');
    // The first brace ends the variable, so the rest of a nested one would become text.
    if (m_isForAgent && variable.indexOf(QLatin1String("${"), colon) >= 0) {
        place.fault(QStringLiteral("expected a default of %1 without ${; if it is meant for a "
                                   "shell, write $${ for each ${")
                        .arg(name));
        return {};
    }
    const QString value = lookUp(name).value_or(QString());
    return value.isEmpty() ? variable.mid(colon + 2) : value;
}

std::optional<QString> ValueVariables::lookUp(const QString &name) const
{
    if (const auto own = m_environment.constFind(name); own != m_environment.cend())
        return *own;
    const QByteArray key = name.toLocal8Bit();
    if (!qEnvironmentVariableIsSet(key.constData()))
        return {};
    return qEnvironmentVariable(key.constData());
}

// The value of the variable; `otherwise` if it is not set and the rules of editors apply.
QString ValueVariables::existing(const JsonPlace &place, const QString &name,
                                 const QString &otherwise) const
{
    const std::optional<QString> value = lookUp(name);
    if (value)
        return *value;
    if (m_isForAgent)
        place.fault(QStringLiteral("environment variable %1 is not set; write ${%1:-} for an empty "
                                   "text, or $${%1} if it is meant for a shell")
                        .arg(printable(name)));
    else
        place.warn(QStringLiteral("environment variable %1 is not set, using %2")
                       .arg(printable(name),
                            otherwise.isEmpty() ? QStringLiteral("an empty text")
                                                : QStringLiteral("the text ") + otherwise));
    return otherwise;
}

} // namespace Rekindle
