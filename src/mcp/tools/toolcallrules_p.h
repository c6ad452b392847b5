// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/toolresult.h>
#include <rekindle/policy/enums.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/policy/toolcallfinished.h>

#include <QStringList>

#include <functional>
#include <optional>

namespace Rekindle {

/// What one response of a server means for its call. Pure.
struct ToolCallVerdict
{
    /// How the circuit breaker counts it.
    enum class Evidence { None, Success, Failure };

    bool hasFailed = false;
    bool mayRepeat = false;  ///< if it failed: a retry is safe and can succeed
    bool serverGone = false; ///< a retry needs another server
    Evidence evidence = Evidence::None;
};

/// `repeatable`: the request is read-only, or the tool is annotated idempotent.
[[nodiscard]] ToolCallVerdict judge(const ToolResult &result, CallRetry retry, bool repeatable,
                                    const QStringList &inputErrors);

/// Name and message of a failed attempt; both are empty if the tool answered.
struct ToolCallFailure
{
    QString name{};
    QString message{};
    int code = 0; ///< of an error response
};
[[nodiscard]] ToolCallFailure failureOf(const ToolResult &result);

/// Returns the delay of the retry that follows this number of retries; no value if the policy
/// permits no more. `previous` is the last delay. Without `random`, the draw is 0.5.
[[nodiscard]] std::optional<Duration> retryDelay(const RestartPolicy &policy, int retries,
                                                 const std::function<double()> &random = {},
                                                 Duration previous = {});

} // namespace Rekindle
