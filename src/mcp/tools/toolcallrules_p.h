// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/toolresult.h>
#include <rekindle/policy/callretry.h>
#include <rekindle/policy/toolcallfinished.h>

#include <QStringList>

namespace Rekindle {

/// What one answer of a server means (spec 9). Pure.
struct ToolCallVerdict
{
    /// What a circuit breaker makes of it.
    enum class Evidence { None, Success, Failure };

    bool hasFailed = false;
    bool mayRepeat = false;  ///< of what has failed: it is safe, and may help
    bool serverGone = false; ///< nothing helps but another server
    Evidence evidence = Evidence::None;
};

/// `repeatable`: it only reads, or the tool is annotated idempotent.
[[nodiscard]] ToolCallVerdict judge(const ToolResult &result, CallRetry retry, bool repeatable,
                                    const QStringList &inputErrors);

/// How an attempt's failure is told; both are empty where the tool has answered.
struct ToolCallFailure
{
    QString name{};
    QString message{};
};
[[nodiscard]] ToolCallFailure failureOf(const ToolResult &result);

} // namespace Rekindle
