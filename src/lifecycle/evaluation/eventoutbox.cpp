// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "eventoutbox_p.h"

#include <QCoreApplication>
#include <QEvent>
#include <QScopeGuard>

#include <algorithm>
#include <tuple>
#include <utility>

namespace Rekindle {

EventOutbox::EventOutbox(RestartPolicyEvaluator &evaluator)
    : QObject(&evaluator)
    , m_evaluator(evaluator)
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

void EventOutbox::post(const QUuid &id, InstanceState state) { m_entries.emplace_back(id, state); }

void EventOutbox::post(const QUuid &id, const Command &command)
{
    m_entries.emplace_back(id, command);
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
    if (!hasPending() || m_deferrals > 0)
        return;
    if (m_isDestroyed == nullptr)
        emitAll();
    else // the outer call emits the entries, unless the slot runs a nested event loop
        postContinuation();
}

void EventOutbox::release()
{
    if (--m_deferrals == 0)
        drain();
}

void EventOutbox::postContinuation()
{
    if (!std::exchange(m_isContinuationPosted, true))
        QCoreApplication::postEvent(this, new QEvent(QEvent::User));
}

void EventOutbox::customEvent(QEvent *)
{
    m_isContinuationPosted = false;
    if (m_isDestroyed != nullptr && hasPending())
        emitAll();
}

void EventOutbox::emitAll()
{
    bool isDestroyed = false;
    bool *const outer = std::exchange(m_isDestroyed, &isDestroyed);
    const auto done = qScopeGuard([&] {
        if (!isDestroyed)
            m_isDestroyed = outer;
        else if (outer != nullptr)
            *outer = true;
    });
    postContinuation();
    while (hasPending()) {
        // A slot may add entries, which moves the others.
        Entry next = std::move(m_entries[m_next++]);
        emitEntry(next, isDestroyed);
        if (isDestroyed)
            return;
    }
    m_entries.clear();
    m_next = 0;
    constexpr std::size_t most = 1024; // a slot that starts all agents may have posted many
    if (m_entries.capacity() > most)
        m_entries.shrink_to_fit();
}

void EventOutbox::emitEntry(Entry &entry, const bool &isDestroyed)
{
    const QUuid &id = entry.instanceId;
    if (auto *event = std::get_if<LifecycleEvent>(&entry.content)) {
        std::visit([this](EventHeader &common) { common.sequence = ++m_sequence; }, *event);
        emitEvent(m_evaluator, *event, isDestroyed);
        if (!isDestroyed && m_forward)
            emitEvent(*m_forward, *event, isDestroyed);
    } else if (const auto *decision = std::get_if<RestartDecision>(&entry.content)) {
        Q_EMIT m_evaluator.decided(id, *decision);
    } else if (const auto *state = std::get_if<InstanceState>(&entry.content)) {
        Q_EMIT m_evaluator.stateChanged(id, *state);
        if (!isDestroyed && m_forward)
            Q_EMIT m_forward->stateChanged(id, *state);
    } else if (const auto *command = std::get_if<Command>(&entry.content)) {
        Q_EMIT m_evaluator.operatorCommanded(id, command->command, command->before,
                                             command->byHost);
        if (!isDestroyed && m_forward)
            Q_EMIT m_forward->operatorCommanded(id, command->command, command->before,
                                                command->byHost);
    } else {
        std::get<Emission>(entry.content)(m_evaluator, id);
    }
}

// A slot that deletes `receiver` deletes this object, too: it belongs to the evaluator, which
// belongs to the supervisor.
void EventOutbox::emitEvent(LifecycleSignals &receiver, const LifecycleEvent &event,
                            const bool &isDestroyed)
{
    std::visit(
        [&receiver]<typename Event>(const Event &typed) {
            using Signal = void (LifecycleSignals::*)(const Event &);
            Q_EMIT(receiver.*std::get<Signal>(LifecycleSignals::ofEvents()))(typed);
        },
        event);
    if (!isDestroyed)
        Q_EMIT receiver.lifecycleEvent(event);
}

} // namespace Rekindle
