// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "policy/internal/eventcursor.h"

#include <rekindle/policy/lifecycleevent.h>

#include <QByteArray>
#include <QSet>
#include <QString>

#include <algorithm>
#include <vector>

namespace Rekindle {

/// Stores the latest events of a host. The oldest ones are removed if there are too many, or if
/// their texts are too large: output lines and failures with their last lines on stderr would need
/// 500 MB otherwise. The events stay typed, because most of them are never sent.
class EventRing
{
public:
    struct Limits
    {
        std::size_t events = 65'536;
        /// Before observe(), so that a host without clients needs little memory.
        std::size_t unobservedEvents = 1024;
        qsizetype textBytes = qsizetype{32} * 1024 * 1024;
    };

    explicit EventRing(QString run)
        : EventRing(std::move(run), Limits())
    {
    }
    EventRing(QString run, const Limits &limits)
        : m_run(std::move(run))
        , m_limits(limits)
        , m_capacity(std::min(limits.unobservedEvents, limits.events))
    {
    }

    [[nodiscard]] const QString &run() const { return m_run; }

    /// Adds the next event of the evaluator.
    void add(const LifecycleEvent &event);

    /// Stores up to Limits::events from now on.
    void observe();

    /// The sequence number of the oldest event; last() + 1 if there is none.
    [[nodiscard]] quint64 first() const { return m_first; }
    /// The sequence number of the newest event; 0 before the first one.
    [[nodiscard]] quint64 last() const { return m_last; }

    /// The sequence number of the first event that was ever added.
    [[nodiscard]] quint64 begin() const { return m_begin; }

    /// `sequence` must be from first() to last().
    [[nodiscard]] const LifecycleEvent &at(quint64 sequence) const
    {
        return m_events[indexOf(sequence)];
    }

    /// The names of all agents that have events, also of those that were removed.
    [[nodiscard]] QSet<QString> agents() const;

    /// The cursor after the event with this number.
    [[nodiscard]] QString cursorAt(quint64 sequence) const
    {
        return EventCursor{m_run, sequence}.text();
    }
    [[nodiscard]] QString cursor() const { return cursorAt(m_last); }
    /// The oldest position after which all events are stored.
    [[nodiscard]] QString oldestCursor() const { return cursorAt(m_first - 1); }

    /// Whether the event with this number is stored, or is the next one to be added.
    [[nodiscard]] bool has(quint64 sequence) const
    {
        return !m_events.empty() && sequence >= m_first;
    }

    /// Whether all events after this cursor are stored. A cursor of an empty ring stays valid until
    /// events are removed.
    [[nodiscard]] bool contains(const EventCursor &cursor) const;

private:
    [[nodiscard]] std::size_t indexOf(quint64 sequence) const
    {
        return static_cast<std::size_t>(sequence - m_base) % m_capacity;
    }
    void removeFirst();

    const QString m_run;
    const Limits m_limits;
    std::size_t m_capacity;
    std::vector<LifecycleEvent> m_events; ///< grows up to m_capacity; then the oldest is replaced
    qsizetype m_textBytes = 0;
    quint64 m_base = 1; ///< the number of the event at the first index
    quint64 m_begin = 1;
    quint64 m_first = 1;
    quint64 m_last = 0;
};

} // namespace Rekindle
