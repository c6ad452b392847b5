// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/lifecycleevent.h>

#include <QByteArray>
#include <QList>
#include <QMetaType>
#include <QString>
#include <QStringView>

#include <optional>

namespace Rekindle {

/// What ended a call of a tool (spec 9).
enum class ToolCallEnd {
    Answered,          ///< the tool has answered, perhaps that it has failed
    AttemptsExhausted, ///< the last attempt that was allowed has failed too
    DeadlineExceeded,  ///< its time was over, or the next wait would have left none
    NotRetryable,      ///< it failed in a way that must not or need not be tried again
    BreakerOpen,       ///< the tool's circuit breaker lets no call pass
    Cancelled,         ///< by the caller
};

/// The name, for example "DeadlineExceeded".
[[nodiscard]] REKINDLE_POLICY_EXPORT QString toText(ToolCallEnd end);
/// The end of that exact name, or nothing.
[[nodiscard]] REKINDLE_POLICY_EXPORT std::optional<ToolCallEnd>
toolCallEndFromString(QStringView name);

/// One try of a call.
struct ToolCallAttempt
{
    Duration delay{0};           ///< waited before it, as the policy has it
    Duration begun{0};           ///< since the call began
    Duration waitedForServer{0}; ///< of its duration: until there was a server
    Duration duration{0};        ///< from its begin to its end

    /// Empty where the tool has answered; "ToolError" where it says that it has failed; else the
    /// name of the error's kind, for example "Lost".
    QString failure{};
    QString message{}; ///< of a failure, one sentence for people
    int code = 0;      ///< of a failure "Refused": JSON-RPC's

    bool operator==(const ToolCallAttempt &) const = default;
};

/// A call of a tool has come to its end (spec 5, 9). `agent` is the server's name, `sequence`
/// counts the calls of one caller that have ended; the time is that of the end.
struct ToolCallFinished : EventHeader
{
    quint64 call = 0; ///< its number among the calls of one caller, as its signals have it
    QString tool{};
    ToolCallEnd end = ToolCallEnd::Answered;
    Duration duration{0};              ///< of the whole call, all attempts and waits
    QList<ToolCallAttempt> attempts{}; ///< none where it was refused before its first attempt

    QString failure{}; ///< what came of it at last, as in an attempt
    QString message{};

    CircuitBreakerState breaker = CircuitBreakerState::Closed; ///< after it
    bool breakerOpened = false;                                ///< by this call

    /// How often it was tried again.
    [[nodiscard]] int retries() const { return qMax(0, static_cast<int>(attempts.size()) - 1); }

    bool operator==(const ToolCallFinished &) const = default;
};

/// Its type among the events of a store.
inline constexpr QLatin1String toolCallFinishedType("tool.finished");

/// The `data` part of that event alone, as compact JSON; `retries` stands for itself in it.
[[nodiscard]] REKINDLE_POLICY_EXPORT QByteArray toJson(const ToolCallFinished &call);

} // namespace Rekindle

Q_DECLARE_METATYPE(Rekindle::ToolCallAttempt)
Q_DECLARE_METATYPE(Rekindle::ToolCallFinished)
