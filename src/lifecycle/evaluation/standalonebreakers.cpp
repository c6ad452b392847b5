// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "standalonebreakers_p.h"

namespace Rekindle {

StandaloneBreakers::StandaloneBreakers(Scheduler &scheduler, EvaluatorOutbox &outbox)
    : m_scheduler(scheduler)
    , m_outbox(outbox)
{
}

RestartDecision StandaloneBreakers::decide(const RestartContext &context, CircuitBreaker &breaker,
                                           Instant now, double draw)
{
    static_cast<void>(breaker.admit(now)); // after its reset time, the failure is the trial's
    breaker.recordFailure(breaker.generation(), now);
    RestartDecision decision = Rekindle::decide({.policy = context.policy,
                                                 .breaker = breaker,
                                                 .attemptsMade = context.currentAttempt,
                                                 .reason = context.reason,
                                                 .exitCode = context.detail.exitCode,
                                                 .permanent = context.detail.permanent,
                                                 .onceReady = context.onceReady,
                                                 .failedAt = now,
                                                 .draw = draw});
    const bool byAttempts =
        decision.shouldRestart || decision.rule == DecisionRule::AttemptsExhausted;
    if (context.circuitBreakerOpen && context.policy.circuitBreaker && byAttempts) {
        const DecisionInputs inputs = decision.inputs;
        decision = RestartDecision::circuitOpen(context.policy.circuitBreaker->timeout);
        decision.inputs = inputs;
    }
    return decision;
}

RestartDecision StandaloneBreakers::evaluate(const RestartContext &context, double draw)
{
    const QUuid id = context.instanceId;
    if (!m_breakers.contains(id))
        m_breakers.insert(id, CircuitBreaker(context.policy.circuitBreaker));
    CircuitBreaker &breaker = m_breakers[id];
    const CircuitBreakerState before = breaker.state();
    RestartDecision decision = decide(context, breaker, m_scheduler.now(), draw);
    m_outbox.post(id, [=](RestartPolicyEvaluator &q) { Q_EMIT q.decided(id, decision); });
    postChange(id, breaker, before);
    m_outbox.drain();
    return decision;
}

void StandaloneBreakers::reset(const QUuid &id)
{
    const auto breaker = m_breakers.find(id);
    if (breaker == m_breakers.end())
        return;
    const CircuitBreakerState before = breaker->state();
    breaker->reset();
    postChange(id, *breaker, before);
    m_outbox.drain();
}

void StandaloneBreakers::recordSuccess(const QUuid &id)
{
    const auto breaker = m_breakers.find(id);
    if (breaker == m_breakers.end())
        return;
    const Instant now = m_scheduler.now();
    const CircuitBreakerState before = breaker->state();
    static_cast<void>(breaker->admit(now));
    breaker->recordSuccess(breaker->generation(), now);
    postChange(id, *breaker, before);
    m_outbox.drain();
}

CircuitBreakerInfo StandaloneBreakers::info(const QUuid &id) const
{
    const auto breaker = m_breakers.constFind(id);
    return breaker == m_breakers.cend()
        ? CircuitBreakerInfo::closed()
        : breaker->info(m_scheduler.now(), m_scheduler.clock().utcNow());
}

void StandaloneBreakers::postChange(const QUuid &id, const CircuitBreaker &breaker,
                                    CircuitBreakerState before)
{
    if (breaker.state() == before)
        return;
    const Instant now = m_scheduler.now();
    const UtcTime utcNow = m_scheduler.clock().utcNow();
    m_outbox.post(LifecycleEvent{CircuitBreakerStateChanged{
        {id, {}, 0, now, utcNow}, before, breaker.state(), utcNow, breaker.openFor(now), false}});
}

} // namespace Rekindle
