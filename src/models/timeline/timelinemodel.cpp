// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/models/timelinemodel.h>

#include <algorithm>
#include <utility>

namespace Rekindle {

TimelineModel::TimelineModel(QObject *parent, std::size_t limit)
    : QObject(parent)
    , m_data(limit)
{
}

TimelineModel::~TimelineModel() = default;

template<typename Edit>
void TimelineModel::edit(int index, const Edit &change)
{
    if (index < 0)
        return;
    const quint64 before = m_data.row(index).revision();
    if (m_data.edit(index, change)) {
        emitReset();
    } else if (m_data.row(index).revision() != before && !m_isReset) {
        m_changedRows.insert(index);
        if (m_changedRows.size() == 1)
            Q_EMIT rowsChanged();
    }
}

void TimelineModel::emitReset()
{
    m_changedRows.clear();
    if (!std::exchange(m_isReset, true))
        Q_EMIT reset();
}

int TimelineModel::addAgent(const QUuid &instanceId, const QString &name)
{
    const int count = m_data.rowCount();
    const int index = m_data.insert(instanceId, name);
    if (m_data.rowCount() != count)
        emitReset();
    return index;
}

void TimelineModel::add(const QUuid &instanceId, const QString &name, const LifecycleEvent &event)
{
    edit(addAgent(instanceId, name), [&](TimelineRow &row) { row.add(event); });
}

void TimelineModel::removeAgent(const QUuid &instanceId)
{
    const int index = m_data.indexOf(instanceId);
    if (index < 0)
        return;
    m_data.remove(index);
    emitReset();
}

void TimelineModel::addState(const QUuid &instanceId, InstanceState state, UtcTime since)
{
    edit(m_data.indexOf(instanceId), [&](TimelineRow &row) { row.addState(state, since); });
}

void TimelineModel::setFuture(const QUuid &instanceId, const TimelineRow::Future &future)
{
    edit(m_data.indexOf(instanceId), [&](TimelineRow &row) { row.setFuture(future); });
}

void TimelineModel::setPolicy(const QUuid &instanceId,
                              const std::shared_ptr<const RestartPolicy> &policy)
{
    edit(m_data.indexOf(instanceId), [&](TimelineRow &row) { row.setPolicy(policy); });
}

void TimelineModel::advance(UtcTime now)
{
    for (int index = 0; index < m_data.rowCount(); ++index)
        edit(index, [now](TimelineRow &row) { row.advance(now); });
}

void TimelineModel::setSpan(std::chrono::milliseconds span)
{
    span = std::clamp(span, leastSpan, greatestSpan);
    if (std::exchange(m_span, span) != span)
        Q_EMIT viewChanged();
}

void TimelineModel::setFrom(std::optional<UtcTime> from)
{
    if (std::exchange(m_from, from) != from)
        Q_EMIT viewChanged();
}

TimelinePaint::Frame TimelineModel::frame(UtcTime now, int width, int firstRow, int rowCount) const
{
    const UtcTime from = m_from.value_or(now - m_span * 7 / 8);
    return {from, from + m_span, now, width, firstRow, rowCount};
}

QList<int> TimelineModel::takeChangedRows()
{
    QList<int> rows;
    if (std::exchange(m_isReset, false)) {
        for (int index = 0; index < m_data.rowCount(); ++index)
            rows.append(index);
    } else {
        rows = m_changedRows.values();
        std::sort(rows.begin(), rows.end());
    }
    m_changedRows.clear();
    return rows;
}

} // namespace Rekindle
