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
    object.read("disabled", isOff);
    bool isOn = true;
    object.read("enabled", isOn);
    return isOff || !isOn;
}

// Whether the server has another transport, which is a warning.
bool isRemote(JsonObjectReader &object)
{
    const auto type = object.member("type");
    const auto url = object.member("url");
    if (!type || type->isText("stdio")) {
        if (!url || object.member("command"))
            return false;
        url->warn("skipped: it has a url, and only stdio servers are supported");
        return true;
    }
    const bool isKnown = type->isString()
        && words("http sse streamable-http streamableHttp http-stream ws")
               .contains(type->node().text);
    if (isKnown)
        type->warn(QStringLiteral("skipped: its type is %1, and only stdio servers are supported")
                       .arg(type->node().describe()));
    else
        type->mismatch(R"("stdio", or "http" or "sse", which are skipped)");
    return isKnown;
}

// Editors also allow numbers.
std::optional<QString> environmentValueOfEditors(const JsonPlace &variable,
                                                 const ValueVariables &variables)
{
    if (variable.isNumber())
        return variable.node().text;
    if (variable.isString())
        return variables.text(variable);
    variable.mismatch("a string, a number, or null to remove the variable");
    return {};
}

} // namespace

bool isSkipped(JsonObjectReader &entry) { return isDisabled(entry) || isRemote(entry); }

ProcessDefinition readServer(JsonObjectReader &entry, const QDir &workspace)
{
    ProcessDefinition process = ProcessDefinition::stdioServer({}, {});
    if (const auto place = entry.member("env")) {
        // Without the variables of this object, which has no order.
        const ValueVariables outer(workspace, {}, ValueVariables::Rules::Editor);
        readEnvironment(*place, process, [&outer](const JsonPlace &variable) {
            return environmentValueOfEditors(variable, outer);
        });
    }
    const ValueVariables variables(workspace, process.environment, ValueVariables::Rules::Editor);
    const auto mistaken = entry.member("cmd");
    if (mistaken && !entry.member("command"))
        mistaken->faultAtName("\"command\" is missing; did you mean it?");
    else if (const auto place = entry.required("command"))
        process.program = variables.textNotEmpty(*place).value_or(QString());
    for (const JsonPlace &item : entry.items("args"))
        process.arguments.append(variables.text(item).value_or(QString()));
    if (const auto place = entry.member("cwd")) {
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
    return words("agents include defaults groups governor fleet sharedBreakers");
}

QStringList gatewayKeys()
{
    return words("retry callTimeout restartOnExit startTimeout timeout enabledTools includeTools "
                 "tools disabledTools excludeTools");
}

QStringList hostKeys()
{
    return words("health start tags watch dependsOn priority placement onStoreLoss requires");
}

void warnOfUnknownKeys(const JsonPlace &entry)
{
    QStringList ours =
        words("command args env cwd type url disabled enabled policy limits recycle");
    if (!entry.member("command"))
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
