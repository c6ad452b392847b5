// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// How calls end, and what their breakers learn from it.

#include "toolcaller_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

using Evidence = ToolCallVerdict::Evidence;

ToolCaller::Private::Guard &ToolCaller::Private::guardOf(const QString &tool)
{
    const auto found = m_guards.find(tool);
    if (found != m_guards.end())
        return *found;
    return *m_guards.insert(tool, Guard{CircuitBreaker(m_options.policy.circuitBreaker), {}});
}

CircuitBreakerInfo ToolCaller::Private::breaker(const QString &tool) const
{
    const auto found = m_guards.constFind(tool);
    if (found == m_guards.constEnd())
        return CircuitBreakerInfo::closed();
    return found->breaker.info(m_scheduler.now(), m_scheduler.clock().utcNow());
}

void ToolCaller::Private::resetBreaker(const QString &tool)
{
    const auto found = m_guards.find(tool);
    if (found == m_guards.end())
        return;
    const CircuitBreakerState before = found->breaker.state();
    found->breaker.reset();
    tellBreaker(tool, before);
}

// Half-open, it is known when the probe has come to its end at the latest.
Duration ToolCaller::Private::retryAfter(const Guard &guard) const
{
    const Instant now = m_scheduler.now();
    switch (guard.breaker.state()) {
    case CircuitBreakerState::Open:
        return guard.breaker.openFor(now).value_or(Duration{0});
    case CircuitBreakerState::HalfOpen:
        return std::max(Duration{0}, guard.probeEnds - now);
    case CircuitBreakerState::Closed:
        break;
    }
    return Duration{0};
}

void ToolCaller::Private::tellBreaker(const QString &tool, CircuitBreakerState before)
{
    const Guard &guard = guardOf(tool);
    const CircuitBreakerState after = guard.breaker.state();
    if (after == before)
        return;
    const Duration open = after == CircuitBreakerState::Open ? retryAfter(guard) : Duration{0};
    Q_EMIT q.breakerStateChanged(tool, before, after, open);
}

// Between two attempts what failed last stands; before the first one there is only this.
void ToolCaller::Private::refuse(const RunPtr &run)
{
    run->retryAfter = retryAfter(guardOf(run->tool));
    if (run->attempts.isEmpty()) {
        McpError error;
        error.kind = McpError::Kind::NotReady;
        error.message = QStringLiteral("The circuit breaker of %1 is open for %2 more: too many "
                                       "calls in a row have failed")
                            .arg(run->tool, durationToString(*run->retryAfter));
        run->last.error = std::move(error);
    }
    run->evidence = Evidence::None;
    finish(run, ToolCallEnd::BreakerOpen);
}

void ToolCaller::Private::record(const Run &run)
{
    CircuitBreaker &breaker = guardOf(run.tool).breaker;
    const Instant now = m_scheduler.now();
    switch (run.evidence) {
    case Evidence::Success:
        breaker.recordSuccess(run.generation, now);
        break;
    case Evidence::Failure:
        breaker.recordFailure(run.generation, now);
        break;
    case Evidence::None:
        breaker.recordIgnored(run.generation, now);
        break;
    }
}

void ToolCaller::Private::finish(const RunPtr &run, ToolCallEnd end)
{
    if (run->isOver)
        return;
    run->isOver = true;
    abandon(*run);
    m_runs.erase(run->id);
    if (end == ToolCallEnd::Cancelled)
        run->evidence = Evidence::None;

    ToolListOutcome outcome;
    outcome.result = run->last;
    outcome.end = end;
    outcome.attempts = run->attempts;
    outcome.duration = m_scheduler.now() - run->started;
    outcome.retryAfter = run->retryAfter;
    outcome.tools = run->tools;

    if (!run->tool.isEmpty()) {
        const QPointer<ToolCaller> alive(&q);
        const CircuitBreakerState before = guardOf(run->tool).breaker.state();
        // Who was refused has no part in it.
        if (run->generation != 0)
            record(*run);
        const CircuitBreakerState after = guardOf(run->tool).breaker.state();
        outcome.breakerOpened = before != after && after == CircuitBreakerState::Open
            && run->evidence == Evidence::Failure;

        ToolCallFinished finished;
        if (m_backend && !m_backendGone)
            m_name = m_backend->name();
        finished.agent = m_name;
        finished.sequence = ++m_finished;
        finished.monotonicTime = m_scheduler.now();
        finished.time = m_scheduler.clock().utcNow();
        finished.call = run->id;
        finished.tool = run->tool;
        finished.end = end;
        finished.duration = outcome.duration;
        finished.attempts = outcome.attempts;
        const ToolCallFailure failure = failureOf(outcome.result);
        finished.failure = failure.name;
        finished.message = failure.message;
        finished.breaker = after;
        finished.breakerOpened = outcome.breakerOpened;

        tellBreaker(run->tool, before);
        if (alive)
            Q_EMIT q.callFinished(finished);
        // Names come from callers and need not be tools: what has no history is not kept.
        if (alive && guardOf(run->tool).breaker.snapshot() == CircuitBreakerSnapshot{})
            m_guards.remove(run->tool);
    }
    run->settle(std::move(outcome));
}

} // namespace Rekindle
