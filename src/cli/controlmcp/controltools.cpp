// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "controltools_p.h"

#include <algorithm>
#include <array>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

enum class Access { Read, Operate };

struct Tool
{
    const char *name = nullptr;
    const char *method = nullptr; ///< of the control protocol; its params are the arguments
    Access access = Access::Read;
    const char *definition = nullptr;
};

constexpr std::array allTools{
    Tool{
        "list_agents", "agents.list", Access::Read,
        R"json({"name":"list_agents","title":"List agents","description":"Lists the supervised agents (processes and MCP servers) with state, restarts, circuit breaker, health, CPU time, memory and the last failure. The cursor can be passed to recent_events.","inputSchema":{"type":"object","properties":{"agents":{"type":"array","items":{"type":"string"},"description":"Only these agents (default: all)"},"tags":{"type":"array","items":{"type":"string"},"description":"Only agents with one of these tags"}},"additionalProperties":false},"annotations":{"readOnlyHint":true,"openWorldHint":false}})json"},
    Tool{
        "explain_agent", "agents.explain", Access::Read,
        R"json({"name":"explain_agent","title":"Explain an agent","description":"Explains why an agent was restarted or not: the last failure with its lines on stderr, the last decisions with their inputs, and what happens next and when.","inputSchema":{"type":"object","properties":{"agent":{"type":"string","description":"Name of the agent"},"decisions":{"type":"integer","minimum":1,"maximum":5,"description":"How many of the last decisions (default: 5)"}},"required":["agent"],"additionalProperties":false},"annotations":{"readOnlyHint":true,"openWorldHint":false}})json"},
    Tool{
        "read_logs", "logs.read", Access::Read,
        R"json({"name":"read_logs","title":"Read logs","description":"Returns the last lines that an agent wrote to stdout and stderr.","inputSchema":{"type":"object","properties":{"agent":{"type":"string","description":"Name of the agent"},"lines":{"type":"integer","minimum":0,"maximum":1000,"description":"How many lines (default: 100)"},"streams":{"type":"array","items":{"enum":["stdout","stderr"]},"description":"Only these streams (default: both)"},"match":{"type":"string","description":"Only lines that contain this text"}},"required":["agent"],"additionalProperties":false},"annotations":{"readOnlyHint":true,"openWorldHint":false}})json"},
    Tool{
        "recent_events", "events.subscribe", Access::Read,
        R"json({"name":"recent_events","title":"Recent events","description":"Returns events of the agents, oldest first: starts, failures, restarts, circuit breakers, requests of operators. Without a cursor, the newest events. With the cursor of an earlier result, the events after it. If `more` is true, call again with the new cursor. If `gap` is present, some events in between are not stored anymore.","inputSchema":{"type":"object","properties":{"cursor":{"type":"string","description":"The cursor of an earlier result"},"agents":{"type":"array","items":{"type":"string"},"description":"Only events of these agents (default: all)"},"types":{"type":"array","items":{"type":"string"},"description":"Only these types, such as agent.failed or restart.scheduled (default: all)"},"limit":{"type":"integer","minimum":1,"maximum":1000,"description":"At most this many events (default: 100)"}},"additionalProperties":false},"annotations":{"readOnlyHint":true,"openWorldHint":false}})json"},
    Tool{
        "wait_for",
        "agents.wait", Access::Read, R"json({"name":"wait_for","title":"Wait for a state","description":"Waits until all of the agents are in the state at the same time. It is an error if that takes longer than the timeout.","inputSchema":{"type":"object","properties":{"agents":{"type":"array","items":{"type":"string"},"minItems":1,"description":"Names of agents"},"for":{"enum":["ready","stable","stopped","idle"],"description":"ready: runs and is ready; stable: also ready for stableAfter; stopped: does not run, and no start is planned; idle: ready or stopped"},"timeoutSeconds":{"type":"number","minimum":0,"maximum":600,"description":"Default: 60"}},"required":["agents","for"],"additionalProperties":false},"annotations":{"readOnlyHint":true,"openWorldHint":false}})json"},
    Tool{
        "restart", "agents.restart", Access::Operate,
        R"json({"name":"restart","title":"Restart agents","description":"Stops agents and starts them again. The attempts count from zero.","inputSchema":{"type":"object","properties":{"agents":{"type":"array","items":{"type":"string"},"minItems":1,"description":"Names of agents"},"reason":{"type":"string","maxLength":1000,"description":"Why, for the events and the audit trail"}},"required":["agents"],"additionalProperties":false},"annotations":{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":false}})json"},
    Tool{
        "stop", "agents.stop", Access::Operate,
        R"json({"name":"stop","title":"Stop agents","description":"Stops agents. They stay stopped until they are started again.","inputSchema":{"type":"object","properties":{"agents":{"type":"array","items":{"type":"string"},"minItems":1,"description":"Names of agents"},"reason":{"type":"string","maxLength":1000,"description":"Why, for the events and the audit trail"}},"required":["agents"],"additionalProperties":false},"annotations":{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":true,"openWorldHint":false}})json"},
    Tool{
        "start",
        "agents.start", Access::Operate, R"json({"name":"start","title":"Start agents","description":"Starts agents that are not running. A pending restart begins at once.","inputSchema":{"type":"object","properties":{"agents":{"type":"array","items":{"type":"string"},"minItems":1,"description":"Names of agents"},"reason":{"type":"string","maxLength":1000,"description":"Why, for the events and the audit trail"}},"required":["agents"],"additionalProperties":false},"annotations":{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}})json"},
    Tool{
        "retry", "agents.retry", Access::Operate,
        R"json({"name":"retry","title":"Retry at once","description":"Starts agents that have failed, were given up or are stopped. A pending restart begins at once. Does the same as start.","inputSchema":{"type":"object","properties":{"agents":{"type":"array","items":{"type":"string"},"minItems":1,"description":"Names of agents"},"reason":{"type":"string","maxLength":1000,"description":"Why, for the events and the audit trail"}},"required":["agents"],"additionalProperties":false},"annotations":{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}})json"},
    Tool{
        "reset", "breaker.reset", Access::Operate,
        R"json({"name":"reset","title":"Reset a circuit breaker","description":"Closes the circuit breaker of an agent, for example when the cause of its failures is fixed. A start that it held back begins at once.","inputSchema":{"type":"object","properties":{"agent":{"type":"string","description":"Name of the agent"},"reason":{"type":"string","maxLength":1000,"description":"Why, for the events and the audit trail"}},"required":["agent"],"additionalProperties":false},"annotations":{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}})json"},
};

constexpr QLatin1String cursorKey("cursor");
constexpr QLatin1String limitKey("limit");
constexpr QLatin1String timeoutKey("timeoutSeconds");

// Removes a number from the arguments. Nothing if it is not from `least` to `most`.
std::optional<double> takeNumber(QJsonObject &arguments, QLatin1String key, double least,
                                 double most, double byDefault)
{
    const QJsonValue value = arguments.take(key);
    if (value.isUndefined())
        return byDefault;
    const double number = value.toDouble(least - 1);
    return number >= least && number <= most ? std::optional(number) : std::nullopt;
}

// The host has other names for these arguments.
QString adaptEvents(HostRequest &request)
{
    constexpr int most = 1000;
    const auto limit = takeNumber(request.params, limitKey, 1, most, 100);
    if (!limit)
        return QStringLiteral("limit: expected a number from 1 to %1").arg(most);
    const QJsonValue cursor = request.params.take(cursorKey);
    if (!cursor.isUndefined() && !cursor.isString())
        return QStringLiteral("cursor: expected a string");
    request.eventLimit = static_cast<int>(*limit);
    request.hasCursor = cursor.isString();
    request.params[QLatin1String("from")] = cursor.toString(QStringLiteral("recent"));
    request.params[QLatin1String("until")] = QStringLiteral("now");
    return {};
}

QString adaptWait(HostRequest &request)
{
    constexpr int most = 600;
    const auto timeout = takeNumber(request.params, timeoutKey, 0, most, 60);
    if (!timeout)
        return QStringLiteral("timeoutSeconds: expected a number from 0 to %1").arg(most);
    const auto wait = std::chrono::milliseconds(static_cast<int>(*timeout * 1000));
    request.params[QLatin1String("timeout")] = static_cast<int>(wait.count());
    request.limit += wait;
    return {};
}

// The results of these methods contain the cursor.
bool hasResultCursor(const Tool &tool)
{
    const QLatin1String method(tool.method);
    return method == QLatin1String("agents.list") || method == QLatin1String("agents.explain")
        || method == QLatin1String("events.subscribe");
}

// Arguments that the tool does not have, but the method of the host.
QString unknownArgument(const Tool &tool, const QJsonObject &arguments)
{
    for (const char *key : {"from", "until", "snapshot", "timeout"}) {
        if (arguments.contains(QLatin1String(key)))
            return QStringLiteral("%1: unknown argument of %2")
                .arg(QLatin1String(key), QLatin1String(tool.name));
    }
    return {};
}

} // namespace

QByteArray ControlTools::definitions() const
{
    QByteArray text;
    for (const Tool &tool : allTools) {
        if (tool.access == Access::Operate && !m_mayOperate)
            continue;
        if (!text.isEmpty())
            text.append(',');
        text.append(tool.definition);
    }
    return text;
}

QStringList ControlTools::names()
{
    QStringList all;
    all.reserve(qsizetype{allTools.size()});
    for (const Tool &tool : allTools)
        all.append(QLatin1String(tool.name));
    return all;
}

std::variant<HostRequest, QString> ControlTools::requestOf(const QString &tool,
                                                           const QJsonObject &arguments) const
{
    const auto *const found = std::find_if(allTools.begin(), allTools.end(), [&](const Tool &each) {
        return tool == QLatin1String(each.name);
    });
    if (found == allTools.end())
        return QStringLiteral("no tool named %1").arg(tool);
    if (found->access == Access::Operate && !m_mayOperate)
        return QStringLiteral("%1 is not permitted; it needs rekindle control-mcp --allow operate")
            .arg(tool);
    QString fault = unknownArgument(*found, arguments);
    HostRequest request{.method = QLatin1String(found->method),
                        .params = arguments,
                        .needsCursor = !hasResultCursor(*found)};
    if (fault.isEmpty() && tool == QLatin1String("recent_events"))
        fault = adaptEvents(request);
    else if (fault.isEmpty() && tool == QLatin1String("wait_for"))
        fault = adaptWait(request);
    if (!fault.isEmpty())
        return fault;
    return request;
}

} // namespace Rekindle
