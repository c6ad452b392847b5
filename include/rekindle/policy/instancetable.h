// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/instance.h>
#include <rekindle/policy/restartdecision.h>

#include <array>
#include <memory>

namespace Rekindle {

struct InstanceMemory;

/// What can happen to an instance: a closed set.
enum class InputKind {
    Start,           ///< operator: run it
    Stop,            ///< operator: end it, cancel what is planned
    RetryNow,        ///< operator: do not wait any longer
    Restart,         ///< operator: end it and run it again
    ResetBreaker,    ///< operator: close the breaker, start what waits for it
    IsolateBreaker,  ///< operator: hold the breaker open
    ReleaseBreaker,  ///< operator: end the isolation
    ChangePolicy,    ///< another policy, or another licence tier
    Launch,          ///< supervisor: the planned start happens now
    Started,         ///< agent: it runs
    Ready,           ///< agent: it can work
    Failed,          ///< agent: it has ended with a failure
    Wedged,          ///< monitor: it has failed and is still alive
    Ended,           ///< agent: it has ended without a failure
    EndedForRestart, ///< agent: it has ended and asks to be started anew (exit 42)
    RequestRestart,  ///< agent, tool: start it anew; it is still alive
    Deadline,        ///< scheduler: the instance's deadline is due
    Verdict,         ///< custom evaluator: its answer
    Proven,          ///< host: it works, which is as good as stable
    Resume,          ///< host: it has begun anew, and goes on from what it remembers
};
inline constexpr int inputKindCount = 20;

/// One input, with what it carries.
struct InstanceInput
{
    InputKind kind = InputKind::Start;
    quint64 generation = 0; ///< of an agent's report or a verdict: the start that it speaks of

    FailureReason reason = FailureReason::Unknown; ///< of Failed and Wedged
    std::optional<int> exitCode{};
    bool permanent = false;

    std::shared_ptr<const RestartPolicy> policy{}; ///< of ChangePolicy
    bool gated = false;

    EvaluatorVerdict verdict{}; ///< of Verdict

    /// Of Resume: as it was when the host ended, in this host's time. Null: nothing is remembered,
    /// and it is started.
    const InstanceMemory *memory = nullptr;
};

/// One thing to tell, without what the instance itself knows.
struct InstanceEvent
{
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
    };
    Kind kind = Kind::AgentStarted;
    int attempt = 0;
    Duration duration{0};            ///< start to ready, lateness, total duration: by kind
    std::optional<Duration> delay{}; ///< until the next attempt, or until half-open
    Duration calculatedDelay{0};     ///< before jitter
    bool willRetry = false;
    CircuitBreakerState oldState = CircuitBreakerState::Closed;
    CircuitBreakerState newState = CircuitBreakerState::Closed;
    bool restored = false; ///< of the breaker: remembered, and nothing that happens now
};

/// What comes of an input: what to tell, in order, and what to do after that.
struct Outcome
{
    enum class Stop { No, InOrder, AtOnce };

    std::array<InstanceEvent, 8> events;
    int eventCount = 0;

    bool launch = false;       ///< ask the supervisor to launch it, as soon as it can
    Stop stop = Stop::No;      ///< end the running process
    bool askEvaluator = false; ///< ask the custom evaluator; answer with Verdict
    bool stale = false;        ///< report or verdict of an older generation; nothing has changed
    bool refused = false;      ///< Launch without a plan, or a request too many; nothing changed

    bool decided = false;
    RestartDecision decision; ///< where decided; with askEvaluator: what it is asked about
};

/// The state machine of an instance: one table, state x input, every pair written down
/// (src/policy/instancetable.cpp). Pure: it reads no clock, starts no
/// timer, emits no signal, and allocates nothing on the way of a failure.
namespace InstanceTable {

/// Applies one input. `draw` is uniform in [0, 1).
REKINDLE_POLICY_EXPORT Outcome apply(Instance &instance, const InstanceInput &input, Instant now,
                                     double draw);

/// The name of the rule in one cell, "-" where nothing happens: for documents and tests.
[[nodiscard]] REKINDLE_POLICY_EXPORT QLatin1String ruleName(InstanceState state, InputKind input);

/// Time that a custom evaluator has for its answer.
inline constexpr Duration evaluatorBudget = std::chrono::seconds(1);

/// Requested restarts that are free of charge, within requestPeriod.
inline constexpr int freeRequests = 10;
inline constexpr Duration requestPeriod = std::chrono::seconds(60);

} // namespace InstanceTable
} // namespace Rekindle
