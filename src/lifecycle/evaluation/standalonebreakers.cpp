// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "standalonebreakers_p.h"

namespace Rekindle {

StandaloneBreakers::StandaloneBreakers(Scheduler &scheduler, EventOutbox &outbox)
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
    RestartDecision decision;
    change(id, [&](CircuitBreaker &breaker) {
        decision = decide(context, breaker, m_scheduler.now(), draw);
        m_outbox.post(id, [=](RestartPolicyEvaluator &q) { Q_EMIT q.decided(id, decision); });
    });
    return decision;
}

void StandaloneBreakers::reset(const QUuid &id)
{
    change(id, [](CircuitBreaker &breaker) { breaker.reset(); });
}

void StandaloneBreakers::recordSuccess(const QUuid &id)
{
    change(id, [now = m_scheduler.now()](CircuitBreaker &breaker) {
        static_cast<void>(breaker.admit(now));
        breaker.recordSuccess(breaker.generation(), now);
    });
}

CircuitBreakerInfo StandaloneBreakers::info(const QUuid &id) const
{
    const auto breaker = m_breakers.constFind(id);
    return breaker == m_breakers.cend()
        ? CircuitBreakerInfo::closed()
        : breaker->info(m_scheduler.now(), m_scheduler.clock().utcNow());
}

void StandaloneBreakers::change(const QUuid &id, const std::function<void(CircuitBreaker &)> &work)
{
    const auto breaker = m_breakers.find(id);
    if (breaker == m_breakers.end())
        return;
    const CircuitBreakerState before = breaker->state();
    work(*breaker);
    if (const CircuitBreakerState after = breaker->state(); after != before) {
        const Instant now = m_scheduler.now();
        const UtcTime utcNow = m_scheduler.clock().utcNow();
        m_outbox.post(CircuitBreakerStateChanged{
            {id, {}, 0, now, utcNow}, before, after, utcNow, breaker->openFor(now), false});
    }
    m_outbox.drain();
}

} // namespace Rekindle
