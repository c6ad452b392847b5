// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "instanceengine_p.h"

#include "base/ownthread_p.h"
#include "policy/internal/operatorinput.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace Rekindle {

InstanceEngine::InstanceEngine(RestartPolicyEvaluator &evaluator, Scheduler &scheduler,
                               RandomSource random, HasReceiver hasReceiver)
    : m_evaluator(evaluator)
    , m_scheduler(scheduler)
    , m_stalls(scheduler)
    , m_random(std::move(random))
    , m_hasReceiver(std::move(hasReceiver))
    , m_outbox(evaluator)
    , m_requests(evaluator, *this)
{
}

InstanceRecord *InstanceEngine::find(const QUuid &id) const
{
    return isInOwnThread(m_evaluator) ? m_records.find(id) : nullptr;
}

std::shared_ptr<const RestartPolicy> InstanceEngine::share(const RestartPolicy &policy)
{
    if (!m_lastPolicy || *m_lastPolicy != policy)
        m_lastPolicy = std::make_shared<const RestartPolicy>(policy);
    return m_lastPolicy;
}

void InstanceEngine::add(const QUuid &id, const QString &name, const RestartPolicy &policy)
{
    if (m_journal)
        journal({.kind = JournalEntry::Kind::Added,
                 .instanceId = id,
                 .agent = name,
                 .time = m_scheduler.now(),
                 .policy = share(policy)});
    m_requests.attach(m_records.add(id, name, share(policy), m_scheduler,
                                    [this](InstanceRecord &due) { onDeadline(due); }));
}

void InstanceEngine::setJournal(InputJournal journal)
{
    m_journal = std::move(journal);
    m_journalEntries = 0;
}

void InstanceEngine::setHoldCauseSource(Hold hold, RestartPolicyEvaluator::HoldCauseSource source)
{
    m_holdCauseSources[static_cast<int>(hold)] = std::move(source);
}

QList<HoldCause> InstanceEngine::holdCauses(Holds holds, const QUuid &id) const
{
    QList<HoldCause> causes;
    for (const EnumName<Hold> &each : holdNames) {
        if (!holds.testFlag(each.value))
            continue;
        const RestartPolicyEvaluator::HoldCauseSource source =
            m_holdCauseSources.value(static_cast<int>(each.value));
        causes += source ? source(id) : HoldCause{.text = each.name};
        causes.back().hold = each.value;
    }
    return causes;
}

void InstanceEngine::journal(JournalEntry &&entry)
{
    entry.number = ++m_journalEntries;
    m_journal(std::move(entry));
}

void InstanceEngine::remove(const QUuid &id)
{
    m_outbox.discard(id);
    for (InstanceRecord &record : m_records.take(id)) {
        if (m_journal)
            journal({.kind = JournalEntry::Kind::Removed,
                     .instanceId = id,
                     .agent = record.name,
                     .time = m_scheduler.now()});
        m_requests.detach(record);
        if (record.lostAtStart)
            m_stalls.end();
        updateActiveCount(record.isActive(), false);
    }
    m_outbox.drain();
}

void InstanceEngine::setPolicy(InstanceRecord &record, const RestartPolicy &policy,
                               const TierLimit &limit)
{
    if (record.instance.policy->evaluator != policy.evaluator)
        m_requests.detach(record);
    if (limit.downgraded)
        queueEvent(record, *limit.downgraded);
    apply(record, {.kind = InputKind::ChangePolicy, .policy = share(policy), .gated = limit.gated});
}

void InstanceEngine::restore(InstanceRecord &record, const Instance &instance)
{
    const InstanceState before = record.instance.state;
    const Holds holds = record.instance.holds;
    const bool wasActive = record.isActive();
    const Instant now = m_scheduler.now();
    record.instance = instance;
    record.instance.holds = holds;
    updateDeadline(record);
    watchForStalls(record, now);
    const bool runs =
        instance.state == InstanceState::Starting || instance.state == InstanceState::Running;
    Outcome pending;
    if (instance.processAlive && !runs)
        pending.stop = Outcome::Stop::InOrder;
    pending.launch = instance.startDue && !instance.processAlive && holds == Holds();
    queueOutcome(record, pending, before, now);
    updateActiveCount(wasActive, record.isActive());
    m_outbox.drain();
}

// The effects of an input, in this order:
//  1. It is determined whether an evaluator is available, and a random number is drawn, also for an
//     input that needs none. Both are part of the journal.
//  2. The journal records the input, before the table changes the instance.
//  3. The table changes the instance. All that follows reads only the new state.
//  4. The decision gets the opinion of the evaluator, before step 10 queues it.
//  5. The process id of an earlier start is cleared, so that it is in no event of the new one.
//  6. The deadline is armed or disarmed.
//  7. The watch for stalls begins and ends with the deadline of a start.
//  8. The failure is stored, because the events of step 10 contain it.
//  9. The command of an operator is queued, before the events that it causes.
// 10. The decision, the events, the new state and the actions for the supervisor are queued.
// 11. If no instance is active anymore, becameIdle() is queued, after the events of the last one.
// 12. A request to an evaluator is queued or withdrawn. memoryChanged() is queued last, after each
//     change of what is stored.
// The queue is emitted only then, because a slot may apply another input or delete this object.
Outcome InstanceEngine::apply(InstanceRecord &record, const InstanceInput &input,
                              const std::optional<EvaluatorOpinion> &opinion)
{
    const InstanceState before = record.instance.state;
    const quint64 generationBefore = record.instance.generation;
    const bool wasActive = record.isActive();
    const Instant now = m_scheduler.now();
    m_requests.prepare(record);
    const double random = draw(record.id);
    if (m_journal)
        journal(JournalEntry::of(record.id, record.name, record.instance, input, now, random));
    Outcome outcome = InstanceTable::apply(record.instance, input, now, random);
    if (outcome.decided) {
        outcome.decision.evaluator =
            opinion ? opinion : m_requests.opinionOn(record, input, before, outcome);
    }
    if (record.instance.generation != generationBefore)
        record.processId = 0; // it belonged to the previous start
    updateDeadline(record);
    watchForStalls(record, now);
    if (outcome.failed) {
        Failure failure = input.failure ? *input.failure : record.detectedFailure(input.kind);
        if (!input.failure && m_stderrSource)
            failure.detail.stderrTail = m_stderrSource(record.id);
        record.setLastFailure(std::move(failure));
    }
    if (!outcome.ignored)
        queueCommand(record.id, input, before);
    queueOutcome(record, outcome, before, now);
    updateActiveCount(wasActive, record.isActive());
    m_requests.follow(record, input, before, outcome);
    if (!outcome.stale && !outcome.refused)
        queueMemoryChange(record.id);
    m_outbox.drain();
    return outcome;
}

void InstanceEngine::apply(const QUuid &id, const InstanceInput &input)
{
    if (InstanceRecord *record = find(id))
        apply(*record, input);
}

// The start timeout does not include time in which this process did not run: it could neither
// receive the agent's ready signal nor do its part of a handshake.
void InstanceEngine::onDeadline(InstanceRecord &record)
{
    if (record.lostAtStart) {
        const Duration lost = m_stalls.lost() - *record.lostAtStart;
        if (const Instant due = *record.instance.deadline + lost; due > m_scheduler.now()) {
            record.deadline.arm(due);
            return;
        }
    }
    apply(record, {.kind = InputKind::Deadline, .probeFailedAt = health(record.id).lastMissAt});
}

EventHeader InstanceEngine::headerOf(const InstanceRecord &record, Instant now) const
{
    return {record.id, record.name, 0, now, m_scheduler.clock().utcNow(), record.fencingToken};
}

void InstanceEngine::queueEvent(const InstanceRecord &record, LifecycleEvent event)
{
    std::visit([&](EventHeader &common) { common = headerOf(record, m_scheduler.now()); }, event);
    m_outbox.post(std::move(event));
}

void InstanceEngine::updateActiveCount(bool wasActive, bool isActive)
{
    m_activeCount += static_cast<qsizetype>(isActive) - static_cast<qsizetype>(wasActive);
    if (!wasActive || m_activeCount > 0)
        return;
    m_outbox.post({}, [](RestartPolicyEvaluator &q, const QUuid &) {
        if (q.activeCount() == 0) // a slot may have started an agent
            Q_EMIT q.becameIdle();
    });
}

void InstanceEngine::updateDeadline(InstanceRecord &record)
{
    const std::optional<Instant> &due = record.instance.deadline;
    if (!due)
        record.deadline.disarm();
    else if (record.deadline.due() != *due)
        record.deadline.arm(*due);
}

void InstanceEngine::watchForStalls(InstanceRecord &record, Instant now)
{
    const bool runs =
        record.instance.state == InstanceState::Starting && record.instance.deadline.has_value();
    if (runs == record.lostAtStart.has_value())
        return;
    if (runs) {
        record.lostAtStart = m_stalls.beginAt(now);
    } else {
        m_stalls.end();
        record.lostAtStart.reset();
    }
}

// Most hosts record no commands: without a receiver the entry is not even queued.
void InstanceEngine::queueCommand(const QUuid &instanceId, const InstanceInput &input,
                                  InstanceState before)
{
    static const auto signal = QMetaMethod::fromSignal(&RestartPolicyEvaluator::operatorCommanded);
    const std::optional<OperatorCommand> command = commandOf(input.kind);
    if (!command || !m_hasReceiver(signal))
        return;
    m_outbox.post(instanceId, EventOutbox::Command{*command, before, input.byHost});
}

// As above: most hosts store no state.
void InstanceEngine::queueMemoryChange(const QUuid &instanceId)
{
    static const auto signal = QMetaMethod::fromSignal(&RestartPolicyEvaluator::memoryChanged);
    if (!m_hasReceiver(signal))
        return;
    m_outbox.post(instanceId,
                  [](RestartPolicyEvaluator &q, const QUuid &id) { Q_EMIT q.memoryChanged(id); });
}

// As above: hosts that handle only some events are not slowed down by the others.
bool InstanceEngine::hasReceiver(InstanceEvent::Kind kind) const
{
    static const auto ofEvents =
        std::apply([](auto... signal) { return std::array{QMetaMethod::fromSignal(signal)...}; },
                   LifecycleSignals::ofEvents());
    static const auto anyEvent = QMetaMethod::fromSignal(&LifecycleSignals::lifecycleEvent);
    return m_hasReceiver(anyEvent) || m_hasReceiver(ofEvents.at(static_cast<std::size_t>(kind)));
}

void InstanceEngine::queueOutcome(const InstanceRecord &record, const Outcome &outcome,
                                  InstanceState before, Instant now)
{
    using Evaluator = RestartPolicyEvaluator;
    if (outcome.decided)
        m_outbox.post(record.id, outcome.decision);
    std::optional<EventHeader> common;
    for (int i = 0; i < outcome.eventCount; ++i) {
        const InstanceEvent &event = outcome.events[static_cast<std::size_t>(i)];
        if (!hasReceiver(event.kind))
            continue;
        if (!common)
            common = headerOf(record, now);
        LifecycleEvent each = record.toEvent(event, *common);
        if (auto *held = std::get_if<StartHeld>(&each))
            held->causes = holdCauses(held->holds, record.id);
        m_outbox.post(std::move(each));
    }
    if (const InstanceState state = record.instance.state; state != before)
        m_outbox.post(record.id, state);
    if (outcome.stop != Outcome::Stop::No) {
        const bool atOnce = outcome.stop == Outcome::Stop::AtOnce;
        m_outbox.post(record.id,
                      [=, generation = record.instance.generation](Evaluator &q, const QUuid &id) {
                          Q_EMIT q.stopDue(id, generation, atOnce);
                      });
    }
    if (outcome.launch)
        m_outbox.post(record.id, [](Evaluator &q, const QUuid &id) { Q_EMIT q.launchDue(id); });
    if (outcome.stale)
        m_outbox.post(record.id, [](Evaluator &q, const QUuid &id) { Q_EMIT q.reportIgnored(id); });
}

} // namespace Rekindle
