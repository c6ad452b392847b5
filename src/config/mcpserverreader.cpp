// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcpserverreader_p.h"

#include "processreader_p.h"

#include <policy/json/jsonobjectreader_p.h>
#include <policy/json/nearestname_p.h>

#include <rekindle/mcp/watchdogproxy.h>

#include <QDir>

#include <chrono>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

constexpr std::array<EnumName<CallRetry>, 3> retryNames = {{
    {CallRetry::Safe, QLatin1String("safe")},
    {CallRetry::Always, QLatin1String("always")},
    {CallRetry::Never, QLatin1String("never")},
}};

const QStringList &entryKeys()
{
    static const QStringList keys{
        QStringLiteral("command"),  QStringLiteral("args"),        QStringLiteral("env"),
        QStringLiteral("cwd"),      QStringLiteral("type"),        QStringLiteral("url"),
        QStringLiteral("disabled"), QStringLiteral("enabled"),     QStringLiteral("policy"),
        QStringLiteral("retry"),    QStringLiteral("callTimeout"), QStringLiteral("restartOnExit"),
    };
    return keys;
}

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

void readArguments(JsonObjectReader &object, QStringList &target)
{
    const auto place = object.member(QStringLiteral("args"));
    const auto items = place ? place->items() : std::nullopt;
    if (!items)
        return;
    for (const JsonPlace &item : *items)
        target.append(withVariables(item, item.text().value_or(QString())));
}

// Editors take numbers too.
void readEnvironment(JsonObjectReader &object, ProcessDefinition &process)
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
            process.environment.insert(name, withVariables(variable, *value));
    }
}

void readOwnKeys(JsonObjectReader &object, PolicyResolver &policies, McpServerDefinition &server)
{
    if (const auto place = object.member(QStringLiteral("policy"))) {
        if (const auto resolved = policies.resolve(*place))
            server.policy = resolved->policy;
    }
    if (const auto place = object.member(QStringLiteral("retry")))
        server.retry = place->choice(retryNames);
    if (const auto place = object.member(QStringLiteral("callTimeout")))
        server.callTimeout = place->duration(1ms, 24h);
    object.read(QStringLiteral("restartOnExit"), server.restartOnExit);
}

} // namespace

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
        Fault fault{member.pointer(), text, Fault::Severity::Warning};
        member.faults().add(fault, member.node().namePosition);
    }
}

std::optional<McpServerDefinition> McpServerReader::read(const JsonPlace &place)
{
    if (!place.wantObject())
        return std::nullopt;
    const qsizetype before = place.faults().errorCount();
    JsonObjectReader object(place);
    if (isDisabled(object) || isRemote(object))
        return std::nullopt;
    McpServerDefinition server;
    server.name = place.node().name;
    server.pointer = place.pointer();
    server.line = place.node().position.line;
    server.column = place.node().position.column;
    if (server.name.isEmpty())
        place.fault(QStringLiteral("found a server without a name"));
    QString program;
    const auto command = object.required(QStringLiteral("command"));
    if (command)
        program = withVariables(*command, command->textNotEmpty().value_or(QString()));
    QStringList arguments;
    readArguments(object, arguments);
    server.process = WatchdogProxy::serverDefinition(program, arguments);
    readEnvironment(object, server.process);
    if (const auto folder = object.member(QStringLiteral("cwd"))) {
        const QString path = withVariables(*folder, folder->textNotEmpty().value_or(QString()));
        server.process.workingDirectory = QDir::cleanPath(QDir::current().absoluteFilePath(path));
    }
    // As a shell in that folder would take it.
    if (program.contains(u'/') && !program.startsWith(u'/')) {
        const QString &folder = server.process.workingDirectory;
        server.process.program = QDir::cleanPath(
            (folder.isEmpty() ? QDir::current() : QDir(folder)).absoluteFilePath(program));
    }
    readOwnKeys(object, m_policies, server);
    noteOthers(place, entryKeys());
    if (place.faults().errorCount() > before)
        return std::nullopt;
    if (command)
        warnOfMissingProgram(*command, server.process.program, server.process);
    return server;
}

} // namespace Rekindle
