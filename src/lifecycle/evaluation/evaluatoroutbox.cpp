// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "consultations_p.h"
#include "restartpolicyevaluator_p.h"

#include <QPointer>

#include <utility>
#include <variant>

// How what a RestartPolicyEvaluator has to tell is told: in order, whatever the slots do.

namespace Rekindle {

void RestartPolicyEvaluator::Private::drain()
{
    if (draining)
        return;
    draining = true;
    const QPointer<RestartPolicyEvaluator> alive(q);
    while (!outbox.empty()) {
        Outgoing next = std::move(outbox.front());
        outbox.pop_front();
        emitOne(next);
        if (alive.isNull())
            return;
    }
    draining = false;
}

void RestartPolicyEvaluator::Private::emitOne(Outgoing &outgoing)
{
    if (auto *event = std::get_if<LifecycleEvent>(&outgoing))
        emitEvent(*event);
    else if (const auto *launch = std::get_if<LaunchDue>(&outgoing))
        Q_EMIT q->launchDue(launch->id);
    else if (const auto *stop = std::get_if<StopDue>(&outgoing))
        Q_EMIT q->stopDue(stop->id, stop->generation, stop->atOnce);
    else if (const auto *decided = std::get_if<Decided>(&outgoing))
        Q_EMIT q->decided(decided->id, decided->decision);
    else if (const auto *changed = std::get_if<StateChanged>(&outgoing))
        Q_EMIT q->stateChanged(changed->id, changed->state);
    else if (const auto *remembered = std::get_if<MemoryChanged>(&outgoing))
        Q_EMIT q->memoryChanged(remembered->id);
    else if (const auto *ignored = std::get_if<ReportIgnored>(&outgoing))
        Q_EMIT q->reportIgnored(ignored->id);
    else if (const auto *ask = std::get_if<AskDue>(&outgoing))
        consultations->send(ask->request);
    else if (const auto *shadow = std::get_if<ShadowDecided>(&outgoing))
        Q_EMIT q->shadowDecided(shadow->id, shadow->builtIn, shadow->wouldBe);
    else if (activeCount == 0) // and still so
        Q_EMIT q->becameIdle();
}

namespace {
// The signal of each event's own.
struct EmitOwnSignal
{
    RestartPolicyEvaluator *q;

    void operator()(const AgentStarted &e) const { Q_EMIT q->agentStarted(e); }
    void operator()(const AgentReady &e) const { Q_EMIT q->agentReady(e); }
    void operator()(const AgentStable &e) const { Q_EMIT q->agentStable(e); }
    void operator()(const AgentStopped &e) const { Q_EMIT q->agentStopped(e); }
    void operator()(const AgentFailed &e) const { Q_EMIT q->agentFailed(e); }
    void operator()(const RestartRequested &e) const { Q_EMIT q->restartRequested(e); }
    void operator()(const RestartScheduled &e) const { Q_EMIT q->restartScheduled(e); }
    void operator()(const RestartStarted &e) const { Q_EMIT q->restartStarted(e); }
    void operator()(const RestartSucceeded &e) const { Q_EMIT q->restartSucceeded(e); }
    void operator()(const RestartFailed &e) const { Q_EMIT q->restartFailed(e); }
    void operator()(const RestartExhausted &e) const { Q_EMIT q->restartExhausted(e); }
    void operator()(const RestartCancelled &e) const { Q_EMIT q->restartCancelled(e); }
    void operator()(const CircuitBreakerStateChanged &e) const
    {
        Q_EMIT q->circuitBreakerStateChanged(e);
    }
    void operator()(const PolicyDowngraded &e) const { Q_EMIT q->policyDowngraded(e); }
    void operator()(const HealthChanged &e) const { Q_EMIT q->healthChanged(e); }
    void operator()(const AgentOutput &e) const { Q_EMIT q->agentOutput(e); }
};
} // namespace

void RestartPolicyEvaluator::Private::emitEvent(LifecycleEvent &event)
{
    std::visit([this](EventHeader &common) { common.sequence = ++sequence; }, event);
    const QPointer<RestartPolicyEvaluator> alive(q);
    std::visit(EmitOwnSignal{q}, event);
    if (!alive.isNull())
        Q_EMIT alive->event(event);
}

} // namespace Rekindle
