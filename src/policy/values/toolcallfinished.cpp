// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/toolcallfinished.h>

#include "json/jsonwriter.h"

namespace Rekindle {

namespace {

void write(JsonWriter &json, const ToolCallAttempt &attempt)
{
    json.beginObject();
    json.member(QLatin1String("delayMs"), attempt.delay);
    json.member(QLatin1String("begunMs"), attempt.begun);
    json.member(QLatin1String("waitedForServerMs"), attempt.waitedForServer);
    json.member(QLatin1String("durationMs"), attempt.duration);
    if (!attempt.failure.isEmpty()) {
        json.member(QLatin1String("failure"), attempt.failure);
        json.member(QLatin1String("message"), attempt.message);
    }
    if (attempt.code != 0)
        json.member(QLatin1String("code"), attempt.code);
    json.endObject();
}

} // namespace

QByteArray toJson(const ToolCallFinished &call)
{
    QByteArray text;
    JsonWriter json(text);
    json.beginObject();
    json.member(QLatin1String("tool"), call.tool);
    json.member(QLatin1String("end"), toText(call.end));
    json.member(QLatin1String("durationMs"), call.duration);
    json.member(QLatin1String("retries"), call.retries());
    if (!call.failure.isEmpty()) {
        json.member(QLatin1String("failure"), call.failure);
        json.member(QLatin1String("message"), call.message);
    }
    if (!call.traceParent.isEmpty())
        json.member(QLatin1String("traceparent"), call.traceParent);
    json.member(QLatin1String("breaker"), toText(call.breaker));
    json.member(QLatin1String("breakerOpened"), call.breakerOpened);
    json.key(QLatin1String("attempts"));
    json.beginArray();
    for (const ToolCallAttempt &attempt : call.attempts)
        write(json, attempt);
    json.endArray();
    json.endObject();
    return text;
}

} // namespace Rekindle
