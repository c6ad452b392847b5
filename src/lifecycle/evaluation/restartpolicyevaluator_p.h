// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "lifecycle/health/stallwatch_p.h"

#include <rekindle/lifecycle/customevaluators.h>
#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/policy/instancetable.h>

#include <QHash>

#include <deque>
#include <functional>
#include <variant>

namespace Rekindle {

/// What the evaluator keeps about one instance besides the table's data.
struct InstanceRecord
{
    InstanceRecord(QUuid theId, QString theName, std::shared_ptr<const RestartPolicy> policy,
                   Scheduler &scheduler, Deadline::Callback due)
        : id(theId)
        , name(std::move(theName))
        , instance(std::move(policy))
        , deadline(scheduler, std::move(due))
    {
    }

    QUuid id;
    QString name;
    Instance instance;
    Deadline deadline;
    /// While its start timeout runs: what StallWatch::lost() was when that began.
    std::optional<Duration> lostBefore;
    std::optional<Failure> lastFailure;
    QString requestReason;
    qint64 processId = 0;
    quint64 question = 0;  ///< token of what its custom evaluator thinks about; 0 if nothing
    bool attached = false; ///< to custom evaluators
    ShadowTally shadow;

    [[nodiscard]] bool isActive() const
    {
        return instance.processAlive || instance.deadline || instance.planned != PlannedStart::None;
    }
};

/// Something that waits to be emitted. Nothing in it points into a record, which may be gone.
struct LaunchDue
{
    QUuid id;
};
struct StopDue
{
    QUuid id;
    quint64 generation = 0;
    bool atOnce = false;
};
struct Decided
{
    QUuid id;
    RestartDecision decision;
};
struct StateChanged
{
    QUuid id;
    InstanceState state = InstanceState::Stopped;
};
struct MemoryChanged
{
    QUuid id;
};
struct ReportIgnored
{
    QUuid id;
};
struct BecameIdle
{
};
struct AskDue
{
    QUuid id;
    EvaluatorRequest request;
};
struct ShadowDecided
{
    QUuid id;
    RestartDecision builtIn;
    RestartDecision wouldBe;
};
using Outgoing = std::variant<LifecycleEvent, LaunchDue, StopDue, Decided, StateChanged,
                              MemoryChanged, ReportIgnored, BecameIdle, AskDue, ShadowDecided>;

class Consultations;

class RestartPolicyEvaluator::Private
{
public:
    Private(RestartPolicyEvaluator *evaluator, Scheduler &theScheduler, RandomSource source);
    ~Private();
    Q_DISABLE_COPY_MOVE(Private)

    [[nodiscard]] InstanceRecord *find(const QUuid &id) const;

    /// Everything that changes an instance passes here: apply, keep the deadline, emit. `detail`
    /// is what an agent's failure says of itself, `opinion` what a custom evaluator's verdict is
    /// remembered by.
    Outcome apply(InstanceRecord &record, const InstanceInput &input,
                  const FailureDetail *detail = nullptr,
                  const std::optional<EvaluatorOpinion> &opinion = {});
    void onDeadline(const QUuid &id);
    void operate(const QUuid &id, InputKind kind);
    void reportFailure(const QUuid &id, quint64 generation, const Failure &failure, InputKind kind);

    /// Counts the failure in `breaker` and decides.
    RestartDecision decideAbout(const RestartContext &context, CircuitBreaker &breaker) const;
    void tellEvaluated(const QUuid &id, const RestartDecision &decision,
                       CircuitBreakerState before);
    /// Changes the breaker that evaluate() keeps for an id, if there is one, and tells of it.
    void changeStranger(const QUuid &id,
                        const std::function<void(CircuitBreaker &, Instant)> &change);

    [[nodiscard]] AgentHealthStatus healthOf(const QUuid &id) const
    {
        return healthSource ? healthSource(id) : AgentHealthStatus{};
    }

    /// Of now and of this instance, whatever the event's header says; drain() tells it.
    void queueAnnounced(const InstanceRecord &record, LifecycleEvent event);
    [[nodiscard]] EventHeader headerNow(const QUuid &id, const QString &name) const;

    /// Forgets it, with all that was to be told of it.
    void forget(const QUuid &id);
    void drain();

    RestartPolicyEvaluator *const q;
    Scheduler &scheduler;
    StallWatch stalls; ///< ticks while a start timeout runs
    RandomSource random;
    HealthSource healthSource;
    QHash<QUuid, std::shared_ptr<InstanceRecord>> records;
    QHash<QUuid, CircuitBreaker> strangers; ///< breakers of evaluate() for unknown instances
    /// The policy added last: agents of one configuration mostly share it.
    std::shared_ptr<const RestartPolicy> lastPolicy;
    std::deque<Outgoing> outbox;
    quint64 sequence = 0; ///< of the event told last
    qsizetype activeCount = 0;
    bool draining = false;
    std::unique_ptr<Consultations> consultations; ///< after the records it speaks of

    [[nodiscard]] std::shared_ptr<const RestartPolicy> shared(const RestartPolicy &policy);

private:
    void tellStranger(const QUuid &id, CircuitBreakerState before);
    void keepDeadline(InstanceRecord &record);
    void watchStart(InstanceRecord &record);
    void keepFailure(InstanceRecord &record, const InstanceInput &input, const Outcome &outcome,
                     const FailureDetail *detail) const;
    void queue(const InstanceRecord &record, const Outcome &outcome, InstanceState before);
    void queueMemoryChanged(const InstanceRecord &record, const Outcome &outcome);
    void countActive(bool before, bool after);
    [[nodiscard]] LifecycleEvent toEvent(const InstanceRecord &record, const InstanceEvent &told,
                                         const EventHeader &common) const;
    void emitOne(Outgoing &outgoing);
    void emitEvent(LifecycleEvent &event);
};

} // namespace Rekindle
