// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/models/timelinedata.h>

#include <algorithm>

namespace Rekindle {

TimelineData::TimelineData(std::size_t limit)
    : m_limit(limit)
    , m_greatestSize(limit + limit / 16)
{
}

int TimelineData::insert(const QUuid &instanceId, const QString &name)
{
    const auto found = m_indexes.constFind(instanceId);
    if (found != m_indexes.cend())
        return *found;
    const int index = rowCount();
    m_rows.emplace_back(instanceId, name);
    m_indexes.insert(instanceId, index);
    return index;
}

void TimelineData::remove(int index)
{
    m_size -= row(index).size();
    m_indexes.remove(row(index).instanceId());
    m_rows.erase(m_rows.begin() + index);
    for (int i = index; i < rowCount(); ++i)
        m_indexes[row(i).instanceId()] = i;
}

std::size_t TimelineData::bytes() const
{
    std::size_t count = m_rows.capacity() * sizeof(TimelineRow);
    for (const TimelineRow &row : m_rows)
        count += row.bytes();
    return count;
}

bool TimelineData::dropOldest()
{
    UtcTime least = UtcTime::max();
    UtcTime greatest = UtcTime::min();
    const auto include = [&](UtcTime first, UtcTime last) {
        least = std::min(least, first);
        greatest = std::max(greatest, last + UtcTime::duration(1));
    };
    for (const TimelineRow &row : m_rows) {
        if (!row.changes().empty())
            include(row.changes().front().time(), row.changes().back().time());
        for (int kind = 0; kind < TimelineRow::markKindCount; ++kind) {
            const auto &marks = row.marks(static_cast<TimelineRow::MarkKind>(kind));
            if (!marks.empty())
                include(marks.front().at, marks.back().at);
        }
    }
    // The earliest time with enough entries before it.
    const std::size_t excess = m_size - std::min(m_size, m_limit);
    while (least < greatest) {
        const UtcTime middle = least + (greatest - least) / 2;
        std::size_t count = 0;
        for (const TimelineRow &row : m_rows)
            count += row.sizeBefore(middle);
        if (count < excess)
            least = middle + UtcTime::duration(1);
        else
            greatest = middle;
    }
    const std::size_t before = m_size;
    m_size = 0;
    for (TimelineRow &row : m_rows) {
        row.dropBefore(least);
        m_size += row.size();
    }
    // The current states alone can exceed the limit.
    m_greatestSize = std::max(m_limit, m_size) + m_limit / 16;
    return m_size != before;
}

} // namespace Rekindle
