// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/enums.h>
#include <rekindle/policy/lifecycleevent.h>
#include <rekindle/policy/qmlvalue.h>

#include <QByteArray>
#include <QList>
#include <QObject>
#include <QString>
#include <QStringView>

#include <optional>

namespace Rekindle {

/// One attempt of a call.
struct ToolCallAttempt
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    REKINDLE_QML_PROPERTY(double, delay)
    REKINDLE_QML_PROPERTY(double, begun)
    REKINDLE_QML_PROPERTY(double, waitedForServer)
    REKINDLE_QML_PROPERTY(double, duration)
    Q_PROPERTY(QString failure MEMBER failure)
    Q_PROPERTY(QString message MEMBER message)
    Q_PROPERTY(int code MEMBER code)

public:
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
/// one caller, and the time is when the call ended.
struct ToolCallFinished : EventHeader
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(quint64 call MEMBER call)
    Q_PROPERTY(QString tool MEMBER tool)
    Q_PROPERTY(Rekindle::ToolCallEnd end MEMBER end)
    REKINDLE_QML_PROPERTY(double, duration)
    REKINDLE_QML_PROPERTY(QVariantList, attempts)
    Q_PROPERTY(QString failure MEMBER failure)
    Q_PROPERTY(QString message MEMBER message)
    Q_PROPERTY(Rekindle::CircuitBreakerState breaker MEMBER breaker)
    Q_PROPERTY(bool breakerOpened MEMBER breakerOpened)

public:
    quint64 call = 0; ///< its number among the calls of one caller, as in the signals of the caller
    QString tool{};
    ToolCallEnd end = ToolCallEnd::Answered;
    Duration duration{0};              ///< of the whole call, all attempts and waits
    QList<ToolCallAttempt> attempts{}; ///< empty if it was refused before the first attempt

    QString failure{}; ///< the final result, as in an attempt
    QString message{};

    QString traceParent{}; ///< `_meta.traceparent` of the request; empty without a trace context

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
