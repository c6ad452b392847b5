// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/lifecycleevent.h>

#include "rfc3339_p.h"
#include "json/jsonwriter.h"

#include <array>
#include <charconv>
#include <string_view>

namespace Rekindle {

namespace {

void write(JsonWriter &json, QLatin1String key, const QString &text)
{
    json.key(key);
    json.value(QStringView(text));
}

void write(JsonWriter &json, QLatin1String key, std::integral auto number)
{
    json.key(key);
    json.value(number);
}

void write(JsonWriter &json, QLatin1String key, Duration duration)
{
    json.key(key);
    json.value(toMilliseconds(duration));
}

void write(JsonWriter &json, QLatin1String key, UtcTime time)
{
    const Rfc3339 text(time);
    json.key(key);
    json.beginText();
    json.addPlain(text.data(), text.size());
    json.endText();
}

void write(JsonWriter &json, QLatin1String key, const QStringList &texts)
{
    json.key(key);
    json.beginArray();
    for (const QString &text : texts)
        json.value(QStringView(text));
    json.endArray();
}

void write(JsonWriter &json, QLatin1String key, const QUuid &id)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::array<char, 36> text{};
    std::size_t at = 0;
    const auto add = [&](quint32 number, unsigned bytes) {
        for (unsigned shift = bytes * 8; shift > 0; shift -= 4)
            text[at++] = digits[(number >> (shift - 4)) & 0xfU];
    };
    add(id.data1, 4);
    text[at++] = '-';
    add(id.data2, 2);
    text[at++] = '-';
    add(id.data3, 2);
    text[at++] = '-';
    for (unsigned i = 0; i < 8; ++i) {
        if (i == 2)
            text[at++] = '-';
        add(id.data4[i], 1);
    }
    json.key(key);
    json.beginText();
    json.addPlain(text.data(), static_cast<qsizetype>(text.size()));
    json.endText();
}

template<typename Value>
void write(JsonWriter &json, QLatin1String key, const std::optional<Value> &value)
{
    if (value) {
        write(json, key, *value);
    } else {
        json.key(key);
        json.null();
    }
}

// The name of each event type and the data in addition to the header.
struct Writer
{
    JsonWriter &json;

    void operator()(const AgentStarted &e) const
    {
        write(json, QLatin1String("generation"), e.generation);
        write(json, QLatin1String("pid"), e.processId);
    }
    void operator()(const AgentReady &e) const
    {
        write(json, QLatin1String("generation"), e.generation);
        write(json, QLatin1String("durationMs"), e.duration);
    }
    void operator()(const AgentStable &e) const
    {
        write(json, QLatin1String("generation"), e.generation);
    }
    void operator()(const AgentStopped &e) const
    {
        write(json, QLatin1String("generation"), e.generation);
    }
    void operator()(const AgentFailed &e) const
    {
        write(json, QLatin1String("generation"), e.generation);
        write(json, QLatin1String("reason"), toText(e.reason));
        write(json, QLatin1String("detail"), e.detail.message);
        write(json, QLatin1String("pid"), e.detail.processId);
        if (e.detail.exitCode)
            write(json, QLatin1String("exitCode"), *e.detail.exitCode);
        if (e.detail.signal)
            write(json, QLatin1String("signal"), *e.detail.signal);
        write(json, QLatin1String("stderrTail"), e.detail.stderrTail);
    }
    void operator()(const RestartRequested &e) const
    {
        write(json, QLatin1String("reason"), e.reason);
    }
    void operator()(const RestartScheduled &e) const
    {
        write(json, QLatin1String("attemptNumber"), e.attemptNumber);
        write(json, QLatin1String("maxAttempts"), e.maxAttempts);
        write(json, QLatin1String("delayMs"), e.delay);
        write(json, QLatin1String("calculatedDelayMs"), e.calculatedDelay);
        write(json, QLatin1String("scheduledAt"), e.scheduledAt);
        write(json, QLatin1String("failureReason"), toText(e.failureReason));
    }
    void operator()(const RestartStarted &e) const
    {
        write(json, QLatin1String("attemptNumber"), e.attemptNumber);
        write(json, QLatin1String("startedAt"), e.startedAt);
        write(json, QLatin1String("latenessMs"), e.lateness);
    }
    void operator()(const RestartSucceeded &e) const
    {
        write(json, QLatin1String("attemptNumber"), e.attemptNumber);
        write(json, QLatin1String("durationMs"), e.duration);
        write(json, QLatin1String("completedAt"), e.completedAt);
    }
    void operator()(const RestartFailed &e) const
    {
        write(json, QLatin1String("attemptNumber"), e.attemptNumber);
        write(json, QLatin1String("failureReason"), toText(e.failureReason));
        write(json, QLatin1String("willRetry"), e.willRetry);
        write(json, QLatin1String("nextRetryDelayMs"), e.nextRetryDelay);
    }
    void operator()(const RestartExhausted &e) const
    {
        write(json, QLatin1String("totalAttempts"), e.totalAttempts);
        write(json, QLatin1String("totalDurationMs"), e.totalDuration);
        write(json, QLatin1String("abandonedAt"), e.abandonedAt);
    }
    void operator()(const RestartCancelled &e) const
    {
        write(json, QLatin1String("attemptNumber"), e.attemptNumber);
    }
    void operator()(const CircuitBreakerStateChanged &e) const
    {
        write(json, QLatin1String("oldState"), toText(e.oldState));
        write(json, QLatin1String("newState"), toText(e.newState));
        write(json, QLatin1String("changedAt"), e.changedAt);
        write(json, QLatin1String("resetDelayMs"), e.resetDelay);
        if (e.restored)
            write(json, QLatin1String("restored"), e.restored);
    }
    void operator()(const PolicyDowngraded &e) const
    {
        write(json, QLatin1String("tier"), e.tier);
        write(json, QLatin1String("requestedType"), toText(e.requestedType));
        write(json, QLatin1String("effectiveType"), toText(e.effectiveType));
    }
    void operator()(const HealthChanged &e) const
    {
        write(json, QLatin1String("generation"), e.generation);
        write(json, QLatin1String("oldState"), toText(e.oldState));
        write(json, QLatin1String("newState"), toText(e.health.state));
        write(json, QLatin1String("consecutiveMisses"), e.health.consecutiveMisses);
        // After a new start, the history belongs to the start before.
        const bool isAnswered = e.health.state != AgentHealthStatus::State::Unknown;
        write(json, QLatin1String("probe"), isAnswered ? e.health.latest().probe : QString());
        write(json, QLatin1String("detail"), e.health.detail);
    }
    void operator()(const AgentOutput &e) const
    {
        const bool isError = e.stream == AgentOutput::Stream::Error;
        write(json, QLatin1String("generation"), e.generation);
        json.key(QLatin1String("stream"));
        json.value(QLatin1String(isError ? "stderr" : "stdout"));
        write(json, QLatin1String("line"), e.line);
        write(json, QLatin1String("cut"), e.cut);
        write(json, QLatin1String("dropped"), e.dropped);
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
    QLatin1String operator()(const PolicyDowngraded &) const
    {
        return QLatin1String("policy.downgraded");
    }
    QLatin1String operator()(const HealthChanged &) const
    {
        return QLatin1String("health.changed");
    }
    QLatin1String operator()(const AgentOutput &) const { return QLatin1String("agent.output"); }
};

void writeData(JsonWriter &json, const LifecycleEvent &event)
{
    const EventHeader &common = header(event);
    json.beginObject();
    write(json, QLatin1String("instanceId"), common.instanceId);
    write(json, QLatin1String("agent"), common.agent);
    write(json, QLatin1String("seq"), common.sequence);
    write(json, QLatin1String("monoNs"), common.monotonicTime.time_since_epoch().count());
    std::visit(Writer{json}, event);
    json.endObject();
}

} // namespace

const EventHeader &header(const LifecycleEvent &event)
{
    return std::visit([](const EventHeader &common) -> const EventHeader & { return common; },
                      event);
}

QString eventType(const LifecycleEvent &event) { return std::visit(TypeName{}, event); }

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
    std::array<char, 20> id{};
    const char *const end = std::to_chars(id.data(), id.data() + id.size(), common.sequence).ptr;
    JsonWriter json(out);
    json.beginObject();
    json.key(QLatin1String("specversion"));
    json.value(QLatin1String("1.0"));
    json.key(QLatin1String("id"));
    json.beginText();
    json.addPlain(id.data(), end - id.data());
    json.endText();
    write(json, QLatin1String("source"), source);
    json.key(QLatin1String("type"));
    json.beginText();
    json.addPlain(QLatin1String("rekindle."));
    json.addPlain(std::visit(TypeName{}, event));
    json.addPlain(QLatin1String(".v1"));
    json.endText();
    json.key(QLatin1String("subject"));
    json.beginText();
    json.addPlain(QLatin1String("agent/"));
    json.addText(common.agent);
    json.endText();
    write(json, QLatin1String("time"), common.time);
    json.key(QLatin1String("datacontenttype"));
    json.value(QLatin1String("application/json"));
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
