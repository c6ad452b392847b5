// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/internal/evaluatorport.h"

#include "instanceengine_p.h"

#include <QPointer>

#include <utility>

namespace Rekindle {

InstanceEngine &EvaluatorPort::engine() const { return m_evaluator.engine(); }

void EvaluatorPort::setFencingToken(const QUuid &instanceId, qint64 token)
{
    if (InstanceRecord *record = engine().find(instanceId))
        record->fencingToken = token;
}

void EvaluatorPort::restore(const QUuid &instanceId, const Instance &instance)
{
    if (InstanceRecord *record = engine().find(instanceId))
        engine().restore(*record, instance);
}

std::optional<quint64> EvaluatorPort::beginLaunch(const QUuid &instanceId)
{
    InstanceRecord *record = engine().find(instanceId);
    if (!record)
        return {};
    const quint64 generation = record->instance.generation + 1;
    const QPointer<RestartPolicyEvaluator> alive(&m_evaluator);
    if (engine().apply(*record, {.kind = InputKind::Launch}).refused || alive.isNull())
        return {};
    // A slot may have removed the instance.
    const InstanceRecord *still = engine().find(instanceId);
    return still && still->instance.generation == generation ? std::optional(generation)
                                                             : std::nullopt;
}

void EvaluatorPort::reportStarted(const QUuid &instanceId, quint64 generation, qint64 processId)
{
    InstanceRecord *record = engine().find(instanceId);
    if (!record)
        return;
    if (generation == record->instance.generation)
        record->processId = processId;
    engine().apply(*record, {.kind = InputKind::Started, .generation = generation});
}

void EvaluatorPort::reportReady(const QUuid &instanceId, quint64 generation)
{
    engine().apply(instanceId,
                   {.kind = InputKind::Ready,
                    .generation = generation,
                    .probeFailedAt = engine().health(instanceId).lastMissAt});
}

void EvaluatorPort::reportFailed(const QUuid &instanceId, quint64 generation,
                                 const Failure &failure)
{
    engine().apply(instanceId,
                   {.kind = InputKind::Failed, .generation = generation, .failure = &failure});
}

void EvaluatorPort::reportUnhealthy(const QUuid &instanceId, quint64 generation,
                                    const Failure &failure)
{
    engine().apply(instanceId,
                   {.kind = InputKind::Unhealthy, .generation = generation, .failure = &failure});
}

void EvaluatorPort::reportStopped(const QUuid &instanceId, quint64 generation)
{
    engine().apply(instanceId, {.kind = InputKind::Exited, .generation = generation});
}

bool EvaluatorPort::reportRestartRequested(const QUuid &instanceId, quint64 generation,
                                           const QString &reason, bool alive)
{
    InstanceRecord *record = engine().find(instanceId);
    if (!record)
        return false;
    record->restartReason = reason;
    const Outcome outcome =
        engine().apply(*record,
                       {.kind = alive ? InputKind::RequestRestart : InputKind::ExitedForRestart,
                        .generation = generation});
    return !outcome.refused && !outcome.stale;
}

void EvaluatorPort::extendStart(const QUuid &instanceId, quint64 generation, Duration time)
{
    engine().apply(instanceId,
                   {.kind = InputKind::ExtendStart, .generation = generation, .extension = time});
}

void EvaluatorPort::stopHeld(const QUuid &instanceId, Holds holds)
{
    engine().apply(instanceId, {.kind = InputKind::GroupStop, .holds = holds});
}

void EvaluatorPort::giveUp(const QUuid &instanceId)
{
    engine().apply(instanceId, {.kind = InputKind::GiveUp});
}

void EvaluatorPort::refund(const QUuid &instanceId, quint64 generation, Holds holds)
{
    engine().apply(instanceId,
                   {.kind = InputKind::Refund, .generation = generation, .holds = holds});
}

const Instance *EvaluatorPort::instance(const QUuid &instanceId) const
{
    const InstanceRecord *record = engine().find(instanceId);
    return record ? &record->instance : nullptr;
}

std::optional<DueStart> EvaluatorPort::dueStart(const QUuid &instanceId) const
{
    const InstanceRecord *record = engine().find(instanceId);
    if (!record || !record->instance.startDue || record->instance.processAlive)
        return {};
    const Instance &instance = record->instance;
    return DueStart{.planned = instance.planned,
                    .byOperator =
                        instance.planned == PlannedStart::Operator && !record->startedByHost,
                    .dueAt = instance.dueAt,
                    .holds = instance.holds};
}

void EvaluatorPort::setInputJournal(InputJournal journal)
{
    engine().setJournal(std::move(journal));
}

void EvaluatorPort::setHealthSource(HealthSource source)
{
    engine().setHealthSource(std::move(source));
}

void EvaluatorPort::setStderrSource(StderrSource source)
{
    engine().setStderrSource(std::move(source));
}

void EvaluatorPort::setForward(LifecycleSignals *forward) { engine().outbox().setForward(forward); }

void EvaluatorPort::addReceiver(const QMetaMethod &signal) { m_evaluator.connectNotify(signal); }

CommandResult EvaluatorPort::startFor(const QUuid &instanceId, const QUuid &cause)
{
    return m_evaluator.start(instanceId, false, cause);
}

void EvaluatorPort::post(std::function<void()> emission)
{
    EventOutbox &outbox = engine().outbox();
    outbox.post({}, [emission = std::move(emission)](auto &, auto &) { emission(); });
    outbox.drain();
}

void EvaluatorPort::defer() { engine().outbox().defer(); }

void EvaluatorPort::release() { engine().outbox().release(); }

} // namespace Rekindle
