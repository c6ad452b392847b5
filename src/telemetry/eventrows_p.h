// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "storeconnection_p.h"

#include <QString>

#include <optional>

namespace Rekindle {

/// The rows of the events in a store. Use it in one transaction. Rows are removed in order, but
/// never the last one.
class EventRows
{
public:
    explicit EventRows(StoreConnection &store);

    [[nodiscard]] qint64 first() const { return m_first; } ///< 0: there is no row
    [[nodiscard]] qint64 last() const { return m_last; }

    struct Run
    {
        qint64 id = 0;
        qint64 firstEvent = 0; ///< a row; 0: unknown
    };
    [[nodiscard]] std::optional<Run> run(const QString &run);

    /// See HistoryReader::rowAfter(). The numbers of the events of a run increase with the rows, so
    /// a binary search needs no index. Other hosts may have written rows in between.
    [[nodiscard]] std::optional<qint64> rowAfter(const QString &run, quint64 sequence);

private:
    struct Event
    {
        qint64 row = 0;
        quint64 sequence = 0;
    };
    /// The first event of the run in the rows from `from` to `end` - 1.
    [[nodiscard]] std::optional<Event> firstOf(const Run &run, qint64 from, qint64 end);

    StoreConnection &m_store;
    qint64 m_first;
    qint64 m_last;
};

} // namespace Rekindle
