// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/json/enumnames.h>
#include <rekindle/policy/lifecycleevent.h>

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringView>

#include <optional>

namespace Rekindle {

/// How a tool call ended.
enum class ToolCallEnd {
    Answered,          ///< the tool has answered, possibly with an error
    AttemptsExhausted, ///< the last permitted attempt failed
    DeadlineExceeded,  ///< its deadline has passed, or the next wait would exceed it
    NotRetryable,      ///< the failure must not be retried
    BreakerOpen,       ///< the circuit breaker of the tool is open
    Cancelled,         ///< by the caller
};

inline constexpr std::array<EnumName<ToolCallEnd>, 6> toolCallEnds = {{
    {ToolCallEnd::Answered, QLatin1String("Answered")},
    {ToolCallEnd::AttemptsExhausted, QLatin1String("AttemptsExhausted")},
    {ToolCallEnd::DeadlineExceeded, QLatin1String("DeadlineExceeded")},
    {ToolCallEnd::NotRetryable, QLatin1String("NotRetryable")},
    {ToolCallEnd::BreakerOpen, QLatin1String("BreakerOpen")},
    {ToolCallEnd::Cancelled, QLatin1String("Cancelled")},
}};

[[nodiscard]] inline QString toText(ToolCallEnd end) { return nameOf(toolCallEnds, end); }

/// One attempt of a call.
struct ToolCallAttempt
{
    Duration delay{0};           ///< before the attempt, by the policy
    Duration begun{0};           ///< since the call began
    Duration waitedForServer{0}; ///< part of the duration: until a server was available
    Duration duration{0};        ///< from begin to end

    /// Empty if the tool has answered; "ToolError" if it answered with an error; otherwise the name
    /// of the error, for example "Lost".
    QString failure{};
    QString message{}; ///< of a failure, one sentence for people
    int code = 0;      ///< of a failure "Refused": the JSON-RPC code

    bool operator==(const ToolCallAttempt &) const = default;
};

/// A tool call has ended. `agent` is the name of the server, `sequence` counts the ended calls of
/// one caller, and the time is that of the end.
struct ToolCallFinished : EventHeader
{
    quint64 call = 0; ///< its number among the calls of one caller, as in the signals of the caller
    QString tool{};
    ToolCallEnd end = ToolCallEnd::Answered;
    Duration duration{0};              ///< of the whole call, all attempts and waits
    QList<ToolCallAttempt> attempts{}; ///< empty if it was refused before the first attempt

    QString failure{}; ///< the final result, as in an attempt
    QString message{};

    CircuitBreakerState breaker = CircuitBreakerState::Closed; ///< after it
    bool breakerOpened = false;                                ///< by this call

    /// The number of retries.
    [[nodiscard]] int retries() const { return qMax(0, static_cast<int>(attempts.size()) - 1); }

    bool operator==(const ToolCallFinished &) const = default;
};

/// The event type in a store.
inline constexpr QLatin1String toolCallFinishedType("tool.finished");

/// Only the `data` part of that event, as compact JSON; it contains `retries`.
[[nodiscard]] REKINDLE_POLICY_EXPORT QByteArray toJson(const ToolCallFinished &call);

} // namespace Rekindle
