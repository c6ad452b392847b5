// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "restartpolicyevaluator_p.h"

#include "consultations_p.h"

#include <QMetaMethod>

// The way of an input through the evaluator: the table changes the instance, the deadline follows,
// what there is to tell waits in one outbox, and the outermost call empties it.

namespace Rekindle {

RestartPolicyEvaluator::Private::Private(RestartPolicyEvaluator *evaluator, Scheduler &theScheduler,
                                         RandomSource source)
    : q(evaluator)
    , scheduler(theScheduler)
    , stalls(theScheduler)
    , random(std::move(source))
    , consultations(std::make_unique<Consultations>(*this))
{
}

RestartPolicyEvaluator::Private::~Private() = default;

InstanceRecord *RestartPolicyEvaluator::Private::find(const QUuid &id) const
{
    const auto it = records.constFind(id);
    return it == records.cend() ? nullptr : it->get();
}

std::shared_ptr<const RestartPolicy>
RestartPolicyEvaluator::Private::shared(const RestartPolicy &policy)
{
    if (!lastPolicy || *lastPolicy != policy)
        lastPolicy = std::make_shared<const RestartPolicy>(policy);
    return lastPolicy;
}

Outcome RestartPolicyEvaluator::Private::apply(InstanceRecord &record, const InstanceInput &input,
                                               const FailureDetail *detail,
                                               const std::optional<EvaluatorOpinion> &opinion)
{
    const InstanceState before = record.instance.state;
    const quint64 startBefore = record.instance.generation;
    const bool wasActive = record.isActive();
    consultations->prepare(record);
    Outcome outcome = InstanceTable::apply(record.instance, input, scheduler.now(), random());
    if (outcome.decided) {
        outcome.decision.evaluator =
            opinion ? opinion : consultations->opinionOn(record, input, before, outcome);
    }
    if (record.instance.generation != startBefore)
        record.processId = 0; // that was the last start's
    keepDeadline(record);
    watchStart(record);
    keepFailure(record, input, outcome, detail);
    queue(record, outcome, before);
    countActive(wasActive, record.isActive());
    consultations->follow(record, input, before, outcome);
    queueMemoryChanged(record, outcome);
    drain();
    return outcome;
}

// An agent is not to blame for the time in which its host did not run: neither heard it that it was
// ready, nor did it do its part of a handshake.
void RestartPolicyEvaluator::Private::onDeadline(const QUuid &id)
{
    InstanceRecord *record = find(id);
    if (!record)
        return;
    if (record->lostBefore) {
        const Duration lost = stalls.lost() - *record->lostBefore;
        if (const Instant due = *record->instance.deadline + lost; due > scheduler.now()) {
            record->deadline.arm(due);
            return;
        }
    }
    apply(*record, {.kind = InputKind::Deadline});
}

void RestartPolicyEvaluator::Private::operate(const QUuid &id, InputKind kind)
{
    if (InstanceRecord *record = find(id))
        apply(*record, {.kind = kind});
}

void RestartPolicyEvaluator::Private::reportFailure(const QUuid &id, quint64 generation,
                                                    const Failure &failure, InputKind kind)
{
    if (InstanceRecord *record = find(id)) {
        apply(*record,
              {.kind = kind,
               .generation = generation,
               .reason = failure.reason,
               .exitCode = failure.detail.exitCode,
               .permanent = failure.detail.permanent},
              &failure.detail);
    }
}

RestartDecision RestartPolicyEvaluator::Private::decideAbout(const RestartContext &context,
                                                             CircuitBreaker &breaker) const
{
    const Instant now = scheduler.now();
    static_cast<void>(breaker.admit(now)); // past its reset time the failure is the probe's
    breaker.recordFailure(breaker.generation(), now);
    RestartDecision decision = decide({.policy = context.policy,
                                       .breaker = breaker,
                                       .attemptsMade = context.currentAttempt,
                                       .reason = context.reason,
                                       .exitCode = context.detail.exitCode,
                                       .permanent = context.detail.permanent,
                                       .onceReady = context.onceReady,
                                       .failedAt = now,
                                       .draw = random()});
    const bool byAttempts =
        decision.shouldRestart || decision.rule == DecisionRule::AttemptsExhausted;
    if (context.circuitBreakerOpen && context.policy.circuitBreaker && byAttempts) {
        const DecisionInputs inputs = decision.inputs;
        decision = RestartDecision::circuitOpen(context.policy.circuitBreaker->timeout);
        decision.inputs = inputs;
    }
    return decision;
}

void RestartPolicyEvaluator::Private::tellEvaluated(const QUuid &id,
                                                    const RestartDecision &decision,
                                                    CircuitBreakerState before)
{
    outbox.emplace_back(Decided{id, decision});
    tellStranger(id, before);
    drain();
}

void RestartPolicyEvaluator::Private::changeStranger(
    const QUuid &id, const std::function<void(CircuitBreaker &, Instant)> &change)
{
    const auto stranger = strangers.find(id);
    if (stranger == strangers.end())
        return;
    const CircuitBreakerState before = stranger->state();
    change(*stranger, scheduler.now());
    tellStranger(id, before);
    drain();
}

void RestartPolicyEvaluator::Private::tellStranger(const QUuid &id, CircuitBreakerState before)
{
    const CircuitBreaker &breaker = strangers[id];
    if (breaker.state() == before)
        return;
    const EventHeader common = headerNow(id, {});
    outbox.emplace_back(LifecycleEvent{CircuitBreakerStateChanged{
        common, before, breaker.state(), common.time, breaker.openFor(scheduler.now()), false}});
}

namespace {
// What is said of a failure that no agent reported: the engine found it out itself.
FailureDetail ownDetail(const InstanceRecord &record, InputKind kind)
{
    FailureDetail detail;
    detail.processId = record.processId;
    if (kind == InputKind::Ended) {
        detail.exitCode = 0;
        detail.message =
            QStringLiteral("ended with exit code 0, which its policy takes for a failure");
    } else if (kind == InputKind::EndedForRestart) {
        detail.exitCode = 42;
        detail.message = QStringLiteral("asked for more than %1 restarts within a minute")
                             .arg(InstanceTable::freeRequests);
    } else {
        detail.message = QStringLiteral("not ready within %1")
                             .arg(durationToString(record.instance.policy->startTimeout));
    }
    return detail;
}
} // namespace

void RestartPolicyEvaluator::Private::keepFailure(InstanceRecord &record,
                                                  const InstanceInput &input,
                                                  const Outcome &outcome,
                                                  const FailureDetail *detail) const
{
    for (int i = 0; i < outcome.eventCount; ++i) {
        if (outcome.events[static_cast<std::size_t>(i)].kind == InstanceEvent::Kind::AgentFailed) {
            record.lastFailure = Failure{record.instance.lastReason,
                                         detail ? *detail : ownDetail(record, input.kind)};
        }
    }
}

// The sequence number comes when it is told: until then its instance may be forgotten.
EventHeader RestartPolicyEvaluator::Private::headerNow(const QUuid &id, const QString &name) const
{
    return {id, name, 0, scheduler.now(), scheduler.clock().utcNow()};
}

void RestartPolicyEvaluator::Private::queueAnnounced(const InstanceRecord &record,
                                                     LifecycleEvent event)
{
    std::visit([&](EventHeader &common) { common = headerNow(record.id, record.name); }, event);
    outbox.emplace_back(std::move(event));
}

void RestartPolicyEvaluator::Private::countActive(bool before, bool after)
{
    activeCount += static_cast<qsizetype>(after) - static_cast<qsizetype>(before);
    if (before && activeCount == 0)
        outbox.emplace_back(BecameIdle{});
}

namespace {
struct IdOf
{
    QUuid operator()(const LifecycleEvent &event) const { return header(event).instanceId; }
    QUuid operator()(const BecameIdle &) const { return {}; }
    template<typename Told>
    QUuid operator()(const Told &told) const
    {
        return told.id;
    }
};
} // namespace

void RestartPolicyEvaluator::Private::forget(const QUuid &id)
{
    strangers.remove(id);
    std::erase_if(outbox, [&](const Outgoing &each) { return std::visit(IdOf{}, each) == id; });
    if (const std::shared_ptr<InstanceRecord> record = records.take(id)) {
        consultations->detach(*record);
        if (record->lostBefore)
            stalls.end();
        countActive(record->isActive(), false);
    }
    drain();
}

void RestartPolicyEvaluator::Private::keepDeadline(InstanceRecord &record)
{
    const std::optional<Instant> &due = record.instance.deadline;
    if (!due)
        record.deadline.disarm();
    else if (record.deadline.due() != *due)
        record.deadline.arm(*due);
}

void RestartPolicyEvaluator::Private::watchStart(InstanceRecord &record)
{
    const bool runs =
        record.instance.state == InstanceState::Starting && record.instance.deadline.has_value();
    if (runs == record.lostBefore.has_value())
        return;
    if (runs) {
        static_cast<void>(stalls.begin());
        record.lostBefore = stalls.lost();
    } else {
        stalls.end();
        record.lostBefore.reset();
    }
}

void RestartPolicyEvaluator::Private::queue(const InstanceRecord &record, const Outcome &outcome,
                                            InstanceState before)
{
    if (outcome.decided)
        outbox.emplace_back(Decided{record.id, outcome.decision});
    if (outcome.eventCount > 0) {
        const EventHeader common = headerNow(record.id, record.name);
        for (int i = 0; i < outcome.eventCount; ++i) {
            outbox.emplace_back(
                toEvent(record, outcome.events[static_cast<std::size_t>(i)], common));
        }
    }
    if (record.instance.state != before)
        outbox.emplace_back(StateChanged{record.id, record.instance.state});
    if (outcome.stop != Outcome::Stop::No) {
        outbox.emplace_back(
            StopDue{record.id, record.instance.generation, outcome.stop == Outcome::Stop::AtOnce});
    }
    if (outcome.launch)
        outbox.emplace_back(LaunchDue{record.id});
    if (outcome.stale)
        outbox.emplace_back(ReportIgnored{record.id});
}

// Most hosts keep nothing, and need not pay for it.
void RestartPolicyEvaluator::Private::queueMemoryChanged(const InstanceRecord &record,
                                                         const Outcome &outcome)
{
    static const QMetaMethod signal =
        QMetaMethod::fromSignal(&RestartPolicyEvaluator::memoryChanged);
    if (!outcome.stale && !outcome.refused && q->isSignalConnected(signal))
        outbox.emplace_back(MemoryChanged{record.id});
}

LifecycleEvent RestartPolicyEvaluator::Private::toEvent(const InstanceRecord &record,
                                                        const InstanceEvent &told,
                                                        const EventHeader &common) const
{
    using Kind = InstanceEvent::Kind;
    const Instance &instance = record.instance;
    switch (told.kind) {
    case Kind::AgentStarted:
        return AgentStarted{common, instance.generation, record.processId};
    case Kind::AgentReady:
        return AgentReady{common, instance.generation, told.duration};
    case Kind::AgentStable:
        return AgentStable{common, instance.generation};
    case Kind::AgentStopped:
        return AgentStopped{common, instance.generation};
    case Kind::AgentFailed:
        return AgentFailed{common, instance.generation, instance.lastReason,
                           record.lastFailure ? record.lastFailure->detail : FailureDetail{}};
    case Kind::RestartRequested:
        return RestartRequested{common, record.requestReason};
    case Kind::RestartScheduled:
        return RestartScheduled{common,
                                told.attempt,
                                instance.policy->maxRetries,
                                *told.delay,
                                told.calculatedDelay,
                                common.time
                                    + std::chrono::round<std::chrono::milliseconds>(*told.delay),
                                instance.lastReason};
    case Kind::RestartStarted:
        return RestartStarted{common, told.attempt, common.time, told.duration};
    case Kind::RestartSucceeded:
        return RestartSucceeded{common, told.attempt, told.duration, common.time};
    case Kind::RestartFailed:
        return RestartFailed{common, told.attempt, instance.lastReason, told.willRetry, told.delay};
    case Kind::RestartExhausted:
        return RestartExhausted{common, told.attempt, told.duration, common.time};
    case Kind::RestartCancelled:
        return RestartCancelled{common, told.attempt};
    case Kind::CircuitBreakerStateChanged:
        return CircuitBreakerStateChanged{common,      told.oldState, told.newState,
                                          common.time, told.delay,    told.restored};
    }
    Q_UNREACHABLE();
}

} // namespace Rekindle
