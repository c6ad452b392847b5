// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/restartpolicyevaluator.h>

#include "base/ownthread_p.h"
#include "base/randomsource_p.h"
#include "base/restartcategory_p.h"
#include "lifecycle/internal/wrongthread.h"
#include "operatorcommands_p.h"
#include "standaloneunits_p.h"

#include <rekindle/policy/backoff.h>
#include <rekindle/policy/instancememory.h>

#include <QMetaMethod>
#include <QUuid>

#include <algorithm>
#include <atomic>

namespace Rekindle {

namespace {

// One sequence for all instances.
RestartPolicyEvaluator::RandomSource anyRandom()
{
    return [random = systemRandom()](const QUuid &) { return random(); };
}

void logRefusal(const char *call, const QList<Fault> &faults)
{
    const auto error = std::find_if(faults.cbegin(), faults.cend(), [](const Fault &fault) {
        return fault.severity == Fault::Severity::Error;
    });
    qCWarning(restartCategory).noquote().nospace()
        << "[RST] RestartPolicyEvaluator::" << call << "() was refused: " << error->toString();
}

} // namespace

class RestartPolicyEvaluator::Private
{
public:
    Private(RestartPolicyEvaluator &evaluator, Scheduler &scheduler, RandomSource random)
        : engine(evaluator, scheduler, std::move(random),
                 [this](const QMetaMethod &signal) { return (everConnected & bitOf(signal)) != 0; })
        , commands(engine)
        , units(engine)
    {
    }

    /// An invalid signal stands for all signals. Signals of QObject have no bit.
    static quint64 bitOf(const QMetaMethod &signal)
    {
        if (!signal.isValid())
            return ~quint64{0};
        const int index = signal.methodIndex() - LifecycleSignals::staticMetaObject.methodOffset();
        return index >= 0 && index < 64 ? quint64{1} << static_cast<unsigned>(index) : 0;
    }

    CommandResult changeBreaker(const QUuid &id, InputKind kind)
    {
        return commands.apply(id, {.kind = kind}, OperatorCommands::NoEffectIf::Unchanged);
    }

    /// The signals that were ever connected: QObject::isSignalConnected() is slow, and Qt does not
    /// report when a receiver is destroyed. Other threads may connect.
    std::atomic<quint64> everConnected = 0;

    InstanceEngine engine;
    OperatorCommands commands;
    StandaloneUnits units;
    const QString run = QUuid::createUuid().toString(QUuid::WithoutBraces);
};

RestartPolicyEvaluator::RestartPolicyEvaluator(Scheduler &scheduler, RandomSource random,
                                               QObject *parent)
    : LifecycleSignals(parent)
    , d(std::make_unique<Private>(*this, scheduler, random ? std::move(random) : anyRandom()))
{
}

RestartPolicyEvaluator::~RestartPolicyEvaluator() = default;

InstanceEngine &RestartPolicyEvaluator::engine() const { return d->engine; }

void RestartPolicyEvaluator::connectNotify(const QMetaMethod &signal)
{
    d->everConnected |= Private::bitOf(signal);
}

QList<Fault> RestartPolicyEvaluator::check(const RestartPolicy &policy, bool readyAtOnce) const
{
    if (!isInOwnThread(*this))
        return calledFromAnotherThread();
    return validate(policy, readyAtOnce) + d->engine.requests().check(policy);
}

QList<Fault> RestartPolicyEvaluator::add(const QUuid &instanceId, const QString &name,
                                         const RestartPolicy &policy, bool readyAtOnce)
{
    if (!isInOwnThread(*this))
        return calledFromAnotherThread();
    QList<Fault> faults = check(policy, readyAtOnce);
    if (instanceId.isNull() || contains(instanceId))
        faults.append({QString(), QStringLiteral("the instance id is null or taken")});
    if (hasErrors(faults)) {
        logRefusal("add", faults);
        return faults;
    }
    d->units.remove(instanceId);
    d->engine.add(instanceId, name, policy);
    return faults;
}

void RestartPolicyEvaluator::remove(const QUuid &instanceId)
{
    if (!isInOwnThread(*this))
        return;
    d->units.remove(instanceId);
    d->engine.remove(instanceId);
}

bool RestartPolicyEvaluator::contains(const QUuid &instanceId) const
{
    return d->engine.find(instanceId) != nullptr;
}

QFuture<RestartDecision> RestartPolicyEvaluator::evaluate(const RestartContext &context)
{
    return isInOwnThread(*this) ? d->units.evaluate(context) : QFuture<RestartDecision>();
}

void RestartPolicyEvaluator::setFeatureGate(const FeatureGate *gate)
{
    if (isInOwnThread(*this))
        d->units.setFeatureGate(gate);
}

std::optional<Duration> RestartPolicyEvaluator::calculateDelay(const RestartPolicy &policy,
                                                               int attemptNumber)
{
    if (!isInOwnThread(*this) || attemptNumber < 1)
        return {};
    return Backoff::delay(policy, attemptNumber, {d->engine.draw({}), Duration{0}});
}

CircuitBreakerInfo RestartPolicyEvaluator::circuitBreakerState(const QUuid &instanceId) const
{
    if (!isInOwnThread(*this))
        return {};
    const InstanceRecord *record = d->engine.find(instanceId);
    return record ? record->instance.breaker.info(scheduler().now(), scheduler().clock().utcNow())
                  : d->units.info(instanceId);
}

CommandResult RestartPolicyEvaluator::resetCircuitBreaker(const QUuid &instanceId)
{
    if (!isInOwnThread(*this))
        return {};
    return contains(instanceId) ? d->changeBreaker(instanceId, InputKind::ResetBreaker)
                                : d->units.reset(instanceId);
}

CommandResult RestartPolicyEvaluator::isolateCircuitBreaker(const QUuid &instanceId)
{
    return d->changeBreaker(instanceId, InputKind::IsolateBreaker);
}

CommandResult RestartPolicyEvaluator::releaseCircuitBreaker(const QUuid &instanceId)
{
    return d->changeBreaker(instanceId, InputKind::ReleaseBreaker);
}

void RestartPolicyEvaluator::recordSuccess(const QUuid &instanceId)
{
    if (!isInOwnThread(*this))
        return;
    if (contains(instanceId))
        d->engine.apply(instanceId, {.kind = InputKind::Success});
    else
        d->units.recordSuccess(instanceId);
}

CommandResult RestartPolicyEvaluator::start(const QUuid &instanceId, bool byHost)
{
    return start(instanceId, byHost, {});
}

CommandResult RestartPolicyEvaluator::start(const QUuid &instanceId, bool byHost,
                                            const QUuid &cause)
{
    InstanceRecord *record = d->engine.find(instanceId);
    if (!record)
        return {};
    record->startedByHost = byHost;
    return d->commands.apply(instanceId, {.kind = InputKind::Start, .byHost = byHost},
                             OperatorCommands::NoEffectIf::Ignored, cause);
}

CommandResult RestartPolicyEvaluator::stop(const QUuid &instanceId, bool byHost,
                                           const QString &reason)
{
    InstanceRecord *record = d->engine.find(instanceId);
    if (!record)
        return {};
    if (record->instance.state != InstanceState::Stopped)
        record->setStopReason(reason);
    return d->commands.apply(instanceId, {.kind = InputKind::Stop, .byHost = byHost},
                             OperatorCommands::NoEffectIf::Ignored);
}

CommandResult RestartPolicyEvaluator::restart(const QUuid &instanceId, const QString &reason,
                                              bool byHost)
{
    InstanceRecord *record = d->engine.find(instanceId);
    if (!record)
        return {};
    record->startedByHost = byHost;
    record->restartReason = reason;
    return d->commands.apply(instanceId, {.kind = InputKind::Restart, .byHost = byHost},
                             OperatorCommands::NoEffectIf::Ignored);
}

CommandResult RestartPolicyEvaluator::retryNow(const QUuid &instanceId)
{
    InstanceRecord *record = d->engine.find(instanceId);
    if (!record)
        return {};
    record->startedByHost = false;
    return d->commands.apply(instanceId, {.kind = InputKind::Start},
                             OperatorCommands::NoEffectIf::Unchanged);
}

void RestartPolicyEvaluator::resume(const QUuid &instanceId, const InstanceMemory &memory)
{
    InstanceRecord *record = d->engine.find(instanceId);
    if (!record)
        return;
    if (record->instance.state == InstanceState::Stopped)
        record->startedByHost = true;
    if (memory.inSequence && record->instance.state == InstanceState::Stopped) {
        const QString message = memory.lastExitCode
            ? QStringLiteral("exit code %1, before the host was restarted")
                  .arg(*memory.lastExitCode)
            : QStringLiteral("failed before the host was restarted");
        record->setLastFailure({memory.lastReason,
                                {.message = message,
                                 .exitCode = memory.lastExitCode,
                                 .permanent = memory.lastPermanent}});
    }
    d->engine.apply(*record, {.kind = InputKind::Resume, .memory = &memory});
}

std::optional<InstanceMemory> RestartPolicyEvaluator::memory(const QUuid &instanceId) const
{
    const InstanceRecord *record = d->engine.find(instanceId);
    return record ? std::optional(remember(record->instance, scheduler().now())) : std::nullopt;
}

QList<Fault> RestartPolicyEvaluator::setPolicy(const QUuid &instanceId, const RestartPolicy &policy,
                                               bool readyAtOnce, const TierLimit &limit)
{
    if (!isInOwnThread(*this))
        return calledFromAnotherThread();
    QList<Fault> faults = check(policy, readyAtOnce);
    InstanceRecord *record = d->engine.find(instanceId);
    if (!record)
        faults.append({QString(), QStringLiteral("no instance has this id")});
    if (hasErrors(faults))
        logRefusal("setPolicy", faults);
    else
        d->engine.setPolicy(*record, policy, limit);
    return faults;
}

void RestartPolicyEvaluator::setCustomEvaluators(CustomEvaluators *evaluators)
{
    if (isInOwnThread(*this))
        d->engine.requests().use(evaluators);
}

ShadowTally RestartPolicyEvaluator::shadowTally(const QUuid &instanceId) const
{
    const InstanceRecord *record = d->engine.find(instanceId);
    return record ? record->shadow : ShadowTally{};
}

RestartPolicy RestartPolicyEvaluator::policy(const QUuid &instanceId) const
{
    const InstanceRecord *record = d->engine.find(instanceId);
    return record ? *record->instance.policy : RestartPolicy{};
}

void RestartPolicyEvaluator::addHolds(const QUuid &instanceId, Holds holds)
{
    d->engine.apply(instanceId, {.kind = InputKind::AddHolds, .holds = holds});
}

void RestartPolicyEvaluator::liftHolds(const QUuid &instanceId, Holds holds)
{
    d->engine.apply(instanceId, {.kind = InputKind::LiftHolds, .holds = holds});
}

void RestartPolicyEvaluator::setHoldCauseSource(Hold hold, HoldCauseSource source)
{
    if (isInOwnThread(*this))
        d->engine.setHoldCauseSource(hold, std::move(source));
}

void RestartPolicyEvaluator::announce(const QUuid &instanceId, LifecycleEvent event)
{
    const InstanceRecord *record = d->engine.find(instanceId);
    if (!record)
        return;
    d->engine.queueEvent(*record, std::move(event));
    d->engine.outbox().drain();
}

QString RestartPolicyEvaluator::name(const QUuid &instanceId) const
{
    const InstanceRecord *record = d->engine.find(instanceId);
    return record ? record->name : QString();
}

std::optional<InstanceState> RestartPolicyEvaluator::state(const QUuid &instanceId) const
{
    const InstanceRecord *record = d->engine.find(instanceId);
    return record ? std::optional(record->instance.state) : std::nullopt;
}

std::optional<InstanceStatus> RestartPolicyEvaluator::status(const QUuid &instanceId) const
{
    const InstanceRecord *record = d->engine.find(instanceId);
    if (!record)
        return {};
    const Instance &instance = record->instance;
    return InstanceStatus{.state = instance.state,
                          .planned = instance.planned,
                          .generation = instance.generation,
                          .alive = instance.processAlive,
                          .stoppedByOperator = instance.stoppedByOperator,
                          .levels = instance.levels()};
}

bool RestartPolicyEvaluator::isActive(const QUuid &instanceId) const
{
    const InstanceRecord *record = d->engine.find(instanceId);
    return record != nullptr && record->isActive();
}

qsizetype RestartPolicyEvaluator::activeCount() const
{
    return isInOwnThread(*this) ? d->engine.activeCount() : 0;
}

std::optional<AgentSnapshot> RestartPolicyEvaluator::snapshot(const QUuid &instanceId) const
{
    const InstanceRecord *record = d->engine.find(instanceId);
    if (!record)
        return {};
    const Instance &instance = record->instance;
    AgentSnapshot snapshot{.instanceId = instanceId,
                           .name = record->name,
                           .state = instance.state,
                           .stoppedByOperator = instance.stoppedByOperator,
                           .generation = instance.generation,
                           .attempt = instance.attempt,
                           .maxRetries = instance.policy->maxRetries,
                           .circuitBreaker = circuitBreakerState(instanceId),
                           .health = d->engine.health(instanceId),
                           .staleReports = instance.staleReports};
    if (record->lastFailure)
        snapshot.lastFailure = *record->lastFailure;
    if (instance.state == InstanceState::Stopping || instance.state == InstanceState::Stopped)
        snapshot.stopReason = record->currentStopReason();
    if (instance.processAlive) {
        snapshot.processId = record->processId;
        snapshot.startedAt = instance.lastStartAt;
    }
    if (instance.planned != PlannedStart::None || instance.givenUpByGroup) {
        snapshot.holds = instance.holds;
        snapshot.holdCauses = d->engine.holdCauses(instance.holds, instanceId);
    }
    if (instance.planned != PlannedStart::None || instance.state == InstanceState::Exhausted)
        snapshot.nextStartAt = instance.deadline;
    return snapshot;
}

Scheduler &RestartPolicyEvaluator::scheduler() const { return d->engine.scheduler(); }

QString RestartPolicyEvaluator::run() const { return d->run; }

} // namespace Rekindle
