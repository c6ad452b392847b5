// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/agenthealthstatus.h>
#include <rekindle/policy/enums.h>
#include <rekindle/policy/failure.h>
#include <rekindle/policy/holdcause.h>
#include <rekindle/policy/qmlvalue.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/policy/timepoint.h>

#include <QObject>
#include <QString>
#include <QStringList>
#include <QUuid>

#include <optional>
#include <variant>

namespace Rekindle {

/// The common part of all events: the instance, the time, and the position in the order of all
/// events of one evaluator. Sequence numbers start at 1 and have no gaps. An event is emitted, and
/// has a number, only if its signal or RestartPolicyEvaluator::lifecycleEvent() was ever connected.
struct EventHeader
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(QUuid instanceId MEMBER instanceId)
    Q_PROPERTY(QString agent MEMBER agent)
    Q_PROPERTY(quint64 sequence MEMBER sequence)
    REKINDLE_QML_PROPERTY(double, monotonicTime)
    REKINDLE_QML_PROPERTY(QDateTime, time)
    Q_PROPERTY(qint64 fencingToken MEMBER fencingToken)

public:
    QUuid instanceId{};
    QString agent{}; ///< the instance's name
    quint64 sequence = 0;
    Instant monotonicTime{};
    UtcTime time{};
    qint64 fencingToken = 0; ///< of an agent that this node of a fleet has acquired, otherwise 0

    bool operator==(const EventHeader &) const = default;
};

/// The agent was started. Emitted once for each start.
struct AgentStarted : EventHeader
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(quint64 generation MEMBER generation)
    Q_PROPERTY(qint64 processId MEMBER processId)

public:
    quint64 generation = 0;
    qint64 processId = 0; ///< 0 if the agent is not a process
    bool operator==(const AgentStarted &) const = default;
};

/// The agent is ready.
struct AgentReady : EventHeader
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(quint64 generation MEMBER generation)
    REKINDLE_QML_PROPERTY(double, duration)

public:
    quint64 generation = 0;
    Duration duration{0}; ///< start to ready
    bool operator==(const AgentReady &) const = default;
};

/// The agent has been ready for `stableAfter`. The sequence ends; attempts and breaker count from
/// 0.
struct AgentStable : EventHeader
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(quint64 generation MEMBER generation)

public:
    quint64 generation = 0;
    bool operator==(const AgentStable &) const = default;
};

/// The agent exited cleanly or was stopped.
struct AgentStopped : EventHeader
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(quint64 generation MEMBER generation)
    Q_PROPERTY(QString reason MEMBER reason)

public:
    quint64 generation = 0;
    /// Passed to stop(), such as "dependency db (Failed) is down"; "finished" if the agent has
    /// exited by itself without a failure; or empty.
    QString reason{};
    bool operator==(const AgentStopped &) const = default;
};

/// The agent failed. `reason` is the category of the failure.
struct AgentFailed : EventHeader
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(quint64 generation MEMBER generation)
    Q_PROPERTY(Rekindle::FailureReason reason MEMBER reason)
    Q_PROPERTY(Rekindle::FailureDetail detail MEMBER detail)
    Q_PROPERTY(bool collateral MEMBER collateral)

public:
    quint64 generation = 0;
    FailureReason reason = FailureReason::Unknown;
    FailureDetail detail{};
    bool collateral = false; ///< it counts toward no limit, because other agents are the cause
    bool operator==(const AgentFailed &) const = default;
};

/// The health state or the number of consecutive probe failures has changed. A new start sets it to
/// Unknown.
struct HealthChanged : EventHeader
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(quint64 generation MEMBER generation)
    Q_PROPERTY(Rekindle::AgentHealthStatus::State oldState MEMBER oldState)
    Q_PROPERTY(Rekindle::AgentHealthStatus health MEMBER health)

public:
    quint64 generation = 0;
    AgentHealthStatus::State oldState = AgentHealthStatus::State::Unknown;
    AgentHealthStatus health{}; ///< the current health; its history is not written to JSON
    bool operator==(const HealthChanged &) const = default;
};

/// A restart was requested (exit code 42, a tool, an operator). It is no failure and no attempt.
struct RestartRequested : EventHeader
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(QString reason MEMBER reason)

public:
    QString reason{};
    bool operator==(const RestartRequested &) const = default;
};

/// A restart is due at `scheduledAt`. Emitted again if this time changes.
struct RestartScheduled : EventHeader
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(int attemptNumber MEMBER attemptNumber)
    REKINDLE_QML_PROPERTY(QVariant, maxAttempts)
    REKINDLE_QML_PROPERTY(double, delay)
    REKINDLE_QML_PROPERTY(double, calculatedDelay)
    REKINDLE_QML_PROPERTY(QDateTime, scheduledAt)
    Q_PROPERTY(Rekindle::FailureReason failureReason MEMBER failureReason)
    Q_PROPERTY(bool trial MEMBER trial)

public:
    int attemptNumber = 0;
    std::optional<int> maxAttempts{}; ///< empty: unlimited
    Duration delay{0};                ///< after jitter and minInterval
    Duration calculatedDelay{0};      ///< before jitter
    UtcTime scheduledAt{};            ///< when it is due
    FailureReason failureReason = FailureReason::Unknown;
    bool trial = false; ///< whether it is the half-open trial of the circuit breaker
    bool operator==(const RestartScheduled &) const = default;
};

/// A scheduled restart has begun.
struct RestartStarted : EventHeader
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(int attemptNumber MEMBER attemptNumber)
    REKINDLE_QML_PROPERTY(QDateTime, startedAt)
    REKINDLE_QML_PROPERTY(double, lateness)

public:
    int attemptNumber = 0;
    UtcTime startedAt{};
    Duration lateness{0}; ///< after the time at which it was due
    bool operator==(const RestartStarted &) const = default;
};

/// The restarted agent is ready.
struct RestartSucceeded : EventHeader
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(int attemptNumber MEMBER attemptNumber)
    REKINDLE_QML_PROPERTY(double, duration)
    REKINDLE_QML_PROPERTY(QDateTime, completedAt)

public:
    int attemptNumber = 0;
    Duration duration{0}; ///< start to ready
    UtcTime completedAt{};
    bool operator==(const RestartSucceeded &) const = default;
};

/// A restart failed: the agent failed before it was ready.
struct RestartFailed : EventHeader
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(int attemptNumber MEMBER attemptNumber)
    Q_PROPERTY(Rekindle::FailureReason failureReason MEMBER failureReason)
    Q_PROPERTY(bool willRetry MEMBER willRetry)
    REKINDLE_QML_PROPERTY(QVariant, nextRetryDelay)

public:
    int attemptNumber = 0;
    FailureReason failureReason = FailureReason::Unknown;
    bool willRetry = false;
    std::optional<Duration> nextRetryDelay{}; ///< until the next attempt or the half-open trial
    bool operator==(const RestartFailed &) const = default;
};

/// The policy permits no further restart. The agent stays down until it is started again.
struct RestartExhausted : EventHeader
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(int totalAttempts MEMBER totalAttempts)
    REKINDLE_QML_PROPERTY(double, totalDuration)
    REKINDLE_QML_PROPERTY(QDateTime, abandonedAt)

public:
    int totalAttempts = 0;
    Duration totalDuration{0}; ///< since the first failure of the sequence
    UtcTime abandonedAt{};
    bool operator==(const RestartExhausted &) const = default;
};

/// The agent has failed, and no restart follows. It stays down until it is started, or until its
/// policy or the license tier changes.
struct RestartDeclined : EventHeader
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")
    Q_PROPERTY(Cause cause MEMBER cause)
    Q_PROPERTY(Rekindle::FailureReason failureReason MEMBER failureReason)

public:
    enum class Cause {
        Policy,           ///< the type of the policy is none
        PermanentFailure, ///< the policy does not retry this failure
        Evaluator,        ///< the custom evaluator refused
        License,          ///< the license tier permits no restarts
    };
    Q_ENUM(Cause)

    Cause cause = Cause::Policy;
    FailureReason failureReason = FailureReason::Unknown;
    bool operator==(const RestartDeclined &) const = default;
};

/// A restart was canceled: it was scheduled, or its agent was not ready yet.
struct RestartCancelled : EventHeader
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(int attemptNumber MEMBER attemptNumber)

public:
    int attemptNumber = 0; ///< 0: it was a requested restart
    bool operator==(const RestartCancelled &) const = default;
};

/// The circuit breaker of the instance opened, closed or became half-open.
struct CircuitBreakerStateChanged : EventHeader
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(Rekindle::CircuitBreakerState oldState MEMBER oldState)
    Q_PROPERTY(Rekindle::CircuitBreakerState newState MEMBER newState)
    REKINDLE_QML_PROPERTY(QDateTime, changedAt)
    REKINDLE_QML_PROPERTY(QVariant, resetDelay)
    Q_PROPERTY(bool restored MEMBER restored)

public:
    CircuitBreakerState oldState = CircuitBreakerState::Closed;
    CircuitBreakerState newState = CircuitBreakerState::Closed;
    UtcTime changedAt{};
    std::optional<Duration> resetDelay{}; ///< until half-open, if it opened and is not isolated
    bool restored = false;                ///< restored from an earlier host, not a change now
    bool operator==(const CircuitBreakerStateChanged &) const = default;
};

/// The license tier does not permit the agent's policy. A weaker type is used until the tier or the
/// policy changes.
struct PolicyDowngraded : EventHeader
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(QString tier MEMBER tier)
    Q_PROPERTY(Rekindle::RestartPolicyType requestedType MEMBER requestedType)
    Q_PROPERTY(Rekindle::RestartPolicyType effectiveType MEMBER effectiveType)

public:
    QString tier{}; ///< current: "Core", "WriterPro", "Teams" or "Enterprise"
    RestartPolicyType requestedType = RestartPolicyType::None;
    RestartPolicyType effectiveType = RestartPolicyType::None;
    bool operator==(const PolicyDowngraded &) const = default;
};

/// A line of output, only for agents with AgentMonitor::setOutputEvents(), which also limits the
/// number of lines. A line that was read before the agent failed is emitted before AgentFailed. If
/// the agent did not become ready in time, the last line that the limit held back is emitted at its
/// exit.
struct AgentOutput : EventHeader
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")
    Q_PROPERTY(quint64 generation MEMBER generation)
    Q_PROPERTY(Stream stream MEMBER stream)
    Q_PROPERTY(QString line MEMBER line)
    Q_PROPERTY(bool cut MEMBER cut)
    Q_PROPERTY(quint64 dropped MEMBER dropped)

public:
    enum class Stream { Output, Error };
    Q_ENUM(Stream)

    /// Limit of `line` in bytes as written by the agent. The log contains longer lines completely.
    static constexpr qsizetype longestLine = 4096;

    quint64 generation = 0;
    Stream stream = Stream::Output;
    QString line{};      ///< without the line end; invalid UTF-8 is replaced
    bool cut = false;    ///< truncated to `longestLine`
    quint64 dropped = 0; ///< lines of this agent before this one that were not emitted

    bool operator==(const AgentOutput &) const = default;
};

/// A client of the host requested an operation on the agent (`rekindle stop`, the control
/// protocol). Emitted before the events of its effects, also if it has no effect in the state of
/// the agent.
struct OperatorAction : EventHeader
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(QString request MEMBER request)
    Q_PROPERTY(QString reason MEMBER reason)
    Q_PROPERTY(qint64 userId MEMBER userId)
    Q_PROPERTY(qint64 clientProcessId MEMBER clientProcessId)
    Q_PROPERTY(QString program MEMBER program)
    Q_PROPERTY(QString sharedBreaker MEMBER sharedBreaker)

public:
    QString request{};          ///< the method of the protocol: "agents.stop", "breaker.reset", ...
    QString reason{};           ///< given by the client; may be empty
    qint64 userId = 0;          ///< of the client
    qint64 clientProcessId = 0; ///< the process that connected to the host
    QString program{};          ///< its executable; empty if unknown
    QString sharedBreaker{};    ///< that the request is for; empty if it is for the agent
    bool operator==(const OperatorAction &) const = default;
};

/// A changed configuration was applied to the agent. Agents without a change have no such event.
struct ConfigurationApplied : EventHeader
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")
    Q_PROPERTY(Change change MEMBER change)
    Q_PROPERTY(QStringList parts MEMBER parts)

public:
    enum class Change {
        Added,
        Removed,   ///< the agent is stopped and then removed
        Restarted, ///< the running agent is replaced
        Updated,   ///< without a restart
    };
    Q_ENUM(Change)

    Change change = Change::Updated;
    QStringList parts{}; ///< what changed: "process", "policy", "health", "options"; empty if added
                         ///< or removed
    bool operator==(const ConfigurationApplied &) const = default;
};

/// A start has become due and is held back, or the reasons have changed since then. No event
/// marks the end of the hold: RestartStarted or AgentStarted follows.
struct StartHeld : EventHeader
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(Rekindle::Holds holds MEMBER holds)
    REKINDLE_QML_PROPERTY(QVariantList, causes)

public:
    Holds holds{};             ///< never empty
    QList<HoldCause> causes{}; ///< one for each hold
    bool operator==(const StartHeld &) const = default;
};

/// The agent has failed, and its group restarts its members. For a group in a group, the agent is
/// its first one.
struct GroupRestarting : EventHeader
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(QString group MEMBER group)
    Q_PROPERTY(Rekindle::GroupStrategy strategy MEMBER strategy)
    Q_PROPERTY(QStringList members MEMBER members)

public:
    QString group{};
    GroupStrategy strategy = GroupStrategy::OneForOne;
    QStringList members{}; ///< the agents that are restarted, in the order of starts
    bool operator==(const GroupRestarting &) const = default;
};

/// The group has given up, because the agent has failed once too often or is not restarted anymore.
/// For a group in a group, the agent is its first one.
struct GroupExhausted : EventHeader
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(QString group MEMBER group)
    Q_PROPERTY(QStringList members MEMBER members)

public:
    QString group{};
    QStringList members{}; ///< its agents, in the order of starts
    bool operator==(const GroupExhausted &) const = default;
};

/// A circuit breaker that agents share opened, closed or became half-open. The agent is the one
/// whose failure or start is the reason, or, if there is none, the first one that requires the
/// breaker.
struct SharedBreakerStateChanged : EventHeader
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(QString breaker MEMBER breaker)
    Q_PROPERTY(Rekindle::CircuitBreakerState oldState MEMBER oldState)
    Q_PROPERTY(Rekindle::CircuitBreakerState newState MEMBER newState)
    REKINDLE_QML_PROPERTY(QVariant, resetDelay)
    Q_PROPERTY(bool restored MEMBER restored)

public:
    QString breaker{};
    CircuitBreakerState oldState = CircuitBreakerState::Closed;
    CircuitBreakerState newState = CircuitBreakerState::Closed;
    std::optional<Duration>
        resetDelay{};      ///< until the next trial, if it opened and is not isolated
    bool restored = false; ///< restored from an earlier host, not a change now
    bool operator==(const SharedBreakerStateChanged &) const = default;
};

/// Any event. Events stay typed inside the process; toCloudEvent() converts them to text.
using LifecycleEvent =
    std::variant<AgentStarted, AgentReady, AgentStable, AgentStopped, AgentFailed, RestartRequested,
                 RestartScheduled, RestartStarted, RestartSucceeded, RestartFailed,
                 RestartExhausted, RestartCancelled, CircuitBreakerStateChanged, StartHeld,
                 RestartDeclined, PolicyDowngraded, HealthChanged, AgentOutput, OperatorAction,
                 ConfigurationApplied, GroupRestarting, GroupExhausted, SharedBreakerStateChanged>;

/// The common part of any event.
[[nodiscard]] REKINDLE_POLICY_EXPORT const EventHeader &header(const LifecycleEvent &event);

/// The type of the event without prefix and version: "restart.scheduled", "circuit.changed", ...
[[nodiscard]] REKINDLE_POLICY_EXPORT QString eventType(const LifecycleEvent &event);

/// All values of eventType(), in the order of LifecycleEvent.
[[nodiscard]] REKINDLE_POLICY_EXPORT QStringList eventTypes();

/// One line of CloudEvents 1.0 JSON without the line end; `source` is "urn:uuid:<run id>".
/// Invalid Unicode in strings is replaced. Thread-safe.
[[nodiscard]] REKINDLE_POLICY_EXPORT QByteArray toCloudEvent(const LifecycleEvent &event,
                                                             const QString &source);

/// Appends the same to `out`, which can be reused for the next event.
REKINDLE_POLICY_EXPORT void appendCloudEvent(QByteArray &out, const LifecycleEvent &event,
                                             const QString &source);

/// Only the `data` part, as compact JSON.
[[nodiscard]] REKINDLE_POLICY_EXPORT QByteArray eventToJson(const LifecycleEvent &event);

/// Reads the result of eventToJson(), for example from a telemetry store. `type` is the
/// result of eventType(). Members that are missing or faulty keep their defaults. Not part of the
/// JSON are EventHeader::time, FailureDetail::permanent, HoldCause::isTransient, and the history of
/// HealthChanged except the name of the latest probe. Returns nothing if the type is unknown or
/// the JSON is no object. Thread-safe.
[[nodiscard]] REKINDLE_POLICY_EXPORT std::optional<LifecycleEvent>
eventFromJson(const QString &type, const QByteArray &json);

} // namespace Rekindle
