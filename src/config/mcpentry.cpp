// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcpentry_p.h"

#include "config/environment/environmentreader_p.h"
#include "config/process/limitsreader_p.h"

#include "json/nearestname.h"

namespace Rekindle {

namespace {

// Disabled entries cause no warning.
bool isDisabled(JsonObjectReader &object)
{
    bool isOff = false;
    object.read(QStringLiteral("disabled"), isOff);
    bool isOn = true;
    object.read(QStringLiteral("enabled"), isOn);
    return isOff || !isOn;
}

// Whether the server has another transport, which is a warning.
bool isRemote(JsonObjectReader &object)
{
    const auto type = object.member(QStringLiteral("type"));
    const auto url = object.member(QStringLiteral("url"));
    if (!type || type->isText(u"stdio")) {
        if (!url || object.member(QStringLiteral("command")))
            return false;
        url->warn(QStringLiteral("skipped: it has a url, and only stdio servers are supported"));
        return true;
    }
    for (const char16_t *other :
         {u"http", u"sse", u"streamable-http", u"streamableHttp", u"http-stream", u"ws"}) {
        if (!type->isText(QStringView(other)))
            continue;
        type->warn(QStringLiteral("skipped: its type is %1, and only stdio servers are supported")
                       .arg(type->node().describe()));
        return true;
    }
    type->mismatch(QStringLiteral("\"stdio\", or \"http\" or \"sse\", which are skipped"));
    return false;
}

// Editors also allow numbers.
std::optional<QString> environmentValueOfEditors(const JsonPlace &variable,
                                                 const ValueVariables &variables)
{
    if (variable.isNumber())
        return variable.node().text;
    if (variable.isString())
        return variables.text(variable);
    variable.mismatch(QStringLiteral("a string, a number, or null to remove the variable"));
    return {};
}

} // namespace

bool isSkipped(JsonObjectReader &entry) { return isDisabled(entry) || isRemote(entry); }

ProcessDefinition readServer(JsonObjectReader &entry, const QDir &workspace)
{
    ProcessDefinition process = ProcessDefinition::stdioServer({}, {});
    if (const auto place = entry.member(QStringLiteral("env"))) {
        // Without the variables of this object, which has no order.
        const ValueVariables outer(workspace, {}, ValueVariables::Rules::Editor);
        readEnvironment(*place, process, [&outer](const JsonPlace &variable) {
            return environmentValueOfEditors(variable, outer);
        });
    }
    const ValueVariables variables(workspace, process.environment, ValueVariables::Rules::Editor);
    const auto mistaken = entry.member(QStringLiteral("cmd"));
    if (mistaken && !entry.member(QStringLiteral("command")))
        mistaken->faultAtName(QStringLiteral("\"command\" is missing; did you mean it?"));
    else if (const auto place = entry.required(QStringLiteral("command")))
        process.program = variables.textNotEmpty(*place).value_or(QString());
    if (const auto place = entry.member(QStringLiteral("args"))) {
        for (const JsonPlace &item : place->items().value_or(std::vector<JsonPlace>()))
            process.arguments.append(variables.text(item).value_or(QString()));
    }
    if (const auto place = entry.member(QStringLiteral("cwd"))) {
        const QString path = variables.textNotEmpty(*place).value_or(QString());
        process.workingDirectory = QDir::cleanPath(workspace.absoluteFilePath(path));
    }
    readLimits(entry, process, RecycledBy::ProcessOrCalls);
    return process;
}

void resolveProgram(ProcessDefinition &process, const QDir &folder)
{
    if (process.program.contains(u'/') && !process.program.startsWith(u'/'))
        process.program = QDir::cleanPath(folder.absoluteFilePath(process.program));
}

QStringList configurationKeys()
{
    return {QStringLiteral("agents"), QStringLiteral("include"),  QStringLiteral("defaults"),
            QStringLiteral("groups"), QStringLiteral("governor"), QStringLiteral("sharedBreakers")};
}

QStringList gatewayKeys()
{
    return {QStringLiteral("retry"),         QStringLiteral("callTimeout"),
            QStringLiteral("restartOnExit"), QStringLiteral("startTimeout"),
            QStringLiteral("timeout"),       QStringLiteral("enabledTools"),
            QStringLiteral("includeTools"),  QStringLiteral("tools"),
            QStringLiteral("disabledTools"), QStringLiteral("excludeTools")};
}

QStringList hostKeys()
{
    return {QStringLiteral("health"),  QStringLiteral("start"),     QStringLiteral("tags"),
            QStringLiteral("watch"),   QStringLiteral("dependsOn"), QStringLiteral("priority"),
            QStringLiteral("requires")};
}

void warnOfUnknownKeys(const JsonPlace &entry)
{
    QStringList ours{
        QStringLiteral("command"),  QStringLiteral("args"),    QStringLiteral("env"),
        QStringLiteral("cwd"),      QStringLiteral("type"),    QStringLiteral("url"),
        QStringLiteral("disabled"), QStringLiteral("enabled"), QStringLiteral("policy"),
        QStringLiteral("limits"),   QStringLiteral("recycle")};
    if (!entry.member(QStringLiteral("command")))
        ours.append(QStringLiteral("cmd")); // a fault
    warnOfUnknownKeys(entry, ours + gatewayKeys() + hostKeys());
}

void warnOfUnknownKeys(const JsonPlace &object, const QStringList &known)
{
    for (const JsonPlace &member : object.members()) {
        const QString &name = member.node().name;
        if (known.contains(name))
            continue;
        member.warnAtName(QStringLiteral("ignored: this key belongs to other MCP clients")
                          + didYouMean(name, known));
    }
}

void warnOfKeysOf(const JsonPlace &object, const QStringList &keys, const QString &command)
{
    for (const JsonPlace &member : object.members()) {
        if (keys.contains(member.node().name))
            member.warnAtName(QStringLiteral("ignored: this key belongs to %1").arg(command));
    }
}

} // namespace Rekindle
