// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/timelinerow.h>

#include <QHash>

namespace Rekindle {

/// The rows of a timeline, with a limit of their entries. A value without clock; reentrant.
class REKINDLE_MODELS_EXPORT TimelineData
{
public:
    static constexpr std::size_t defaultLimit = 5'000'000;

    /// If all rows together have more changes and marks than `limit` and a sixteenth of it, the
    /// oldest ones are dropped until `limit` is left. Each row retains its current state. At the
    /// default limit, the entries need at most 150 MB.
    explicit TimelineData(std::size_t limit = defaultLimit);

    [[nodiscard]] int rowCount() const { return static_cast<int>(m_rows.size()); }
    /// `index` must be in [0, rowCount()).
    [[nodiscard]] const TimelineRow &row(int index) const
    {
        return m_rows[static_cast<std::size_t>(index)];
    }
    /// The index of an agent's row; -1 if there is none.
    [[nodiscard]] int indexOf(const QUuid &instanceId) const
    {
        return m_indexes.value(instanceId, -1);
    }
    /// Appends a row if the agent has none. Returns the index of its row.
    int insert(const QUuid &instanceId, const QString &name);
    void remove(int index);

    /// Changes a row with a function of (TimelineRow &). Returns true if entries were dropped,
    /// which can change all rows.
    template<typename Edit>
    bool edit(int index, const Edit &change)
    {
        TimelineRow &row = m_rows[static_cast<std::size_t>(index)];
        m_size -= row.size();
        change(row);
        m_size += row.size();
        return m_size > m_greatestSize && dropOldest();
    }

    /// The number of changes and marks of all rows.
    [[nodiscard]] std::size_t size() const { return m_size; }
    /// The memory of all changes, marks and indexes.
    [[nodiscard]] std::size_t bytes() const;

private:
    bool dropOldest();

    std::vector<TimelineRow> m_rows;
    QHash<QUuid, int> m_indexes;
    std::size_t m_size = 0;
    std::size_t m_limit;
    std::size_t m_greatestSize;
};

} // namespace Rekindle
