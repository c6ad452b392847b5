// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/agenthealthstatus.h>
#include <rekindle/policy/circuitbreaker.h>
#include <rekindle/policy/failure.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/policy/timepoint.h>

#include <QMetaType>
#include <QString>
#include <QUuid>

#include <optional>
#include <variant>

namespace Rekindle {

/// What every event tells: which instance, when, and its place in the order of all events of one
/// evaluator. Sequence numbers start at 1 and have no gaps (spec 5).
struct EventHeader
{
    QUuid instanceId{};
    QString agent{}; ///< the instance's name
    quint64 sequence = 0;
    Instant monotonicTime{};
    UtcTime time{};

    bool operator==(const EventHeader &) const = default;
};

/// A start has begun; every start has one.
struct AgentStarted : EventHeader
{
    quint64 generation = 0;
    qint64 processId = 0; ///< 0 where the agent is no process
    bool operator==(const AgentStarted &) const = default;
};

/// The agent can work.
struct AgentReady : EventHeader
{
    quint64 generation = 0;
    Duration duration{0}; ///< start to ready
    bool operator==(const AgentReady &) const = default;
};

/// Ready for `stableAfter`: the sequence has ended, attempts and breaker count from zero.
struct AgentStable : EventHeader
{
    quint64 generation = 0;
    bool operator==(const AgentStable &) const = default;
};

/// The agent has ended, cleanly or because it was asked to.
struct AgentStopped : EventHeader
{
    quint64 generation = 0;
    bool operator==(const AgentStopped &) const = default;
};

struct AgentFailed : EventHeader
{
    quint64 generation = 0;
    FailureReason reason = FailureReason::Unknown;
    FailureDetail detail{};
    bool operator==(const AgentFailed &) const = default;
};

/// What the health probes say is another state than before, or another number of misses in a row
/// (spec 5, 6). A new start makes it Unknown.
struct HealthChanged : EventHeader
{
    quint64 generation = 0;
    AgentHealthStatus::State oldState = AgentHealthStatus::State::Unknown;
    AgentHealthStatus health{}; ///< as it is now; its history stays out of the JSON
    bool operator==(const HealthChanged &) const = default;
};

/// A restart was asked for (exit code 42, a tool, an operator): no failure, no attempt.
struct RestartRequested : EventHeader
{
    QString reason{};
    bool operator==(const RestartRequested &) const = default;
};

struct RestartScheduled : EventHeader
{
    int attemptNumber = 0;
    std::optional<int> maxAttempts{}; ///< nothing: unlimited
    Duration delay{0};                ///< final, after jitter and minInterval
    Duration calculatedDelay{0};      ///< before jitter
    UtcTime scheduledAt{};            ///< when it is due
    FailureReason failureReason = FailureReason::Unknown;
    bool operator==(const RestartScheduled &) const = default;
};

struct RestartStarted : EventHeader
{
    int attemptNumber = 0;
    UtcTime startedAt{};
    Duration lateness{0}; ///< past the moment at which it was due
    bool operator==(const RestartStarted &) const = default;
};

struct RestartSucceeded : EventHeader
{
    int attemptNumber = 0;
    Duration duration{0}; ///< start to ready
    UtcTime completedAt{};
    bool operator==(const RestartSucceeded &) const = default;
};

struct RestartFailed : EventHeader
{
    int attemptNumber = 0;
    FailureReason failureReason = FailureReason::Unknown;
    bool willRetry = false;
    std::optional<Duration>
        nextRetryDelay{}; ///< until the next attempt or until the breaker's probe
    bool operator==(const RestartFailed &) const = default;
};

struct RestartExhausted : EventHeader
{
    int totalAttempts = 0;
    Duration totalDuration{0}; ///< since the first failure of the sequence
    UtcTime abandonedAt{};
    bool operator==(const RestartExhausted &) const = default;
};

/// What was scheduled, or had started and was not ready yet, will not be finished.
struct RestartCancelled : EventHeader
{
    int attemptNumber = 0; ///< 0: it was a requested restart
    bool operator==(const RestartCancelled &) const = default;
};

struct CircuitBreakerStateChanged : EventHeader
{
    CircuitBreakerState oldState = CircuitBreakerState::Closed;
    CircuitBreakerState newState = CircuitBreakerState::Closed;
    UtcTime changedAt{};
    std::optional<Duration> resetDelay{}; ///< where it opened, unless isolated: until half-open
    bool restored = false; ///< nothing has tripped now: so it was when an earlier host ended
    bool operator==(const CircuitBreakerStateChanged &) const = default;
};

/// The licence tier does not have what the agent's policy asks for (spec 7): another, weaker type
/// is in force until the tier or the policy changes.
struct PolicyDowngraded : EventHeader
{
    QString tier{}; ///< in force: "Core", "WriterPro", "Teams" or "Enterprise"
    RestartPolicyType requestedType = RestartPolicyType::None;
    RestartPolicyType effectiveType = RestartPolicyType::None;
    bool operator==(const PolicyDowngraded &) const = default;
};

/// A line that the agent has written (spec 5): only of agents for which it was asked, see
/// AgentMonitor::setOutputEvents(), which also bounds how many there are. A line that was read
/// before the agent failed comes before AgentFailed; only where it took too long to start, the one
/// that the bound held back to the last comes with its end.
struct AgentOutput : EventHeader
{
    enum class Stream { Output, Error };

    /// Of `line`, in bytes as the agent wrote them. What is longer is in its log, not in an event.
    static constexpr qsizetype longestLine = 4096;

    quint64 generation = 0;
    Stream stream = Stream::Output;
    QString line{};      ///< without its end; what is no valid UTF-8 is mended
    bool cut = false;    ///< it was longer than `longestLine`, and this is its beginning
    quint64 dropped = 0; ///< lines of this agent before this one that no event tells of

    bool operator==(const AgentOutput &) const = default;
};

/// Any event. In process it stays typed; it becomes text at the edge (toCloudEvent()).
using LifecycleEvent =
    std::variant<AgentStarted, AgentReady, AgentStable, AgentStopped, AgentFailed, RestartRequested,
                 RestartScheduled, RestartStarted, RestartSucceeded, RestartFailed,
                 RestartExhausted, RestartCancelled, CircuitBreakerStateChanged, PolicyDowngraded,
                 HealthChanged, AgentOutput>;

/// The part that every event has.
[[nodiscard]] REKINDLE_POLICY_EXPORT const EventHeader &header(const LifecycleEvent &event);

/// The event's type without prefix and version: "restart.scheduled", "circuit.changed", ...
[[nodiscard]] REKINDLE_POLICY_EXPORT QString eventType(const LifecycleEvent &event);

/// One line of CloudEvents 1.0 JSON without the line end; `source` is "urn:uuid:<run id>".
/// Strings that are no valid Unicode are mended, never refused. Thread-safe.
[[nodiscard]] REKINDLE_POLICY_EXPORT QByteArray toCloudEvent(const LifecycleEvent &event,
                                                             const QString &source);

/// The same at the end of `out`, which is best kept for the next event: then nothing is allocated.
REKINDLE_POLICY_EXPORT void appendCloudEvent(QByteArray &out, const LifecycleEvent &event,
                                             const QString &source);

/// The `data` part alone, as compact JSON.
[[nodiscard]] REKINDLE_POLICY_EXPORT QByteArray eventToJson(const LifecycleEvent &event);

} // namespace Rekindle

Q_DECLARE_METATYPE(Rekindle::LifecycleEvent)
