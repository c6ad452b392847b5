// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "eventoutbox_p.h"

#include <rekindle/policy/circuitbreaker.h>

#include <QHash>

namespace Rekindle {

/// The circuit breakers of RestartPolicyEvaluator::evaluate(), for ids that are no instances of the
/// evaluator. An id has a breaker from its first failure until remove(). An id without a breaker is
/// ignored.
class StandaloneBreakers
{
public:
    StandaloneBreakers(Scheduler &scheduler, EventOutbox &outbox);

    /// Counts the failure of `context` in `breaker` and decides. `draw` is a number in [0, 1).
    [[nodiscard]] static RestartDecision decide(const RestartContext &context,
                                                CircuitBreaker &breaker, Instant now, double draw);

    /// The same with the breaker of the id, which is created by the context's policy. Emits the
    /// decision and the change of the breaker.
    RestartDecision evaluate(const RestartContext &context, double draw);

    void reset(const QUuid &id);
    void recordSuccess(const QUuid &id);
    void remove(const QUuid &id) { m_breakers.remove(id); }
    [[nodiscard]] CircuitBreakerInfo info(const QUuid &id) const;

private:
    /// Changes the breaker of an id and emits the change of its state.
    void change(const QUuid &id, const std::function<void(CircuitBreaker &)> &work);

    Scheduler &m_scheduler;
    EventOutbox &m_outbox;
    QHash<QUuid, CircuitBreaker> m_breakers;
};

} // namespace Rekindle
