// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/lifecycleevent.h>

#include <nlohmann/json.hpp>

namespace Rekindle {

namespace {

using Json = nlohmann::ordered_json;

std::string text(const QString &string) { return string.toStdString(); }
std::string text(UtcTime time) { return text(toRfc3339(time)); }

std::string uuid(const QUuid &id) { return text(id.toString(QUuid::WithoutBraces)); }

template<typename Value>
Json orNull(const std::optional<Value> &value)
{
    return value ? Json(*value) : Json(nullptr);
}

// The name of each event's type, and what stands in its data besides the header.
struct Writer
{
    Json &data;

    void operator()(const AgentStarted &e) const
    {
        data["generation"] = e.generation;
        data["pid"] = e.processId;
    }
    void operator()(const AgentReady &e) const
    {
        data["generation"] = e.generation;
        data["durationMs"] = toMilliseconds(e.duration);
    }
    void operator()(const AgentStable &e) const { data["generation"] = e.generation; }
    void operator()(const AgentStopped &e) const { data["generation"] = e.generation; }
    void operator()(const AgentFailed &e) const
    {
        data["generation"] = e.generation;
        data["reason"] = text(toText(e.reason));
        data["detail"] = text(e.detail.message);
        data["pid"] = e.detail.processId;
        if (e.detail.exitCode)
            data["exitCode"] = *e.detail.exitCode;
        if (e.detail.signal)
            data["signal"] = *e.detail.signal;
        Json tail = Json::array();
        for (const QString &line : e.detail.stderrTail)
            tail.push_back(text(line));
        data["stderrTail"] = std::move(tail);
    }
    void operator()(const RestartRequested &e) const { data["reason"] = text(e.reason); }
    void operator()(const RestartScheduled &e) const
    {
        data["attemptNumber"] = e.attemptNumber;
        data["maxAttempts"] = orNull(e.maxAttempts);
        data["delayMs"] = toMilliseconds(e.delay);
        data["calculatedDelayMs"] = toMilliseconds(e.calculatedDelay);
        data["scheduledAt"] = text(e.scheduledAt);
        data["failureReason"] = text(toText(e.failureReason));
    }
    void operator()(const RestartStarted &e) const
    {
        data["attemptNumber"] = e.attemptNumber;
        data["startedAt"] = text(e.startedAt);
        data["latenessMs"] = toMilliseconds(e.lateness);
    }
    void operator()(const RestartSucceeded &e) const
    {
        data["attemptNumber"] = e.attemptNumber;
        data["durationMs"] = toMilliseconds(e.duration);
        data["completedAt"] = text(e.completedAt);
    }
    void operator()(const RestartFailed &e) const
    {
        data["attemptNumber"] = e.attemptNumber;
        data["failureReason"] = text(toText(e.failureReason));
        data["willRetry"] = e.willRetry;
        data["nextRetryDelayMs"] =
            e.nextRetryDelay ? Json(toMilliseconds(*e.nextRetryDelay)) : Json(nullptr);
    }
    void operator()(const RestartExhausted &e) const
    {
        data["totalAttempts"] = e.totalAttempts;
        data["totalDurationMs"] = toMilliseconds(e.totalDuration);
        data["abandonedAt"] = text(e.abandonedAt);
    }
    void operator()(const RestartCancelled &e) const { data["attemptNumber"] = e.attemptNumber; }
    void operator()(const CircuitBreakerStateChanged &e) const
    {
        data["oldState"] = text(toText(e.oldState));
        data["newState"] = text(toText(e.newState));
        data["changedAt"] = text(e.changedAt);
        data["resetDelayMs"] = e.resetDelay ? Json(toMilliseconds(*e.resetDelay)) : Json(nullptr);
    }
};

struct TypeName
{
    QLatin1String operator()(const AgentStarted &) const { return QLatin1String("agent.started"); }
    QLatin1String operator()(const AgentReady &) const { return QLatin1String("agent.ready"); }
    QLatin1String operator()(const AgentStable &) const { return QLatin1String("agent.stable"); }
    QLatin1String operator()(const AgentStopped &) const { return QLatin1String("agent.stopped"); }
    QLatin1String operator()(const AgentFailed &) const { return QLatin1String("agent.failed"); }
    QLatin1String operator()(const RestartRequested &) const
    {
        return QLatin1String("restart.requested");
    }
    QLatin1String operator()(const RestartScheduled &) const
    {
        return QLatin1String("restart.scheduled");
    }
    QLatin1String operator()(const RestartStarted &) const
    {
        return QLatin1String("restart.started");
    }
    QLatin1String operator()(const RestartSucceeded &) const
    {
        return QLatin1String("restart.succeeded");
    }
    QLatin1String operator()(const RestartFailed &) const
    {
        return QLatin1String("restart.failed");
    }
    QLatin1String operator()(const RestartExhausted &) const
    {
        return QLatin1String("restart.exhausted");
    }
    QLatin1String operator()(const RestartCancelled &) const
    {
        return QLatin1String("restart.cancelled");
    }
    QLatin1String operator()(const CircuitBreakerStateChanged &) const
    {
        return QLatin1String("circuit.changed");
    }
};

Json dataOf(const LifecycleEvent &event)
{
    const EventHeader &common = header(event);
    Json data;
    data["instanceId"] = uuid(common.instanceId);
    data["agent"] = text(common.agent);
    data["seq"] = common.sequence;
    data["monoNs"] = common.monotonicTime.time_since_epoch().count();
    std::visit(Writer{data}, event);
    return data;
}

QByteArray compact(const Json &json)
{
    return QByteArray::fromStdString(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

} // namespace

const EventHeader &header(const LifecycleEvent &event)
{
    return std::visit([](const EventHeader &common) -> const EventHeader & { return common; },
                      event);
}

QString eventType(const LifecycleEvent &event) { return std::visit(TypeName{}, event); }

QByteArray eventToJson(const LifecycleEvent &event) { return compact(dataOf(event)); }

QByteArray toCloudEvent(const LifecycleEvent &event, const QString &source)
{
    const EventHeader &common = header(event);
    Json envelope;
    envelope["specversion"] = "1.0";
    envelope["id"] = std::to_string(common.sequence);
    envelope["source"] = text(source);
    envelope["type"] = "rekindle." + text(eventType(event)) + ".v1";
    envelope["subject"] = "agent/" + text(common.agent);
    envelope["time"] = text(common.time);
    envelope["datacontenttype"] = "application/json";
    envelope["data"] = dataOf(event);
    return compact(envelope);
}

} // namespace Rekindle
