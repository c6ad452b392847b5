// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "eventoutbox_p.h"

#include <QPointer>

#include <tuple>
#include <utility>

namespace Rekindle {

namespace {
template<typename Event>
using Signal = void (RestartPolicyEvaluator::*)(const Event &);

// The signal of each event type, found by its type.
constexpr std::tuple typedSignals{
    &RestartPolicyEvaluator::agentStarted,
    &RestartPolicyEvaluator::agentReady,
    &RestartPolicyEvaluator::agentStable,
    &RestartPolicyEvaluator::agentStopped,
    &RestartPolicyEvaluator::agentFailed,
    &RestartPolicyEvaluator::restartRequested,
    &RestartPolicyEvaluator::restartScheduled,
    &RestartPolicyEvaluator::restartStarted,
    &RestartPolicyEvaluator::restartSucceeded,
    &RestartPolicyEvaluator::restartFailed,
    &RestartPolicyEvaluator::restartExhausted,
    &RestartPolicyEvaluator::restartCancelled,
    &RestartPolicyEvaluator::circuitBreakerStateChanged,
    &RestartPolicyEvaluator::policyDowngraded,
    &RestartPolicyEvaluator::healthChanged,
    &RestartPolicyEvaluator::agentOutput,
};
} // namespace

EventOutbox::EventOutbox(RestartPolicyEvaluator &evaluator)
    : m_evaluator(evaluator)
{
}

void EventOutbox::post(LifecycleEvent event)
{
    const QUuid id = header(event).instanceId;
    m_entries.emplace_back(id, std::move(event));
}

void EventOutbox::post(const QUuid &id, Emission emission)
{
    m_entries.emplace_back(id, std::move(emission));
}

void EventOutbox::discard(const QUuid &id)
{
    std::erase_if(m_entries, [&](const Entry &entry) { return entry.instanceId == id; });
}

void EventOutbox::drain()
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

void EventOutbox::emitEvent(LifecycleEvent &event)
{
    std::visit([this](EventHeader &common) { common.sequence = ++m_sequence; }, event);
    const QPointer<RestartPolicyEvaluator> alive(&m_evaluator);
    std::visit(
        [this]<typename Event>(const Event &typed) {
            Q_EMIT(m_evaluator.*std::get<Signal<Event>>(typedSignals))(typed);
        },
        event);
    if (!alive.isNull())
        Q_EMIT alive->event(event);
}

} // namespace Rekindle
