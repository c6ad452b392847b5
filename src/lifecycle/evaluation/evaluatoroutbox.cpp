// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "evaluatoroutbox_p.h"

#include <QPointer>

#include <utility>

namespace Rekindle {

namespace {
// Emits the signal of each event type.
struct EmitTypedSignal
{
    RestartPolicyEvaluator &q;

    void operator()(const AgentStarted &e) const { Q_EMIT q.agentStarted(e); }
    void operator()(const AgentReady &e) const { Q_EMIT q.agentReady(e); }
    void operator()(const AgentStable &e) const { Q_EMIT q.agentStable(e); }
    void operator()(const AgentStopped &e) const { Q_EMIT q.agentStopped(e); }
    void operator()(const AgentFailed &e) const { Q_EMIT q.agentFailed(e); }
    void operator()(const RestartRequested &e) const { Q_EMIT q.restartRequested(e); }
    void operator()(const RestartScheduled &e) const { Q_EMIT q.restartScheduled(e); }
    void operator()(const RestartStarted &e) const { Q_EMIT q.restartStarted(e); }
    void operator()(const RestartSucceeded &e) const { Q_EMIT q.restartSucceeded(e); }
    void operator()(const RestartFailed &e) const { Q_EMIT q.restartFailed(e); }
    void operator()(const RestartExhausted &e) const { Q_EMIT q.restartExhausted(e); }
    void operator()(const RestartCancelled &e) const { Q_EMIT q.restartCancelled(e); }
    void operator()(const CircuitBreakerStateChanged &e) const
    {
        Q_EMIT q.circuitBreakerStateChanged(e);
    }
    void operator()(const PolicyDowngraded &e) const { Q_EMIT q.policyDowngraded(e); }
    void operator()(const HealthChanged &e) const { Q_EMIT q.healthChanged(e); }
    void operator()(const AgentOutput &e) const { Q_EMIT q.agentOutput(e); }
};
} // namespace

EvaluatorOutbox::EvaluatorOutbox(RestartPolicyEvaluator &evaluator)
    : m_evaluator(evaluator)
{
}

void EvaluatorOutbox::post(LifecycleEvent event)
{
    const QUuid id = header(event).instanceId;
    m_entries.push_back({id, std::move(event)});
}

void EvaluatorOutbox::post(const QUuid &id, Emission emission)
{
    m_entries.push_back({id, std::move(emission)});
}

void EvaluatorOutbox::discard(const QUuid &id)
{
    std::erase_if(m_entries, [&](const Entry &entry) { return entry.instanceId == id; });
}

void EvaluatorOutbox::drain()
{
    if (m_draining)
        return;
    m_draining = true;
    const QPointer<RestartPolicyEvaluator> alive(&m_evaluator);
    while (!m_entries.empty()) {
        Entry next = std::move(m_entries.front());
        m_entries.pop_front();
        if (auto *event = std::get_if<LifecycleEvent>(&next.content))
            emitEvent(*event);
        else
            std::get<Emission>(next.content)(m_evaluator);
        if (alive.isNull())
            return;
    }
    m_draining = false;
}

void EvaluatorOutbox::emitEvent(LifecycleEvent &event)
{
    std::visit([this](EventHeader &common) { common.sequence = ++m_sequence; }, event);
    const QPointer<RestartPolicyEvaluator> alive(&m_evaluator);
    std::visit(EmitTypedSignal{m_evaluator}, event);
    if (!alive.isNull())
        Q_EMIT alive->event(event);
}

} // namespace Rekindle
