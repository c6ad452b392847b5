// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "eventrows_p.h"

#include <algorithm>

namespace Rekindle {

EventRows::EventRows(StoreConnection &store)
    : m_store(store)
    , m_first(store.value(QStringLiteral("SELECT min(id) FROM events")).toLongLong())
    , m_last(store.value(QStringLiteral("SELECT max(id) FROM events")).toLongLong())
{
}

std::optional<EventRows::Run> EventRows::run(const QString &run)
{
    QSqlQuery query =
        m_store.query(QStringLiteral("SELECT id, first_event FROM runs WHERE run = ?"), {run});
    if (!StoreConnection::next(query))
        return {};
    return Run{query.value(0).toLongLong(), query.value(1).toLongLong()};
}

std::optional<qint64> EventRows::rowAfter(const QString &run, quint64 sequence)
{
    const std::optional<Run> found = this->run(run);
    if (!found)
        return {};
    qint64 low = std::max(found->firstEvent, m_first);
    qint64 high = m_last + 1;
    bool isAfterStored = false;
    while (low < high) {
        const qint64 middle = low + (high - low) / 2;
        const std::optional<Event> event = firstOf(*found, middle, high);
        if (event && event->sequence <= sequence) {
            low = event->row + 1;
            isAfterStored = true;
        } else {
            high = middle;
        }
    }
    const bool isWhole = found->firstEvent > 0 && m_first <= found->firstEvent;
    if (isAfterStored || isWhole)
        return low;
    const std::optional<Event> next = firstOf(*found, low, m_last + 1);
    return next && next->sequence == sequence + 1 ? std::optional(low) : std::nullopt;
}

std::optional<EventRows::Event> EventRows::firstOf(const Run &run, qint64 from, qint64 end)
{
    QSqlQuery query = m_store.query(
        QStringLiteral("SELECT id, seq FROM events WHERE id >= ? AND id < ? AND run_id = ?"
                       " AND type NOT IN ('tool.finished', 'events.gap') ORDER BY id LIMIT 1"),
        {from, end, run.id});
    if (!StoreConnection::next(query))
        return {};
    return Event{query.value(0).toLongLong(), query.value(1).toULongLong()};
}

} // namespace Rekindle
