// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/lifecycleevent.h>

#include "rfc3339_p.h"
#include "json/jsonwriter.h"

#include <array>

namespace Rekindle {

namespace {

void writeTime(JsonWriter &json, QLatin1String key, UtcTime time)
{
    const Rfc3339 text(time);
    json.key(key);
    json.beginText();
    json.addPlain(text.data(), text.size());
    json.endText();
}

// In the order of LifecycleEvent.
constexpr std::array typeNames = {
    QLatin1String("agent.started"),     QLatin1String("agent.ready"),
    QLatin1String("agent.stable"),      QLatin1String("agent.stopped"),
    QLatin1String("agent.failed"),      QLatin1String("restart.requested"),
    QLatin1String("restart.scheduled"), QLatin1String("restart.started"),
    QLatin1String("restart.succeeded"), QLatin1String("restart.failed"),
    QLatin1String("restart.exhausted"), QLatin1String("restart.cancelled"),
    QLatin1String("circuit.changed"),   QLatin1String("policy.downgraded"),
    QLatin1String("health.changed"),    QLatin1String("agent.output"),
};
static_assert(typeNames.size() == std::variant_size_v<LifecycleEvent>);

// Writes the data that only one type of event has.
struct Writer
{
    JsonWriter &json;

    void operator()(const AgentStable &) const {}
    void operator()(const AgentStopped &) const {}
    void operator()(const RestartCancelled &) const {}
    void operator()(const AgentStarted &e) const { json.member(QLatin1String("pid"), e.processId); }
    void operator()(const AgentReady &e) const
    {
        json.member(QLatin1String("durationMs"), e.duration);
    }
    void operator()(const AgentFailed &e) const
    {
        json.member(QLatin1String("reason"), toText(e.reason));
        json.member(QLatin1String("detail"), e.detail.message);
        json.member(QLatin1String("pid"), e.detail.processId);
        if (e.detail.exitCode)
            json.member(QLatin1String("exitCode"), *e.detail.exitCode);
        if (e.detail.signal)
            json.member(QLatin1String("signal"), *e.detail.signal);
        json.member(QLatin1String("stderrTail"), e.detail.stderrTail);
    }
    void operator()(const RestartRequested &e) const
    {
        json.member(QLatin1String("reason"), e.reason);
    }
    void operator()(const RestartScheduled &e) const
    {
        json.member(QLatin1String("maxAttempts"), e.maxAttempts);
        json.member(QLatin1String("delayMs"), e.delay);
        json.member(QLatin1String("calculatedDelayMs"), e.calculatedDelay);
        writeTime(json, QLatin1String("scheduledAt"), e.scheduledAt);
        json.member(QLatin1String("failureReason"), toText(e.failureReason));
    }
    void operator()(const RestartStarted &e) const
    {
        writeTime(json, QLatin1String("startedAt"), e.startedAt);
        json.member(QLatin1String("latenessMs"), e.lateness);
    }
    void operator()(const RestartSucceeded &e) const
    {
        json.member(QLatin1String("durationMs"), e.duration);
        writeTime(json, QLatin1String("completedAt"), e.completedAt);
    }
    void operator()(const RestartFailed &e) const
    {
        json.member(QLatin1String("failureReason"), toText(e.failureReason));
        json.member(QLatin1String("willRetry"), e.willRetry);
        json.member(QLatin1String("nextRetryDelayMs"), e.nextRetryDelay);
    }
    void operator()(const RestartExhausted &e) const
    {
        json.member(QLatin1String("totalAttempts"), e.totalAttempts);
        json.member(QLatin1String("totalDurationMs"), e.totalDuration);
        writeTime(json, QLatin1String("abandonedAt"), e.abandonedAt);
    }
    void operator()(const CircuitBreakerStateChanged &e) const
    {
        json.member(QLatin1String("oldState"), toText(e.oldState));
        json.member(QLatin1String("newState"), toText(e.newState));
        writeTime(json, QLatin1String("changedAt"), e.changedAt);
        json.member(QLatin1String("resetDelayMs"), e.resetDelay);
        if (e.restored)
            json.member(QLatin1String("restored"), e.restored);
    }
    void operator()(const PolicyDowngraded &e) const
    {
        json.member(QLatin1String("tier"), e.tier);
        json.member(QLatin1String("requestedType"), toText(e.requestedType));
        json.member(QLatin1String("effectiveType"), toText(e.effectiveType));
    }
    void operator()(const HealthChanged &e) const
    {
        json.member(QLatin1String("oldState"), toText(e.oldState));
        json.member(QLatin1String("newState"), toText(e.health.state));
        json.member(QLatin1String("consecutiveMisses"), e.health.consecutiveMisses);
        // After a new start, the history belongs to the start before.
        const bool isAnswered = e.health.state != AgentHealthStatus::State::Unknown;
        json.member(QLatin1String("probe"), isAnswered ? e.health.latest().probe : QString());
        json.member(QLatin1String("detail"), e.health.detail);
    }
    void operator()(const AgentOutput &e) const
    {
        const bool isError = e.stream == AgentOutput::Stream::Error;
        json.member(QLatin1String("stream"), QLatin1String(isError ? "stderr" : "stdout"));
        json.member(QLatin1String("line"), e.line);
        json.member(QLatin1String("cut"), e.cut);
        json.member(QLatin1String("dropped"), e.dropped);
    }
};

void writeData(JsonWriter &json, const LifecycleEvent &event)
{
    const EventHeader &common = header(event);
    json.beginObject();
    json.member(QLatin1String("instanceId"), common.instanceId);
    json.member(QLatin1String("agent"), common.agent);
    json.member(QLatin1String("seq"), common.sequence);
    json.member(QLatin1String("monoNs"), common.monotonicTime.time_since_epoch().count());
    std::visit(
        [&json](const auto &e) {
            if constexpr (requires { e.generation; })
                json.member(QLatin1String("generation"), e.generation);
            if constexpr (requires { e.attemptNumber; })
                json.member(QLatin1String("attemptNumber"), e.attemptNumber);
            Writer{json}(e);
        },
        event);
    json.endObject();
}

} // namespace

const EventHeader &header(const LifecycleEvent &event)
{
    return std::visit([](const EventHeader &common) -> const EventHeader & { return common; },
                      event);
}

QString eventType(const LifecycleEvent &event) { return typeNames[event.index()]; }

QByteArray eventToJson(const LifecycleEvent &event)
{
    QByteArray text;
    JsonWriter json(text);
    writeData(json, event);
    return text;
}

void appendCloudEvent(QByteArray &out, const LifecycleEvent &event, const QString &source)
{
    const EventHeader &common = header(event);
    JsonWriter json(out);
    json.beginObject();
    json.member(QLatin1String("specversion"), QLatin1String("1.0"));
    json.key(QLatin1String("id"));
    json.beginText();
    json.addNumber(common.sequence);
    json.endText();
    json.member(QLatin1String("source"), source);
    json.key(QLatin1String("type"));
    json.beginText();
    json.addPlain(QLatin1String("rekindle."));
    json.addPlain(typeNames[event.index()]);
    json.addPlain(QLatin1String(".v1"));
    json.endText();
    json.key(QLatin1String("subject"));
    json.beginText();
    json.addPlain(QLatin1String("agent/"));
    json.addText(common.agent);
    json.endText();
    writeTime(json, QLatin1String("time"), common.time);
    json.member(QLatin1String("datacontenttype"), QLatin1String("application/json"));
    json.key(QLatin1String("data"));
    writeData(json, event);
    json.endObject();
}

QByteArray toCloudEvent(const LifecycleEvent &event, const QString &source)
{
    QByteArray line;
    appendCloudEvent(line, event, source);
    return line;
}

} // namespace Rekindle
