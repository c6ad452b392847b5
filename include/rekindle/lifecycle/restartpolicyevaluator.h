// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/agentsnapshot.h>
#include <rekindle/lifecycle/commandresult.h>
#include <rekindle/lifecycle/export.h>
#include <rekindle/lifecycle/lifecyclesignals.h>
#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/policy/circuitbreaker.h>
#include <rekindle/policy/instance.h>
#include <rekindle/policy/restartcontext.h>
#include <rekindle/policy/restartdecision.h>
#include <rekindle/policy/validation.h>

#include <QFuture>
#include <QObject>

#include <functional>
#include <memory>
#include <optional>

namespace Rekindle {

class CustomEvaluators;
class EvaluatorPort;
class FeatureGate;
class InstanceEngine;
struct InstanceMemory;

/// The results of a custom evaluator in shadow mode, for one instance.
struct ShadowTally
{
    quint64 answers = 0;
    quint64 disagreements = 0; ///< answers with another rule or delay than the built-in decision

    bool operator==(const ShadowTally &) const = default;
};

/// The effect of the license tier on a policy, for RestartPolicyEvaluator::setPolicy().
struct TierLimit
{
    bool gated = false; ///< the license is the reason that nothing is restarted
    /// Emitted before the effects of the policy. setPolicy() sets the header.
    std::optional<PolicyDowngraded> downgraded{};
};

/// What the agent of an instance does now.
struct InstanceStatus
{
    InstanceState state = InstanceState::Stopped;
    PlannedStart planned = PlannedStart::None;
    quint64 generation = 0;         ///< grows by one at every start
    bool alive = false;             ///< the exit of its process was not reported yet
    bool stoppedByOperator = false; ///< and not started since
    DependencyLevels levels{};
};

/// Decides whether and when a failed agent is restarted, schedules the restart, guards each
/// instance with a circuit breaker, and emits the events (S1 4.1). It handles policies, breakers
/// and time, but no agents: AgentSupervisor starts and stops them, and reports the results.
///
/// The state changes first; the events follow, in order. Any function may be called from any slot,
/// including remove(), and a slot may delete the evaluator. Events of such calls are emitted after
/// the pending ones. Unknown ids are ignored. Use the object from its own thread.
class REKINDLE_LIFECYCLE_EXPORT RestartPolicyEvaluator : public LifecycleSignals
{
    Q_OBJECT

public:
    /// Returns a random number, uniform in [0, 1), for the jitter of an instance. The id is null in
    /// calculateDelay().
    using RandomSource = std::function<double(const QUuid &instanceId)>;

    /// `scheduler` must outlive the evaluator. Without `random`, the system's random source seeds a
    /// generator.
    explicit RestartPolicyEvaluator(Scheduler &scheduler, RandomSource random = {},
                                    QObject *parent = nullptr);
    ~RestartPolicyEvaluator() override;

    /// Returns the faults that add() and setPolicy() would return for a policy: from validate()
    /// and from its custom evaluator. A policy with errors is rejected; warnings are permitted.
    [[nodiscard]] QList<Fault> check(const RestartPolicy &policy, bool readyAtOnce = false) const;

    /// Adds an instance in state Stopped. Returns the faults of the policy; if there is an error,
    /// nothing changes. A null id or an id that exists is also an error. Set `readyAtOnce` if the
    /// agent is ready as soon as it is started (see validate()).
    QList<Fault> add(const QUuid &instanceId, const QString &name, const RestartPolicy &policy,
                     bool readyAtOnce = false);

    /// Removes an instance; no further events of it are emitted.
    void remove(const QUuid &instanceId);
    [[nodiscard]] bool contains(const QUuid &instanceId) const;

    /// Decides about one failure of a unit that the caller restarts itself (S1 4.1), as it decides
    /// about the failure of an instance. Its id must not be an added instance. Schedules no start.
    /// If the context states that the breaker is open, the decision is never a restart.
    ///
    /// - The policy is limited by the license tier of setFeatureGate(); a downgrade is emitted.
    /// - The failure is counted in a breaker of that id, which remove() removes. When its reset
    ///   time has passed, the breaker becomes half-open: the caller's next restart is the trial.
    ///   recordSuccess() closes it, and the next failure opens it again.
    /// - `window` and `minInterval` of the policy have no effect: they limit starts, and the caller
    ///   does not report when it starts the unit.
    /// - A custom evaluator is requested. Without one, the future is finished at once. Do not wait
    ///   for it in this thread: the answer arrives from the event loop.
    ///
    /// Emits decided(), and for a change of the breaker circuitBreakerStateChanged() and
    /// lifecycleEvent(), with an empty name. Canceling the future does not undo anything. The
    /// future has no result and is canceled if remove() or the next failure of the id precedes the
    /// answer, or if the context's currentAttempt is negative. The latter is also logged as
    /// critical.
    ///
    /// For an instance that was added, it returns what would be decided now without a custom
    /// evaluator. Nothing is counted, changed or emitted.
    QFuture<RestartDecision> evaluate(const RestartContext &context);

    /// Limits the policies of evaluate() by the license tier. Without a gate, or with null, they
    /// are not limited. The gate may be deleted first. AgentSupervisor sets its own.
    void setFeatureGate(const FeatureGate *gate);

    /// Returns the delay before attempt n, with jitter by the next random number (S1 4.5); nothing
    /// if n is below 1.
    [[nodiscard]] std::optional<Duration> calculateDelay(const RestartPolicy &policy,
                                                         int attemptNumber);

    [[nodiscard]] CircuitBreakerInfo circuitBreakerState(const QUuid &instanceId) const;

    /// Operator: closes the breaker and begins the start that waits for it. Also for an id of
    /// evaluate().
    CommandResult resetCircuitBreaker(const QUuid &instanceId);
    /// Operator: permits no automatic restart until release, reset, start or restart. A running
    /// agent keeps running.
    CommandResult isolateCircuitBreaker(const QUuid &instanceId);
    CommandResult releaseCircuitBreaker(const QUuid &instanceId);

    /// Records a success, with the same effect as stable: ends the sequence and closes a half-open
    /// breaker. Also for an id of evaluate(). An added instance must be running or stopped: before
    /// it is ready and while it waits for a restart, a success is ignored.
    void recordSuccess(const QUuid &instanceId);

    // Operator commands. They take effect at once, and no limit applies to them (spec 3). Except in
    // a state that ignores them, these commands and the commands of the breaker above emit
    // operatorCommanded().
    /// `byHost`: no operator starts it, for example because the host begins. A LaunchGate may then
    /// delay the start.
    CommandResult start(const QUuid &instanceId, bool byHost = false);
    /// Stops the agent. resume() in the next host does not start an agent that an operator has
    /// stopped. `byHost`: no operator stops it, for example because the host exits. `reason` is
    /// reported by agentStopped() and snapshot().
    CommandResult stop(const QUuid &instanceId, bool byHost = false, const QString &reason = {});
    /// `byHost`: as in start(), for example because the configuration has changed.
    CommandResult restart(const QUuid &instanceId, const QString &reason, bool byHost = false);
    /// As start(), but it has no effect on an agent that runs without earlier restarts.
    CommandResult retryNow(const QUuid &instanceId);

    /// Continues an instance in state Stopped from the state that an earlier host stored (spec 11),
    /// instead of start(). A pending restart stays pending, an agent that ran is started with its
    /// counters, and an instance that is exhausted, failed or stopped by an operator keeps its
    /// state. The times in `memory` are times of this scheduler's clock.
    void resume(const QUuid &instanceId, const InstanceMemory &memory);

    /// Returns the state that resume() needs; nothing if the id is unknown.
    [[nodiscard]] std::optional<InstanceMemory> memory(const QUuid &instanceId) const;

    /// Replaces the policy of an instance. A pending restart is replanned from the time of its
    /// failure. Faults as with add(); if there is an error, nothing changes and nothing is emitted.
    QList<Fault> setPolicy(const QUuid &instanceId, const RestartPolicy &policy,
                           bool readyAtOnce = false, const TierLimit &limit = {});
    [[nodiscard]] RestartPolicy policy(const QUuid &instanceId) const;

    /// Sets the evaluators for policies of type custom (spec 7). They must live in this thread and
    /// may be deleted first. Without them, or with null, the base types decide. add() and
    /// setPolicy() then reject policies with faults of their evaluator; existing instances are not
    /// checked.
    void setCustomEvaluators(CustomEvaluators *evaluators);
    [[nodiscard]] ShadowTally shadowTally(const QUuid &instanceId) const;

    /// Holds the instance's starts back for these reasons until liftHolds(). A running agent keeps
    /// running. No attempt, start timeout or half-open trial begins before the launch.
    void addHolds(const QUuid &instanceId, Holds holds);
    /// Removes these reasons. If none is left and a start is due, the agent is launched.
    void liftHolds(const QUuid &instanceId, Holds holds);
    /// Returns the cause of a hold of an instance. Its member `hold` has no effect.
    using HoldCauseSource = std::function<HoldCause(const QUuid &instanceId)>;

    /// Sets the source of AgentSnapshot::holdCauses for one hold. Without a source, the text is the
    /// name of the hold. Called in this thread.
    void setHoldCauseSource(Hold hold, HoldCauseSource source);

    /// Emits an event of another source, for example the license, a health probe or the agent's
    /// output, in the order of all events. Sets its header.
    void announce(const QUuid &instanceId, LifecycleEvent event);

    [[nodiscard]] QString name(const QUuid &instanceId) const; ///< empty if the id is unknown
    [[nodiscard]] std::optional<InstanceState> state(const QUuid &instanceId) const;
    [[nodiscard]] std::optional<InstanceStatus> status(const QUuid &instanceId) const;
    /// Returns whether the agent runs or has a planned start.
    [[nodiscard]] bool isActive(const QUuid &instanceId) const;
    /// Returns the number of active instances.
    [[nodiscard]] qsizetype activeCount() const;
    [[nodiscard]] std::optional<AgentSnapshot> snapshot(const QUuid &instanceId) const;

    [[nodiscard]] Scheduler &scheduler() const;

    /// Returns the id of this evaluator's run, a UUID. EventHeader::sequence numbers the events of
    /// a run. Thread-safe.
    [[nodiscard]] QString run() const;

Q_SIGNALS:
    /// A decision was made; it contains its inputs. Emitted before the events that follow from it,
    /// once per failure. With a custom evaluator, it is emitted with the answer, and not at all if
    /// the agent is stopped before the answer. A change of the policy may cause another decision.
    void decided(const QUuid &instanceId, const Rekindle::RestartDecision &decision);

    /// A custom evaluator in shadow mode answered: the decision that was made, and the one that its
    /// answer would have caused.
    void shadowDecided(const QUuid &instanceId, const Rekindle::RestartDecision &builtIn,
                       const Rekindle::RestartDecision &wouldBe);

    /// memory(id) may have changed. Emitted last in a pass.
    void memoryChanged(const QUuid &instanceId);

    /// A report or a verdict about an older start was ignored. AgentSnapshot::staleReports counts
    /// them.
    void reportIgnored(const QUuid &instanceId);

    /// No instance is active anymore.
    void becameIdle();

    // Actions for the supervisor.
    void launchDue(const QUuid &instanceId);
    void stopDue(const QUuid &instanceId, quint64 generation, bool atOnce);

protected:
    void connectNotify(const QMetaMethod &signal) override;

private:
    friend EvaluatorPort;
    [[nodiscard]] InstanceEngine &engine() const;
    CommandResult start(const QUuid &instanceId, bool byHost, const QUuid &cause);

    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
