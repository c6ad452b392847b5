// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "toolcallrules_p.h"

#include "mcp/jsonrpc/errorcodes_p.h"

#include <rekindle/policy/backoff.h>

#include <algorithm>
#include <array>

namespace Rekindle {

namespace {

using Evidence = ToolCallVerdict::Evidence;
using Kind = McpError::Kind;

// Limits records, because results can be long.
constexpr qsizetype maxMessageLength = 500;

bool containsOneOf(const QString &text, const QStringList &parts)
{
    return std::any_of(parts.begin(), parts.end(), [&text](const QString &part) {
        return !part.isEmpty() && text.contains(part, Qt::CaseInsensitive);
    });
}

// The same request fails again, so the server works.
bool isInputError(const McpError &error, const QStringList &inputErrors)
{
    constexpr std::array codes{ErrorCode::invalidRequest, ErrorCode::methodNotFound,
                               ErrorCode::invalidParams, ErrorCode::urlElicitationRequired,
                               ErrorCode::requestCancelled};
    return std::find(codes.begin(), codes.end(), error.code) != codes.end()
        || containsOneOf(error.message, inputErrors);
}

ToolCallVerdict failed(Evidence evidence, bool mayRepeat, bool serverGone = false)
{
    return {
        .hasFailed = true, .mayRepeat = mayRepeat, .serverGone = serverGone, .evidence = evidence};
}

} // namespace

ToolCallVerdict judge(const ToolResult &result, CallRetry retry, bool repeatable,
                      const QStringList &inputErrors)
{
    if (!result.error) {
        if (!result.isError() || retry != CallRetry::Always)
            return {.evidence = Evidence::Success};
        return containsOneOf(result.text(), inputErrors) ? failed(Evidence::None, false)
                                                         : failed(Evidence::Failure, true);
    }
    const McpError &error = *result.error;
    const bool isSafe = retry == CallRetry::Always || (retry == CallRetry::Safe && repeatable);
    switch (error.kind) {
    case Kind::Refused:
        return isInputError(error, inputErrors) ? failed(Evidence::None, false)
                                                : failed(Evidence::Failure, isSafe);
    // Bytes that were not written before the timeout may still be written.
    case Kind::Timeout:
    case Kind::InvalidAnswer:
        return failed(Evidence::Failure, isSafe);
    case Kind::Lost:
    case Kind::NotReady:
        return failed(Evidence::None, isSafe || !error.wasWritten, true);
    case Kind::Busy:
        return failed(Evidence::None, isSafe || !error.wasWritten);
    case Kind::Cancelled:
        break;
    }
    return failed(Evidence::None, false);
}

ToolCallFailure failureOf(const ToolResult &result)
{
    if (result.error)
        return {toText(result.error->kind), result.error->message.left(maxMessageLength),
                result.error->code};
    if (result.isError())
        return {QStringLiteral("ToolError"), result.text().left(maxMessageLength)};
    return {};
}

std::optional<Duration> retryDelay(const RestartPolicy &policy, int retries,
                                   const std::function<double()> &random, Duration previous)
{
    constexpr double meanDraw = 0.5;
    if (policy.effectiveType() == RestartPolicyType::None
        || (policy.maxRetries && retries >= *policy.maxRetries))
        return std::nullopt;
    return Backoff::delay(policy, retries + 1, {random ? random() : meanDraw, previous});
}

} // namespace Rekindle
