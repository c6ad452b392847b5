// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/agentsnapshot.h>
#include <rekindle/lifecycle/export.h>
#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/policy/instance.h>
#include <rekindle/policy/lifecycleevent.h>
#include <rekindle/policy/restartcontext.h>
#include <rekindle/policy/restartdecision.h>
#include <rekindle/policy/validation.h>

#include <QObject>

#include <functional>
#include <memory>
#include <optional>

namespace Rekindle {

class CustomEvaluators;
struct InstanceMemory;

/// What came of a custom evaluator in shadow mode, for one instance.
struct ShadowTally
{
    quint64 answers = 0;
    quint64 disagreements = 0; ///< it would have decided otherwise: another rule or delay

    bool operator==(const ShadowTally &) const = default;
};

/// What a licence tier has made of a policy that RestartPolicyEvaluator::setPolicy() is given.
struct TierLimit
{
    bool gated = false; ///< it is the licence that restarts nothing
    /// Told before all that the policy leads to; its header is filled in there.
    std::optional<PolicyDowngraded> downgraded{};
};

/// Decides whether and when a failed agent is restarted, keeps what is planned, guards each
/// instance with a circuit breaker, and tells everybody (S1 4.1). It knows policies, breakers and
/// time, and no agents: launchDue() and stopDue() ask somebody else to act, and the report...()
/// functions say what came of it. AgentSupervisor puts all that together.
///
/// The state changes first, then the events are emitted, in order. Any function may be called from
/// any slot, remove() included, and the evaluator itself may be deleted there; what that leads to
/// is told after the events that are under way. Use it from the thread it lives in.
class REKINDLE_LIFECYCLE_EXPORT RestartPolicyEvaluator : public QObject
{
    Q_OBJECT

public:
    /// A number uniform in [0, 1), for jitter.
    using RandomSource = std::function<double()>;

    /// `scheduler` must outlive the evaluator. Without a source the system's randomness seeds one.
    explicit RestartPolicyEvaluator(Scheduler &scheduler, RandomSource random = {},
                                    QObject *parent = nullptr);
    ~RestartPolicyEvaluator() override;

    /// What add() and setPolicy() find in a policy: the faults that validate() knows, and those of
    /// its custom evaluator, if somebody answers for them. Errors refuse it, warnings do not.
    [[nodiscard]] QList<Fault> check(const RestartPolicy &policy, bool readyAtOnce = false) const;

    /// Makes an instance known, in state Stopped. An invalid policy is refused: what is returned
    /// holds errors and nothing has changed; warnings alone refuse nothing. An id that is known
    /// already is an error too.
    QList<Fault> add(const QUuid &instanceId, const QString &name, const RestartPolicy &policy,
                     bool readyAtOnce = false);

    /// Forgets an instance; no event tells of it any more. Unknown ids are ignored, here and below.
    void remove(const QUuid &instanceId);
    [[nodiscard]] bool contains(const QUuid &instanceId) const;

    /// Decides about one failure of something that the caller restarts itself (S1 4.1), under an id
    /// that was not added: it is counted in a breaker that is kept for the id, made from the
    /// context's policy at the first call, until remove(). Emits decided(), and
    /// circuitBreakerStateChanged() and event() with an empty name where the breaker changes;
    /// schedules nothing. A context that says the breaker is open never gets a restart.
    ///
    /// For an instance that was added, whose failures come in by the report...() functions, it only
    /// says what would be decided now: nothing is counted, changed or emitted.
    RestartDecision evaluate(const RestartContext &context);

    /// Delay before attempt n (from 1), jittered with the next random number (S1 4.5).
    [[nodiscard]] Duration calculateDelay(const RestartPolicy &policy, int attemptNumber);

    [[nodiscard]] CircuitBreakerInfo circuitBreakerState(const QUuid &instanceId) const;

    /// Operator: closes the breaker and starts what waits for it.
    void resetCircuitBreaker(const QUuid &instanceId);
    /// Operator: nothing is restarted until release or reset; what runs goes on.
    void isolateCircuitBreaker(const QUuid &instanceId);
    void releaseCircuitBreaker(const QUuid &instanceId);

    /// It works, which is as good as stable: ends the sequence and closes a half-open breaker. Also
    /// for an id of evaluate().
    void recordSuccess(const QUuid &instanceId);

    // Operator. They always work, at once, and no limit holds them back (spec 3).
    void start(const QUuid &instanceId);
    void stop(const QUuid &instanceId);
    void restart(const QUuid &instanceId, const QString &reason);
    void retryNow(const QUuid &instanceId);

    /// Host, instead of start(), for an instance in state Stopped: it goes on as it was when an
    /// earlier host ended (spec 11). What waited goes on waiting, what ran is started with its
    /// counts, what was given up stays given up. The memory's moments are of this scheduler's
    /// clock.
    void resume(const QUuid &instanceId, const InstanceMemory &memory);
    /// What a host that takes over would have to know; nothing of an id that is not known.
    [[nodiscard]] std::optional<InstanceMemory> memory(const QUuid &instanceId) const;

    /// Another policy for a known instance; what waits is planned anew from its failure on. Errors
    /// as with add(); then the old policy stays, and nothing is told.
    QList<Fault> setPolicy(const QUuid &instanceId, const RestartPolicy &policy,
                           bool readyAtOnce = false, const TierLimit &limit = {});
    [[nodiscard]] RestartPolicy policy(const QUuid &instanceId) const;

    /// Who answers for policies of type custom (spec 7); must live in this thread, and may be
    /// deleted before. Null, or nobody: the base types decide. From now on add() and setPolicy()
    /// refuse what it finds wrong; instances that are known already stay.
    void setCustomEvaluators(CustomEvaluators *evaluators);
    [[nodiscard]] ShadowTally shadowTally(const QUuid &instanceId) const;

    /// The supervisor is about to start it. Returns the new generation; nothing if it must not
    /// start (any more), and then it must not be started.
    std::optional<quint64> beginLaunch(const QUuid &instanceId);

    // What the agent does. Reports of an older generation are counted and ignored.
    void reportStarted(const QUuid &instanceId, quint64 generation, qint64 processId);
    void reportReady(const QUuid &instanceId, quint64 generation);
    void reportFailed(const QUuid &instanceId, quint64 generation, const Failure &failure);
    /// It has failed and is still alive: stopDue() follows.
    void reportUnhealthy(const QUuid &instanceId, quint64 generation, const Failure &failure);
    void reportStopped(const QUuid &instanceId, quint64 generation);
    /// False if it was refused: more than ten in a minute, or nothing runs.
    bool reportRestartRequested(const QUuid &instanceId, quint64 generation, const QString &reason,
                                bool alive);

    /// Puts an event that somebody else knows of, the licence, the health probes or the agent's
    /// output, into the order of all events. Its header is filled in here; an instance that is not
    /// known is ignored.
    void announce(const QUuid &instanceId, LifecycleEvent event);

    /// Tells what the probes of an instance say.
    using HealthSource = std::function<AgentHealthStatus(const QUuid &instanceId)>;

    /// Whom to ask for the health that is part of the context of every decision (spec 6) and of
    /// snapshot(); by default nobody, and it is Unknown. Called from this thread.
    void setHealthSource(HealthSource source);

    [[nodiscard]] std::optional<InstanceState> state(const QUuid &instanceId) const;
    /// Whether it runs, is about to run, or waits for its time.
    [[nodiscard]] bool isActive(const QUuid &instanceId) const;
    /// How many instances are active.
    [[nodiscard]] qsizetype activeCount() const;
    [[nodiscard]] std::optional<AgentSnapshot> snapshot(const QUuid &instanceId) const;

    [[nodiscard]] Scheduler &scheduler() const;

Q_SIGNALS:
    // One signal for each event, and event() for all of them; both are emitted, event() last.
    void agentStarted(const Rekindle::AgentStarted &event);
    void agentReady(const Rekindle::AgentReady &event);
    void agentStable(const Rekindle::AgentStable &event);
    void agentStopped(const Rekindle::AgentStopped &event);
    void agentFailed(const Rekindle::AgentFailed &event);
    void restartRequested(const Rekindle::RestartRequested &event);
    void restartScheduled(const Rekindle::RestartScheduled &event);
    void restartStarted(const Rekindle::RestartStarted &event);
    void restartSucceeded(const Rekindle::RestartSucceeded &event);
    void restartFailed(const Rekindle::RestartFailed &event);
    void restartExhausted(const Rekindle::RestartExhausted &event);
    void restartCancelled(const Rekindle::RestartCancelled &event);
    void circuitBreakerStateChanged(const Rekindle::CircuitBreakerStateChanged &event);
    void policyDowngraded(const Rekindle::PolicyDowngraded &event);
    void healthChanged(const Rekindle::HealthChanged &event);
    void agentOutput(const Rekindle::AgentOutput &event);
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Woverloaded-virtual" // QObject::event(QEvent *), no rival of it
#endif
    void event(const Rekindle::LifecycleEvent &event);
#ifdef __clang__
#pragma clang diagnostic pop
#endif

    /// A decision was made, with the inputs that it was made from; before the events it leads to.
    /// A failure has one: where a custom evaluator is asked, it comes with the answer, and none
    /// comes where somebody stops the agent before that. Another policy may lead to another one.
    void decided(const QUuid &instanceId, const Rekindle::RestartDecision &decision);

    /// A custom evaluator in shadow mode has answered: what was decided, and what would have been,
    /// with its opinion.
    void shadowDecided(const QUuid &instanceId, const Rekindle::RestartDecision &builtIn,
                       const Rekindle::RestartDecision &wouldBe);

    /// The instance's state is another one than before; after the events that tell why.
    void stateChanged(const QUuid &instanceId, Rekindle::InstanceState state);

    /// memory() may tell something else than before; after all else that happened.
    void memoryChanged(const QUuid &instanceId);

    /// A report of an older start came late, or a verdict about it: it is counted in
    /// AgentSnapshot::staleReports and changes nothing.
    void reportIgnored(const QUuid &instanceId);

    /// The last instance that was active is at rest, or has been removed.
    void becameIdle();

    // For the supervisor.
    void launchDue(const QUuid &instanceId);
    void stopDue(const QUuid &instanceId, quint64 generation, bool atOnce);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
