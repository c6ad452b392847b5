// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/toolcallfinished.h>

#include "json/jsonwriter.h"

namespace Rekindle {

namespace {

// Of a call or an attempt.
void writeFailure(JsonWriter &json, const auto &failed)
{
    if (failed.failure.isEmpty())
        return;
    json.member("failure", failed.failure);
    json.member("message", failed.message);
}

void writeAttempt(JsonWriter &json, const ToolCallAttempt &attempt)
{
    json.member("delayMs", attempt.delay);
    json.member("begunMs", attempt.begun);
    json.member("waitedForServerMs", attempt.waitedForServer);
    json.member("durationMs", attempt.duration);
    writeFailure(json, attempt);
    if (attempt.code != 0)
        json.member("code", attempt.code);
}

} // namespace

QByteArray toJson(const ToolCallFinished &call)
{
    return jsonObject([&call](JsonWriter &json) {
        json.member("tool", call.tool);
        json.member("end", toText(call.end));
        json.member("durationMs", call.duration);
        json.member("retries", call.retries());
        writeFailure(json, call);
        if (!call.traceParent.isEmpty())
            json.member("traceparent", call.traceParent);
        json.member("breaker", toText(call.breaker));
        json.member("breakerOpened", call.breakerOpened);
        json.array("attempts", call.attempts, [&json](const ToolCallAttempt &attempt) {
            json.object([&] { writeAttempt(json, attempt); });
        });
    });
}

} // namespace Rekindle
