// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "eventring_p.h"

#include <utility>

namespace Rekindle {

namespace {

qsizetype bytesOf(const QString &text) { return text.size() * qsizetype{sizeof(QChar)}; }

// Only of texts that can be long.
qsizetype textBytesOf(const LifecycleEvent &event)
{
    if (const auto *output = std::get_if<AgentOutput>(&event))
        return bytesOf(output->line);
    if (const auto *request = std::get_if<RestartRequested>(&event))
        return bytesOf(request->reason);
    if (const auto *action = std::get_if<OperatorAction>(&event))
        return bytesOf(action->reason) + bytesOf(action->program);
    if (const auto *change = std::get_if<HealthChanged>(&event)) {
        qsizetype bytes = bytesOf(change->health.detail);
        for (const ProbeResult &each : change->health.history)
            bytes += bytesOf(each.text);
        return bytes;
    }
    if (const auto *failure = std::get_if<AgentFailed>(&event)) {
        qsizetype bytes = bytesOf(failure->detail.message);
        for (const QString &line : failure->detail.stderrTail)
            bytes += bytesOf(line);
        return bytes;
    }
    return 0;
}

} // namespace

void EventRing::add(const LifecycleEvent &event)
{
    const quint64 sequence = header(event).sequence;
    if (m_events.empty() || sequence != m_last + 1) {
        // The evaluator may have emitted events before the ring was connected.
        m_events.clear();
        m_textBytes = 0;
        m_base = m_begin = m_first = sequence;
    } else if (sequence - m_first >= m_capacity) {
        removeFirst();
    }
    m_last = sequence;
    m_textBytes += textBytesOf(event);
    if (const std::size_t index = indexOf(sequence); index < m_events.size())
        m_events[index] = event;
    else
        m_events.push_back(event);
    while (m_textBytes > m_limits.textBytes && m_first < m_last)
        removeFirst();
}

void EventRing::observe()
{
    if (m_capacity == m_limits.events)
        return;
    std::vector<LifecycleEvent> events;
    events.reserve(m_limits.events); // needs no memory before it is used
    for (quint64 sequence = m_first; sequence <= m_last; ++sequence)
        events.push_back(at(sequence));
    m_events = std::move(events);
    m_base = m_first;
    m_capacity = m_limits.events;
}

QSet<QString> EventRing::agents() const
{
    QSet<QString> names;
    for (quint64 sequence = m_first; sequence <= m_last; ++sequence)
        names.insert(header(at(sequence)).agent);
    return names;
}

bool EventRing::contains(const EventCursor &cursor) const
{
    return cursor.run == m_run && cursor.sequence <= m_last
        && (m_first == m_begin || cursor.sequence + 1 >= m_first);
}

void EventRing::removeFirst()
{
    LifecycleEvent &oldest = m_events[indexOf(m_first)];
    if (const qsizetype bytes = textBytesOf(oldest); bytes > 0) {
        m_textBytes -= bytes;
        oldest = AgentStarted{}; // frees its texts
    }
    ++m_first;
}

} // namespace Rekindle
