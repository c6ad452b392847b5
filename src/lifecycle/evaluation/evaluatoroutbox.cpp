// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "evaluatoroutbox_p.h"

#include <QPointer>

#include <utility>

namespace Rekindle {

namespace {
struct InstanceOf
{
    QUuid operator()(const LifecycleEvent &event) const { return header(event).instanceId; }
    QUuid operator()(const BecameIdle &) const { return {}; }
    template<typename Other>
    QUuid operator()(const Other &other) const
    {
        return other.id;
    }
};

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

EvaluatorOutbox::EvaluatorOutbox(RestartPolicyEvaluator &evaluator, Handlers handlers)
    : m_evaluator(evaluator)
    , m_handlers(std::move(handlers))
{
}

void EvaluatorOutbox::discard(const QUuid &id)
{
    std::erase_if(m_entries,
                  [&](const Entry &entry) { return std::visit(InstanceOf{}, entry) == id; });
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
        emitEntry(next);
        if (alive.isNull())
            return;
    }
    m_draining = false;
}

void EvaluatorOutbox::emitEntry(Entry &entry)
{
    RestartPolicyEvaluator &q = m_evaluator;
    if (auto *event = std::get_if<LifecycleEvent>(&entry))
        emitEvent(*event);
    else if (const auto *launch = std::get_if<LaunchDue>(&entry))
        Q_EMIT q.launchDue(launch->id);
    else if (const auto *stop = std::get_if<StopDue>(&entry))
        Q_EMIT q.stopDue(stop->id, stop->generation, stop->atOnce);
    else if (const auto *decided = std::get_if<Decided>(&entry))
        Q_EMIT q.decided(decided->id, decided->decision);
    else if (const auto *changed = std::get_if<StateChanged>(&entry))
        Q_EMIT q.stateChanged(changed->id, changed->state);
    else if (const auto *memory = std::get_if<MemoryChanged>(&entry))
        Q_EMIT q.memoryChanged(memory->id);
    else if (const auto *ignored = std::get_if<ReportIgnored>(&entry))
        Q_EMIT q.reportIgnored(ignored->id);
    else if (const auto *evaluation = std::get_if<EvaluationDue>(&entry))
        m_handlers.requestEvaluation(evaluation->request);
    else if (const auto *shadow = std::get_if<ShadowDecided>(&entry))
        Q_EMIT q.shadowDecided(shadow->id, shadow->builtIn, shadow->wouldBe);
    else if (m_handlers.isIdle())
        Q_EMIT q.becameIdle();
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
