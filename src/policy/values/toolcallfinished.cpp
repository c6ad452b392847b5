// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/toolcallfinished.h>

#include "json/enumnames.h"
#include "json/jsonwriter.h"

namespace Rekindle {

namespace {

constexpr std::array<EnumName<ToolCallEnd>, 6> names = {{
    {ToolCallEnd::Answered, QLatin1String("Answered")},
    {ToolCallEnd::AttemptsExhausted, QLatin1String("AttemptsExhausted")},
    {ToolCallEnd::DeadlineExceeded, QLatin1String("DeadlineExceeded")},
    {ToolCallEnd::NotRetryable, QLatin1String("NotRetryable")},
    {ToolCallEnd::BreakerOpen, QLatin1String("BreakerOpen")},
    {ToolCallEnd::Cancelled, QLatin1String("Cancelled")},
}};

void write(JsonWriter &json, QLatin1String key, Duration duration)
{
    json.key(key);
    json.value(toMilliseconds(duration));
}

void write(JsonWriter &json, QLatin1String key, const QString &text)
{
    json.key(key);
    json.value(QStringView(text));
}

void write(JsonWriter &json, QLatin1String key, int number)
{
    json.key(key);
    json.value(number);
}

void write(JsonWriter &json, const ToolCallAttempt &attempt)
{
    json.beginObject();
    write(json, QLatin1String("delayMs"), attempt.delay);
    write(json, QLatin1String("begunMs"), attempt.begun);
    write(json, QLatin1String("waitedForServerMs"), attempt.waitedForServer);
    write(json, QLatin1String("durationMs"), attempt.duration);
    if (!attempt.failure.isEmpty()) {
        write(json, QLatin1String("failure"), attempt.failure);
        write(json, QLatin1String("message"), attempt.message);
    }
    if (attempt.code != 0)
        write(json, QLatin1String("code"), attempt.code);
    json.endObject();
}

} // namespace

QString toText(ToolCallEnd end) { return nameOf(names, end); }

std::optional<ToolCallEnd> toolCallEndFromString(QStringView name) { return valueOf(names, name); }

QByteArray toJson(const ToolCallFinished &call)
{
    QByteArray text;
    JsonWriter json(text);
    json.beginObject();
    write(json, QLatin1String("tool"), call.tool);
    write(json, QLatin1String("end"), toText(call.end));
    write(json, QLatin1String("durationMs"), call.duration);
    write(json, QLatin1String("retries"), call.retries());
    if (!call.failure.isEmpty()) {
        write(json, QLatin1String("failure"), call.failure);
        write(json, QLatin1String("message"), call.message);
    }
    write(json, QLatin1String("breaker"), toText(call.breaker));
    json.key(QLatin1String("breakerOpened"));
    json.value(call.breakerOpened);
    json.key(QLatin1String("attempts"));
    json.beginArray();
    for (const ToolCallAttempt &attempt : call.attempts)
        write(json, attempt);
    json.endArray();
    json.endObject();
    return text;
}

} // namespace Rekindle
