// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "restartpolicyevaluator_p.h"

#include "consultations_p.h"

#include <rekindle/policy/backoff.h>
#include <rekindle/policy/instancememory.h>

#include <QPointer>
#include <QRandomGenerator>

#include <random>

namespace Rekindle {

namespace {

RestartPolicyEvaluator::RandomSource systemRandom()
{
    std::mt19937_64 engine(QRandomGenerator::system()->generate64());
    return [engine]() mutable {
        constexpr double step = 1.0 / (1ULL << 53U);
        return static_cast<double>(engine() >> 11U) * step;
    };
}

} // namespace

RestartPolicyEvaluator::RestartPolicyEvaluator(Scheduler &scheduler, RandomSource random,
                                               QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, scheduler, random ? std::move(random) : systemRandom()))
{
}

RestartPolicyEvaluator::~RestartPolicyEvaluator() = default;

QList<Fault> RestartPolicyEvaluator::check(const RestartPolicy &policy, bool readyAtOnce) const
{
    return validate(policy, readyAtOnce) + d->consultations->check(policy);
}

QList<Fault> RestartPolicyEvaluator::add(const QUuid &instanceId, const QString &name,
                                         const RestartPolicy &policy, bool readyAtOnce)
{
    QList<Fault> faults = check(policy, readyAtOnce);
    if (instanceId.isNull() || contains(instanceId))
        faults.append({QString(), QStringLiteral("the instance id is null or taken")});
    if (hasErrors(faults))
        return faults;
    d->strangers.remove(instanceId);
    const auto record =
        std::make_shared<InstanceRecord>(instanceId, name, d->shared(policy), d->scheduler,
                                         [this, instanceId] { d->onDeadline(instanceId); });
    d->records.insert(instanceId, record);
    d->consultations->attach(*record);
    return faults;
}

void RestartPolicyEvaluator::remove(const QUuid &instanceId) { d->forget(instanceId); }

bool RestartPolicyEvaluator::contains(const QUuid &instanceId) const
{
    return d->records.contains(instanceId);
}

RestartDecision RestartPolicyEvaluator::evaluate(const RestartContext &context)
{
    if (const InstanceRecord *record = d->find(context.instanceId)) {
        CircuitBreaker asked = record->instance.breaker; // the table alone changes the real one
        return d->decideAbout(context, asked);
    }
    if (!d->strangers.contains(context.instanceId))
        d->strangers.insert(context.instanceId, CircuitBreaker(context.policy.circuitBreaker));
    CircuitBreaker &breaker = d->strangers[context.instanceId];
    const CircuitBreakerState before = breaker.state();
    RestartDecision decision = d->decideAbout(context, breaker);
    d->tellEvaluated(context.instanceId, decision, before);
    return decision;
}

Duration RestartPolicyEvaluator::calculateDelay(const RestartPolicy &policy, int attemptNumber)
{
    return Backoff::delay(policy, attemptNumber, {d->random(), Duration{0}});
}

CircuitBreakerInfo RestartPolicyEvaluator::circuitBreakerState(const QUuid &instanceId) const
{
    const Instant now = d->scheduler.now();
    const UtcTime utcNow = d->scheduler.clock().utcNow();
    if (const InstanceRecord *record = d->find(instanceId))
        return record->instance.breaker.info(now, utcNow);
    const auto stranger = d->strangers.constFind(instanceId);
    return stranger == d->strangers.cend() ? CircuitBreakerInfo::closed()
                                           : stranger->info(now, utcNow);
}

void RestartPolicyEvaluator::resetCircuitBreaker(const QUuid &instanceId)
{
    if (d->find(instanceId))
        d->operate(instanceId, InputKind::ResetBreaker);
    else
        d->changeStranger(instanceId, [](CircuitBreaker &breaker, Instant) { breaker.reset(); });
}

void RestartPolicyEvaluator::isolateCircuitBreaker(const QUuid &instanceId)
{
    d->operate(instanceId, InputKind::IsolateBreaker);
}

void RestartPolicyEvaluator::releaseCircuitBreaker(const QUuid &instanceId)
{
    d->operate(instanceId, InputKind::ReleaseBreaker);
}

void RestartPolicyEvaluator::recordSuccess(const QUuid &instanceId)
{
    if (InstanceRecord *record = d->find(instanceId)) {
        d->apply(*record, {.kind = InputKind::Proven});
        return;
    }
    d->changeStranger(instanceId, [](CircuitBreaker &breaker, Instant now) {
        static_cast<void>(breaker.admit(now));
        breaker.recordSuccess(breaker.generation(), now);
    });
}

void RestartPolicyEvaluator::start(const QUuid &instanceId)
{
    d->operate(instanceId, InputKind::Start);
}

void RestartPolicyEvaluator::stop(const QUuid &instanceId)
{
    d->operate(instanceId, InputKind::Stop);
}

void RestartPolicyEvaluator::restart(const QUuid &instanceId, const QString &reason)
{
    if (InstanceRecord *record = d->find(instanceId)) {
        record->requestReason = reason;
        d->apply(*record, {.kind = InputKind::Restart});
    }
}

void RestartPolicyEvaluator::retryNow(const QUuid &instanceId)
{
    d->operate(instanceId, InputKind::RetryNow);
}

void RestartPolicyEvaluator::resume(const QUuid &instanceId, const InstanceMemory &memory)
{
    InstanceRecord *record = d->find(instanceId);
    if (!record)
        return;
    if (memory.inSequence && record->instance.state == InstanceState::Stopped) {
        FailureDetail detail;
        detail.message = memory.lastExitCode
            ? QStringLiteral("exit code %1, before the host began anew").arg(*memory.lastExitCode)
            : QStringLiteral("failed before the host began anew");
        detail.exitCode = memory.lastExitCode;
        detail.permanent = memory.lastPermanent;
        record->lastFailure = Failure{memory.lastReason, detail};
    }
    d->apply(*record, {.kind = InputKind::Resume, .memory = &memory});
}

std::optional<InstanceMemory> RestartPolicyEvaluator::memory(const QUuid &instanceId) const
{
    const InstanceRecord *record = d->find(instanceId);
    return record ? std::optional(remember(record->instance, d->scheduler.now())) : std::nullopt;
}

QList<Fault> RestartPolicyEvaluator::setPolicy(const QUuid &instanceId, const RestartPolicy &policy,
                                               bool readyAtOnce, const TierLimit &limit)
{
    QList<Fault> faults = check(policy, readyAtOnce);
    InstanceRecord *record = d->find(instanceId);
    if (record && !hasErrors(faults)) {
        if (record->instance.policy->evaluator != policy.evaluator)
            d->consultations->detach(*record);
        if (limit.downgraded)
            d->queueAnnounced(*record, *limit.downgraded);
        d->apply(
            *record,
            {.kind = InputKind::ChangePolicy, .policy = d->shared(policy), .gated = limit.gated});
    }
    return faults;
}

void RestartPolicyEvaluator::setCustomEvaluators(CustomEvaluators *evaluators)
{
    d->consultations->use(evaluators);
}

ShadowTally RestartPolicyEvaluator::shadowTally(const QUuid &instanceId) const
{
    const InstanceRecord *record = d->find(instanceId);
    return record ? record->shadow : ShadowTally{};
}

RestartPolicy RestartPolicyEvaluator::policy(const QUuid &instanceId) const
{
    const InstanceRecord *record = d->find(instanceId);
    return record ? *record->instance.policy : RestartPolicy{};
}

std::optional<quint64> RestartPolicyEvaluator::beginLaunch(const QUuid &instanceId)
{
    InstanceRecord *record = d->find(instanceId);
    if (!record)
        return {};
    const quint64 generation = record->instance.generation + 1;
    const QPointer<RestartPolicyEvaluator> alive(this);
    if (d->apply(*record, {.kind = InputKind::Launch}).refused || alive.isNull())
        return {};
    // A slot may have removed it.
    const InstanceRecord *still = d->find(instanceId);
    return still && still->instance.generation == generation ? std::optional(generation)
                                                             : std::nullopt;
}

void RestartPolicyEvaluator::reportStarted(const QUuid &instanceId, quint64 generation,
                                           qint64 processId)
{
    InstanceRecord *record = d->find(instanceId);
    if (!record)
        return;
    if (generation == record->instance.generation)
        record->processId = processId;
    d->apply(*record, {.kind = InputKind::Started, .generation = generation});
}

void RestartPolicyEvaluator::reportReady(const QUuid &instanceId, quint64 generation)
{
    if (InstanceRecord *record = d->find(instanceId))
        d->apply(*record, {.kind = InputKind::Ready, .generation = generation});
}

void RestartPolicyEvaluator::reportFailed(const QUuid &instanceId, quint64 generation,
                                          const Failure &failure)
{
    d->reportFailure(instanceId, generation, failure, InputKind::Failed);
}

void RestartPolicyEvaluator::reportWedged(const QUuid &instanceId, quint64 generation,
                                          const Failure &failure)
{
    d->reportFailure(instanceId, generation, failure, InputKind::Wedged);
}

void RestartPolicyEvaluator::reportStopped(const QUuid &instanceId, quint64 generation)
{
    if (InstanceRecord *record = d->find(instanceId))
        d->apply(*record, {.kind = InputKind::Ended, .generation = generation, .exitCode = 0});
}

bool RestartPolicyEvaluator::reportRestartRequested(const QUuid &instanceId, quint64 generation,
                                                    const QString &reason, bool alive)
{
    InstanceRecord *record = d->find(instanceId);
    if (!record)
        return false;
    record->requestReason = reason;
    const Outcome outcome =
        d->apply(*record,
                 {.kind = alive ? InputKind::RequestRestart : InputKind::EndedForRestart,
                  .generation = generation});
    return !outcome.refused && !outcome.stale;
}

void RestartPolicyEvaluator::announce(const QUuid &instanceId, LifecycleEvent event)
{
    const InstanceRecord *record = d->find(instanceId);
    if (!record)
        return;
    d->queueAnnounced(*record, std::move(event));
    d->drain();
}

void RestartPolicyEvaluator::setHealthSource(HealthSource source)
{
    d->healthSource = std::move(source);
}

std::optional<InstanceState> RestartPolicyEvaluator::state(const QUuid &instanceId) const
{
    const InstanceRecord *record = d->find(instanceId);
    return record ? std::optional(record->instance.state) : std::nullopt;
}

bool RestartPolicyEvaluator::isActive(const QUuid &instanceId) const
{
    const InstanceRecord *record = d->find(instanceId);
    return record != nullptr && record->isActive();
}

qsizetype RestartPolicyEvaluator::activeCount() const { return d->activeCount; }

std::optional<AgentSnapshot> RestartPolicyEvaluator::snapshot(const QUuid &instanceId) const
{
    const InstanceRecord *record = d->find(instanceId);
    if (!record)
        return {};
    const Instance &instance = record->instance;
    AgentSnapshot snapshot;
    snapshot.instanceId = instanceId;
    snapshot.name = record->name;
    snapshot.state = instance.state;
    snapshot.generation = instance.generation;
    snapshot.attempt = instance.attempt;
    snapshot.maxRetries = instance.policy->maxRetries;
    snapshot.staleReports = instance.staleReports;
    snapshot.circuitBreaker = circuitBreakerState(instanceId);
    snapshot.lastFailure = record->lastFailure;
    snapshot.health = d->healthOf(instanceId);
    if (instance.processAlive) {
        snapshot.processId = record->processId;
        snapshot.startedAt = instance.lastStartAt;
    }
    if (instance.planned != PlannedStart::None || instance.state == InstanceState::Exhausted)
        snapshot.nextStartAt = instance.deadline;
    return snapshot;
}

Scheduler &RestartPolicyEvaluator::scheduler() const { return d->scheduler; }

} // namespace Rekindle
