// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/readyfuture_p.h"
#include "standaloneunits_p.h"

#include "base/restartcategory_p.h"
#include "policy/internal/operatorinput.h"

#include <utility>

namespace Rekindle {

namespace {

void admit(Instance &instance, Instant now) { static_cast<void>(instance.breaker.admit(now)); }

// The caller knows a breaker that is open.
bool isOpen(const RestartContext &context)
{
    return context.circuitBreakerOpen && context.policy.circuitBreaker;
}

Outcome fail(Instance &instance, const RestartContext &context, Instant now, double draw)
{
    admit(instance, now); // after its reset time, it is the trial that has failed
    instance.state = context.onceReady ? InstanceState::Running : InstanceState::Starting;
    instance.planned = PlannedStart::None;
    instance.openAttempt = 0;
    instance.attempt = context.currentAttempt;
    instance.onceReady = context.onceReady;
    const Failure failure{context.reason, context.detail};
    Outcome outcome = InstanceTable::apply(
        instance,
        {.kind = InputKind::Failed, .generation = instance.generation, .failure = &failure}, now,
        draw);
    RestartDecision &decision = outcome.decision;
    const bool byAttempts =
        decision.shouldRestart || decision.rule == DecisionRule::AttemptsExhausted;
    if (isOpen(context) && byAttempts) {
        const DecisionInputs inputs = decision.inputs;
        decision = RestartDecision::circuitOpen(context.policy.circuitBreaker->timeout);
        decision.inputs = inputs;
    }
    return outcome;
}

} // namespace

StandaloneUnits::StandaloneUnits(InstanceEngine &engine)
    : m_engine(engine)
{
}

StandaloneUnits::~StandaloneUnits()
{
    for (auto it = m_units.cbegin(); it != m_units.cend(); ++it)
        m_engine.requests().forget(it.key());
}

StandaloneUnits::Unit *StandaloneUnits::find(const QUuid &id) const
{
    const auto it = m_units.constFind(id);
    return it == m_units.cend() ? nullptr : it->get();
}

EventHeader StandaloneUnits::headerOf(const QUuid &id) const
{
    const Scheduler &scheduler = m_engine.scheduler();
    return {id, {}, 0, scheduler.now(), scheduler.clock().utcNow()};
}

RestartPolicy StandaloneUnits::limited(const RestartPolicy &requested) const
{
    return m_gate ? m_gate->gate(requested).policy : requested;
}

StandaloneUnits::Unit &StandaloneUnits::adopt(const RestartContext &context)
{
    const QUuid id = context.instanceId;
    const auto policy = std::make_shared<const RestartPolicy>(limited(context.policy));
    std::shared_ptr<Unit> &unit = m_units[id];
    if (!unit)
        unit = std::make_shared<Unit>(policy);
    Instance &instance = unit->instance;
    instance.policy = policy;
    instance.breaker.setPolicy(policy->circuitBreaker);

    std::optional<PolicyDowngraded> downgraded;
    if (policy->type != context.policy.type)
        downgraded = {{}, toText(m_gate->tier()), context.policy.type, policy->type};
    if (downgraded != unit->downgraded && downgraded) {
        PolicyDowngraded event = *downgraded;
        static_cast<EventHeader &>(event) = headerOf(id);
        m_engine.outbox().post(std::move(event));
    }
    unit->downgraded = downgraded;
    return *unit;
}

QFuture<RestartDecision> StandaloneUnits::evaluate(const RestartContext &context)
{
    if (context.currentAttempt < 0) {
        qCCritical(restartCategory, "evaluate(): currentAttempt: expected 0 or more, found %d",
                   context.currentAttempt);
        QPromise<RestartDecision> promise;
        promise.start();
        return promise.future(); // canceled by the destructor
    }
    const QUuid id = context.instanceId;
    const Instant now = m_engine.scheduler().now();
    if (const InstanceRecord *record = m_engine.find(id)) {
        Instance copy = record->instance;
        copy.policy = std::make_shared<const RestartPolicy>(limited(context.policy));
        copy.evaluatorAvailable = false;
        return readyFuture(fail(copy, context, now, m_engine.draw(id)).decision);
    }
    EvaluationRequests &requests = m_engine.requests();
    requests.withdrawAll(id);
    adopt(context).promise.reset();
    QFuture<RestartDecision> future;
    change(id, [&](Unit &unit) {
        Instance &instance = unit.instance;
        const RestartPolicy &policy = *instance.policy;
        const bool isAvailable = requests.isAvailable(policy) && !isOpen(context);
        instance.evaluatorAvailable = isAvailable && !policy.evaluator->shadow;
        ++instance.generation;
        const Outcome outcome = fail(instance, context, now, m_engine.draw(id));
        RestartDecision decision = outcome.decision;
        if (outcome.evaluate) {
            future = request(unit, context, decision);
            return;
        }
        if (EvaluationRequests::isCustom(policy) && decision.shouldRestart) {
            if (isAvailable)
                requests.askShadow(requestFor(unit, context, decision), instance);
            else if (!policy.evaluator->shadow)
                decision.evaluator = EvaluatorOpinion{
                    policy.evaluator->id, {}, QStringLiteral("not available"), decision.delay};
        }
        future = readyFuture(decision);
        m_engine.outbox().post(id, decision);
    });
    return future;
}

EvaluatorRequest StandaloneUnits::requestFor(const Unit &unit, const RestartContext &context,
                                             const RestartDecision &builtIn) const
{
    EvaluatorRequest request{.generation = unit.instance.generation,
                             .context = context,
                             .builtIn = builtIn,
                             .beforeReady = !context.onceReady,
                             .failedAt = unit.instance.lastFailureAt};
    request.context.policy = *unit.instance.policy;
    return request;
}

QFuture<RestartDecision> StandaloneUnits::request(Unit &unit, const RestartContext &context,
                                                  const RestartDecision &builtIn)
{
    unit.promise = std::make_shared<QPromise<RestartDecision>>();
    unit.promise->start();
    m_engine.requests().ask(requestFor(unit, context, builtIn),
                            [this, id = context.instanceId, generation = unit.instance.generation](
                                const EvaluatorVerdict &verdict, const EvaluatorOpinion &opinion) {
                                answered(id, generation, verdict, opinion);
                            });
    return unit.promise->future();
}

void StandaloneUnits::answered(const QUuid &id, quint64 generation, const EvaluatorVerdict &verdict,
                               const EvaluatorOpinion &opinion)
{
    change(id, [&](Unit &unit) {
        if (unit.instance.generation != generation) // the unit has failed again
            return;
        const auto promise = std::exchange(unit.promise, nullptr);
        Instance &instance = unit.instance;
        RestartDecision decision =
            InstanceTable::apply(
                instance,
                {.kind = InputKind::Verdict, .generation = instance.generation, .verdict = verdict},
                m_engine.scheduler().now(), instance.draw)
                .decision;
        decision.evaluator = opinion;
        // The future is finished from the outbox, because its continuations are code of the host.
        m_engine.outbox().post(id, [=](RestartPolicyEvaluator &q, const QUuid &) {
            promise->addResult(decision);
            promise->finish();
            Q_EMIT q.decided(id, decision);
        });
    });
}

CommandResult StandaloneUnits::reset(const QUuid &id)
{
    CommandResult result;
    change(id, [&result](Unit &unit) {
        CircuitBreaker &breaker = unit.instance.breaker;
        const CircuitBreakerSnapshot before = breaker.snapshot();
        breaker.reset();
        if (breaker.snapshot() == before)
            result = {CommandResult::Effect::NoEffect, noEffectText(OperatorCommand::ResetBreaker)};
        else
            result.effect = CommandResult::Effect::Applied;
    });
    return result;
}

void StandaloneUnits::recordSuccess(const QUuid &id)
{
    change(id, [now = m_engine.scheduler().now()](Unit &unit) {
        admit(unit.instance, now);
        CircuitBreaker &breaker = unit.instance.breaker;
        breaker.recordSuccess(breaker.generation(), now);
    });
}

void StandaloneUnits::remove(const QUuid &id)
{
    if (m_units.remove(id))
        m_engine.requests().forget(id);
}

CircuitBreakerInfo StandaloneUnits::info(const QUuid &id) const
{
    const Unit *unit = find(id);
    const Scheduler &scheduler = m_engine.scheduler();
    return unit ? unit->instance.breaker.info(scheduler.now(), scheduler.clock().utcNow())
                : CircuitBreakerInfo::closed();
}

void StandaloneUnits::change(const QUuid &id, const std::function<void(Unit &)> &work)
{
    Unit *unit = find(id);
    if (!unit)
        return;
    const CircuitBreaker &breaker = unit->instance.breaker;
    const CircuitBreakerState before = breaker.state();
    work(*unit);
    watchBreaker(id, *unit);
    if (const CircuitBreakerState after = breaker.state(); after != before) {
        const EventHeader header = headerOf(id);
        m_engine.outbox().post(CircuitBreakerStateChanged{
            header, before, after, header.time, breaker.openFor(header.monotonicTime), false});
    }
    m_engine.outbox().drain();
}

void StandaloneUnits::watchBreaker(const QUuid &id, Unit &unit)
{
    const CircuitBreaker &breaker = unit.instance.breaker;
    if (breaker.state() != CircuitBreakerState::Open) {
        unit.halfOpen.reset();
        return;
    }
    unit.halfOpen = std::make_unique<Deadline>(m_engine.scheduler(), [this, id] {
        change(id, [now = m_engine.scheduler().now()](Unit &due) { admit(due.instance, now); });
    });
    unit.halfOpen->arm(breaker.resetAt());
}

} // namespace Rekindle
