// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/idlist_p.h"
#include "evaluationrequests_p.h"
#include "eventoutbox_p.h"
#include "instancerecord_p.h"
#include "lifecycle/health/stallwatch_p.h"

#include <rekindle/policy/journalentry.h>

#include <QMap>
#include <QMetaMethod>

#include <memory>

namespace Rekindle {

/// The instances of a RestartPolicyEvaluator and the path of an input through them: the state table
/// changes the instance, its deadline follows, the events go into the outbox, and the outermost
/// call drains it.
class InstanceEngine
{
public:
    using RandomSource = RestartPolicyEvaluator::RandomSource;
    using HealthSource = std::function<AgentHealthStatus(const QUuid &id)>;
    using StderrSource = std::function<QStringList(const QUuid &id)>;
    using InputJournal = std::function<void(JournalEntry &&entry)>;

    /// Returns whether a signal of the evaluator was ever connected.
    using HasReceiver = std::function<bool(const QMetaMethod &signal)>;

    InstanceEngine(RestartPolicyEvaluator &evaluator, Scheduler &scheduler, RandomSource random,
                   HasReceiver hasReceiver);
    Q_DISABLE_COPY_MOVE(InstanceEngine)
    ~InstanceEngine() = default;

    void add(const QUuid &id, const QString &name, const RestartPolicy &policy);
    /// Removes the instance and everything that was to be emitted about it.
    void remove(const QUuid &id);
    void setPolicy(InstanceRecord &record, const RestartPolicy &policy, const TierLimit &limit);
    void restore(InstanceRecord &record, const Instance &instance);
    void setJournal(InputJournal journal);
    void setHoldCauseSource(Hold hold, RestartPolicyEvaluator::HoldCauseSource source);
    void setHealthSource(HealthSource source) { m_healthSource = std::move(source); }
    void setStderrSource(StderrSource source) { m_stderrSource = std::move(source); }

    /// Applies an input and emits what follows from it. `opinion` is what is recorded about a
    /// custom evaluator's verdict.
    Outcome apply(InstanceRecord &record, const InstanceInput &input,
                  const std::optional<EvaluatorOpinion> &opinion = {});
    /// The same; an unknown id is ignored.
    void apply(const QUuid &id, const InstanceInput &input);

    /// Queues an event of this instance with a header of now, without emitting it.
    void queueEvent(const InstanceRecord &record, LifecycleEvent event);

    /// Null if the id is unknown.
    [[nodiscard]] InstanceRecord *find(const QUuid &id) const;
    [[nodiscard]] IdList<InstanceRecord> &records() { return m_records; }
    [[nodiscard]] AgentHealthStatus health(const QUuid &id) const
    {
        return m_healthSource ? m_healthSource(id) : AgentHealthStatus{};
    }
    [[nodiscard]] QList<HoldCause> holdCauses(Holds holds, const QUuid &id) const;
    [[nodiscard]] double draw(const QUuid &id) const { return m_random(id); }
    [[nodiscard]] qsizetype activeCount() const { return m_activeCount; }
    [[nodiscard]] Scheduler &scheduler() const { return m_scheduler; }
    [[nodiscard]] EventOutbox &outbox() { return m_outbox; }
    [[nodiscard]] EvaluationRequests &requests() { return m_requests; }

private:
    [[nodiscard]] std::shared_ptr<const RestartPolicy> share(const RestartPolicy &policy);
    [[nodiscard]] EventHeader headerOf(const InstanceRecord &record, Instant now) const;
    void onDeadline(InstanceRecord &record);
    void journal(JournalEntry &&entry);
    static void updateDeadline(InstanceRecord &record);
    void watchForStalls(InstanceRecord &record, Instant now);
    void queueCommand(const QUuid &instanceId, const InstanceInput &input, InstanceState before);
    void queueOutcome(const InstanceRecord &record, const Outcome &outcome, InstanceState before,
                      Instant now);
    void queueMemoryChange(const QUuid &instanceId);
    [[nodiscard]] bool hasReceiver(InstanceEvent::Kind kind) const;
    void updateActiveCount(bool wasActive, bool isActive);

    RestartPolicyEvaluator &m_evaluator;
    Scheduler &m_scheduler;
    StallWatch m_stalls; ///< ticks while a start timeout runs
    RandomSource m_random;
    const HasReceiver m_hasReceiver;
    HealthSource m_healthSource;
    StderrSource m_stderrSource;
    QMap<int, RestartPolicyEvaluator::HoldCauseSource> m_holdCauseSources; ///< by Hold
    InputJournal m_journal;
    quint64 m_journalEntries = 0;
    IdList<InstanceRecord> m_records;
    /// The policy that was added last: agents of one configuration usually share it.
    std::shared_ptr<const RestartPolicy> m_lastPolicy;
    qsizetype m_activeCount = 0;
    EventOutbox m_outbox;
    EvaluationRequests m_requests; ///< declared last because its destructor detaches the records
};

} // namespace Rekindle
