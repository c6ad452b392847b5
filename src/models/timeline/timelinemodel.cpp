// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/models/agentsource.h>
#include <rekindle/models/timelinemodel.h>
#include <rekindle/policy/eventtext.h>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

UtcTime::duration rounded(Duration duration)
{
    return std::chrono::duration_cast<UtcTime::duration>(duration);
}

} // namespace

TimelineModel::TimelineModel(QObject *parent, std::size_t limit)
    : QObject(parent)
    , m_limit(limit)
    , m_greatestSize(limit + limit / 16)
    , m_texts(10'000)
{
}

TimelineModel::~TimelineModel() = default;

template<typename Edit>
void TimelineModel::edit(int index, const Edit &change)
{
    TimelineRow &row = m_rows[static_cast<std::size_t>(index)];
    m_size -= row.size();
    change(row);
    m_size += row.size();
    if (m_size > m_greatestSize)
        dropOldest();
}

void TimelineModel::dropOldest()
{
    const std::size_t excess = m_size - std::min(m_size, m_limit);
    // The earliest time with enough entries before it.
    UtcTime least{};
    UtcTime greatest = least + std::chrono::hours(24 * 366'000);
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
    m_size = 0;
    for (TimelineRow &row : m_rows) {
        row.dropBefore(least);
        m_size += row.size();
    }
    // The current states alone can exceed the limit.
    m_greatestSize = std::max(m_limit, m_size) + m_limit / 16;
    Q_EMIT reset();
}

int TimelineModel::addAgent(const QUuid &instanceId, const QString &name)
{
    if (const int index = indexOf(instanceId); index >= 0)
        return index;
    const int index = rowCount();
    m_rows.emplace_back(instanceId, name);
    m_indexes.insert(instanceId, index);
    Q_EMIT reset();
    return index;
}

void TimelineModel::removeAgent(const QUuid &instanceId)
{
    const int index = indexOf(instanceId);
    if (index < 0)
        return;
    m_size -= row(index).size();
    m_indexes.remove(instanceId);
    m_rows.erase(m_rows.begin() + index);
    updateIndexes(index);
    Q_EMIT reset();
}

void TimelineModel::updateIndexes(int first)
{
    for (int i = first; i < rowCount(); ++i)
        m_indexes[row(i).instanceId()] = i;
}

void TimelineModel::clear()
{
    m_texts.clear();
    m_indexes.clear();
    m_size = 0;
    if (!std::exchange(m_rows, {}).empty())
        Q_EMIT reset();
}

void TimelineModel::add(const QUuid &instanceId, const QString &name, const LifecycleEvent &event,
                        const std::optional<RestartPolicy> &policy)
{
    edit(addAgent(instanceId, name), [&](TimelineRow &row) { row.add(event, policy); });
    if (severityOf(event) != AgentEvent::Severity::Info) // it can have a mark
        m_texts.insert(header(event).sequence, new QString(eventText(event)));
}

QString TimelineModel::text(const TimelineRow::Mark &mark) const
{
    const QString *const found = m_texts.object(mark.event);
    return found != nullptr ? *found : QString();
}

void TimelineModel::setSource(AgentSource *source)
{
    if (m_source == source)
        return;
    if (m_source)
        m_source->disconnect(this);
    m_source = source;
    replaceAgents();
    if (source == nullptr)
        return;
    connect(source, &AgentSource::agentAdded, this, &TimelineModel::addFromSource);
    connect(source, &AgentSource::agentRemoved, this, &TimelineModel::removeAgent);
    connect(source, &AgentSource::agentChanged, this, &TimelineModel::addMissedState);
    connect(source, &AgentSource::reset, this, &TimelineModel::replaceAgents);
    connect(source, &AgentSource::lifecycleEvent, this, &TimelineModel::addEvent);
    connect(source, &QObject::destroyed, this, &TimelineModel::clear);
}

AgentSource *TimelineModel::source() const { return m_source; }

void TimelineModel::replaceAgents()
{
    clear();
    if (!m_source)
        return;
    for (const QUuid &id : m_source->ids())
        addFromSource(id);
    std::stable_sort(m_rows.begin(), m_rows.end(), [](const TimelineRow &a, const TimelineRow &b) {
        return a.name().compare(b.name(), Qt::CaseInsensitive) < 0; // as in tables of agents
    });
    updateIndexes(0);
    Q_EMIT reset();
}

void TimelineModel::addFromSource(const QUuid &instanceId)
{
    const std::optional<AgentStatus> agent = m_source->agent(instanceId);
    if (!agent)
        return;
    const UtcTime now = m_source->utcNow();
    const int index = addAgent(instanceId, agent->agent);
    const bool isNew = row(index).changes().empty();
    const UtcTime since = isNew && agent->uptime ? now - rounded(*agent->uptime) : now;
    TimelineRow::Future future;
    if (agent->nextStartIn)
        future.start = now + rounded(*agent->nextStartIn);
    if (agent->breaker && agent->breaker->resetIn)
        future.breakerReset = now + rounded(*agent->breaker->resetIn);
    edit(index, [&](TimelineRow &row) {
        if (const auto state = valueOf(instanceStates, agent->state))
            row.addState(*state, since);
        row.setFuture(future);
    });
}

// Not all states have an event, and events can be missed.
void TimelineModel::addMissedState(const QUuid &instanceId)
{
    const int index = indexOf(instanceId);
    if (index < 0)
        return;
    const std::vector<TimelineRow::Change> &changes = row(index).changes();
    if (changes.empty() || m_source->state(instanceId) != changes.back().state())
        addFromSource(instanceId);
}

void TimelineModel::addEvent(const LifecycleEvent &event)
{
    const QUuid &id = header(event).instanceId;
    if (indexOf(id) < 0) // of a group, or agentAdded() follows
        return;
    const bool isPlan = std::holds_alternative<RestartScheduled>(event);
    add(id, header(event).agent, event, isPlan ? m_source->policy(id) : std::nullopt);
}

void TimelineModel::advance(UtcTime now)
{
    for (int index = 0; index < rowCount(); ++index)
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

} // namespace Rekindle
