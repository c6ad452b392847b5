// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "eventoutbox_p.h"

#include <QScopeGuard>

#include <algorithm>
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
    &RestartPolicyEvaluator::operatorActed,
    &RestartPolicyEvaluator::configurationApplied,
    &RestartPolicyEvaluator::startHeld,
    &RestartPolicyEvaluator::groupRestarting,
    &RestartPolicyEvaluator::groupExhausted,
    &RestartPolicyEvaluator::sharedBreakerStateChanged,
};
} // namespace

EventOutbox::EventOutbox(RestartPolicyEvaluator &evaluator)
    : m_evaluator(evaluator)
{
}

EventOutbox::~EventOutbox()
{
    if (m_isDestroyed != nullptr)
        *m_isDestroyed = true;
}

void EventOutbox::post(LifecycleEvent event)
{
    const QUuid id = header(event).instanceId;
    m_entries.emplace_back(id, std::move(event));
}

void EventOutbox::post(const QUuid &id, const RestartDecision &decision)
{
    m_entries.emplace_back(id, decision);
}

void EventOutbox::post(const QUuid &id, Emission emission)
{
    m_entries.emplace_back(id, std::move(emission));
}

void EventOutbox::discard(const QUuid &id)
{
    const auto pending = m_entries.begin() + static_cast<std::ptrdiff_t>(m_next);
    m_entries.erase(std::remove_if(pending, m_entries.end(),
                                   [&](const Entry &entry) { return entry.instanceId == id; }),
                    m_entries.end());
}

void EventOutbox::drain()
{
    if (m_isDestroyed != nullptr)
        return;
    bool isDestroyed = false;
    m_isDestroyed = &isDestroyed;
    const auto done = qScopeGuard([&] {
        if (!isDestroyed)
            m_isDestroyed = nullptr;
    });
    while (m_next < m_entries.size()) {
        // A slot may add entries, which moves the others.
        Entry next = std::move(m_entries[m_next++]);
        if (auto *event = std::get_if<LifecycleEvent>(&next.content))
            emitEvent(*event, isDestroyed);
        else if (const auto *decision = std::get_if<RestartDecision>(&next.content))
            Q_EMIT m_evaluator.decided(next.instanceId, *decision);
        else
            std::get<Emission>(next.content)(m_evaluator, next.instanceId);
        if (isDestroyed)
            return;
    }
    m_entries.clear();
    m_next = 0;
    constexpr std::size_t most = 1024; // a slot that starts all agents may have posted many
    if (m_entries.capacity() > most)
        m_entries.shrink_to_fit();
}

void EventOutbox::emitEvent(LifecycleEvent &event, const bool &isDestroyed)
{
    std::visit([this](EventHeader &common) { common.sequence = ++m_sequence; }, event);
    std::visit(
        [this]<typename Event>(const Event &typed) {
            Q_EMIT(m_evaluator.*std::get<Signal<Event>>(typedSignals))(typed);
        },
        event);
    if (!isDestroyed)
        Q_EMIT m_evaluator.event(event);
}

} // namespace Rekindle
