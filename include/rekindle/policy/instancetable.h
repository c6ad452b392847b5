// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/instance.h>
#include <rekindle/policy/lifecycleevent.h>
#include <rekindle/policy/restartdecision.h>

#include <array>
#include <memory>

namespace Rekindle {

struct InstanceMemory;

/// One input, with what it carries.
struct InstanceInput
{
    InputKind kind = InputKind::Start;
    quint64 generation = 0; ///< of an agent's report or a verdict: the start that it refers to

    const Failure *failure = nullptr; ///< of Failed and Unhealthy, which require it

    Duration extension{0}; ///< of ExtendStart: the time until ready, from now on

    /// Of Ready and Deadline: the last probe failure of the instance, in any start.
    std::optional<Instant> probeFailedAt{};

    std::shared_ptr<const RestartPolicy> policy{}; ///< of ChangePolicy
    bool gated = false;

    EvaluatorVerdict verdict{}; ///< of Verdict

    Holds holds{}; ///< of AddHolds, LiftHolds, GroupStop and Refund

    bool byHost = false; ///< of Start, Stop and Restart: not by an operator

    /// Of Resume: the state when the earlier host exited, in the time of this host. If null, the
    /// agent is started.
    const InstanceMemory *memory = nullptr;
};

/// One event to emit, without what the instance itself contains.
struct InstanceEvent
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")

public:
    /// In the order of LifecycleEvent.
    enum class Kind {
        AgentStarted,
        AgentReady,
        AgentStable,
        AgentStopped,
        AgentFailed,
        RestartRequested,
        RestartScheduled,
        RestartStarted,
        RestartSucceeded,
        RestartFailed,
        RestartExhausted,
        RestartCancelled,
        CircuitBreakerStateChanged,
        StartHeld,
        RestartDeclined,
    };
    Q_ENUM(Kind)
    Kind kind = Kind::AgentStarted;
    int attempt = 0;
    Duration duration{0};            ///< start to ready, lateness or total duration, by kind
    std::optional<Duration> delay{}; ///< until the next attempt, or until half-open
    Duration calculatedDelay{0};     ///< before jitter
    bool willRetry = false;
    bool trial = false; ///< of RestartScheduled: whether it is the half-open trial
    RestartDeclined::Cause cause = RestartDeclined::Cause::Policy;
    CircuitBreakerState oldState = CircuitBreakerState::Closed;
    CircuitBreakerState newState = CircuitBreakerState::Closed;
    Holds holds{};
    bool restored = false;   ///< of the breaker: restored by Resume, not a change now
    bool collateral = false; ///< of AgentFailed: it counts toward no limit

    bool operator==(const InstanceEvent &) const = default;
};

/// The result of an input: the events to emit, in order, and the actions that follow them.
struct Outcome
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")

public:
    enum class Stop {
        No,
        InOrder, ///< Agent::stop()
        AtOnce,  ///< Agent::kill()
    };
    Q_ENUM(Stop)

    std::array<InstanceEvent, 8> events;
    int eventCount = 0;

    bool launch = false;   ///< request a launch from the supervisor
    Stop stop = Stop::No;  ///< stop the running process
    bool evaluate = false; ///< request a Verdict from the custom evaluator
    bool stale = false;    ///< report or verdict of an older generation; nothing has changed
    bool refused = false;  ///< Launch that is held or not due, or too many requests; nothing has
                           ///< changed
    bool ignored = false;  ///< the input has no effect in this state

    bool failed = false;      ///< the agent failed: the first event is AgentFailed
    bool decided = false;     ///< the policy made a decision
    RestartDecision decision; ///< if decided; with `evaluate`: the built-in decision
};

/// The state machine of an instance: one table of inputs and states in which every pair is written
/// down (src/policy/table/instancetable.cpp). AddHolds and LiftHolds have the same effect in every
/// state. It is pure: it reads no clock, starts no timer, emits no signal, and allocates nothing
/// while it handles a failure.
namespace InstanceTable {

/// Applies one input. `draw` is uniform in [0, 1).
REKINDLE_POLICY_EXPORT Outcome apply(Instance &instance, const InstanceInput &input, Instant now,
                                     double draw);

/// The timeout of a custom evaluator's answer.
inline constexpr Duration evaluatorBudget = std::chrono::seconds(1);

} // namespace InstanceTable
} // namespace Rekindle
