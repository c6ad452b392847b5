// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcpentry_p.h"

#include <policy/json/nearestname_p.h>

namespace Rekindle {

namespace {

// Those that nobody wants to be told about each time.
bool isDisabled(JsonObjectReader &object)
{
    bool isOff = false;
    object.read(QStringLiteral("disabled"), isOff);
    bool isOn = true;
    object.read(QStringLiteral("enabled"), isOn);
    return isOff || !isOn;
}

// True if it is a server that is talked to in another way; that is said.
bool isRemote(JsonObjectReader &object)
{
    const auto type = object.member(QStringLiteral("type"));
    const auto url = object.member(QStringLiteral("url"));
    if (!type || type->isText(u"stdio")) {
        if (!url || object.member(QStringLiteral("command")))
            return false;
        url->warn(QStringLiteral("left out: it has a url, and only servers on stdio are served"));
        return true;
    }
    for (const char16_t *other :
         {u"http", u"sse", u"streamable-http", u"streamableHttp", u"http-stream", u"ws"}) {
        if (!type->isText(QStringView(other)))
            continue;
        type->warn(QStringLiteral("left out: its type is %1, and only servers on stdio are served")
                       .arg(type->node().describe()));
        return true;
    }
    type->mismatch(QStringLiteral("\"stdio\", or \"http\" or \"sse\", which are left out"));
    return false;
}

void readArguments(JsonObjectReader &object, const QDir &workspace, QStringList &target)
{
    const auto place = object.member(QStringLiteral("args"));
    const auto items = place ? place->items() : std::nullopt;
    if (!items)
        return;
    for (const JsonPlace &item : *items)
        target.append(withVariables(item, item.text().value_or(QString()), workspace));
}

// Editors take numbers too.
void readEnvironment(JsonObjectReader &object, const QDir &workspace, ProcessDefinition &process)
{
    const auto place = object.member(QStringLiteral("env"));
    if (!place || !place->wantObject())
        return;
    for (const JsonPlace &variable : place->members()) {
        const QString &name = variable.node().name;
        if (name.isEmpty() || name.contains(u'=') || name.contains(QChar(u'\0')))
            variable.fault(QStringLiteral("found a variable's name that is empty or has \"=\" or a "
                                          "zero character in it"));
        if (variable.isNull())
            process.environment.insert(name, std::nullopt);
        else if (variable.isNumber())
            process.environment.insert(name, variable.node().text);
        else if (!variable.isString())
            variable.mismatch(QStringLiteral("a text, a number, or null to remove the variable"));
        else if (const std::optional<QString> value = variable.text())
            process.environment.insert(name, withVariables(variable, *value, workspace));
    }
}

// At the key, not at what it has.
void warnAtName(const JsonPlace &member, const QString &text)
{
    member.faults().add({member.pointer(), text, Fault::Severity::Warning},
                        member.node().namePosition);
}

} // namespace

bool isLeftOut(JsonObjectReader &entry) { return isDisabled(entry) || isRemote(entry); }

ProcessDefinition readServer(JsonObjectReader &entry, const QDir &workspace)
{
    QString program;
    if (const auto place = entry.required(QStringLiteral("command")))
        program = withVariables(*place, place->textNotEmpty().value_or(QString()), workspace);
    QStringList arguments;
    readArguments(entry, workspace, arguments);
    ProcessDefinition process = ProcessDefinition::stdioServer(program, arguments);
    readEnvironment(entry, workspace, process);
    if (const auto place = entry.member(QStringLiteral("cwd"))) {
        const QString path =
            withVariables(*place, place->textNotEmpty().value_or(QString()), workspace);
        process.workingDirectory = QDir::cleanPath(workspace.absoluteFilePath(path));
    }
    return process;
}

void resolveProgram(ProcessDefinition &process, const QDir &folder)
{
    if (process.program.contains(u'/') && !process.program.startsWith(u'/'))
        process.program = QDir::cleanPath(folder.absoluteFilePath(process.program));
}

QStringList serverKeys()
{
    return {QStringLiteral("command"),  QStringLiteral("args"),   QStringLiteral("env"),
            QStringLiteral("cwd"),      QStringLiteral("type"),   QStringLiteral("url"),
            QStringLiteral("disabled"), QStringLiteral("enabled")};
}

void noteOthers(const JsonPlace &object, const QStringList &known)
{
    for (const JsonPlace &member : object.members()) {
        const QString &name = member.node().name;
        if (known.contains(name))
            continue;
        const QString nearest = nearestName(name, known);
        QString text = QStringLiteral("ignored, for it is a key of others");
        if (!nearest.isEmpty())
            text += QStringLiteral("; did you mean \"%1\"?").arg(nearest);
        warnAtName(member, text);
    }
}

void noteElsewhere(const JsonPlace &object, const QStringList &keys, const QString &command)
{
    for (const JsonPlace &member : object.members()) {
        if (keys.contains(member.node().name))
            warnAtName(member, QStringLiteral("ignored, for it is a key of %1").arg(command));
    }
}

} // namespace Rekindle
