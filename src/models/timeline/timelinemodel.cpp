// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/models/agentsource.h>
#include <rekindle/models/timelinemodel.h>
#include <rekindle/policy/eventtext.h>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

constexpr std::size_t mostTexts = 10'000;

UtcTime::duration rounded(Duration duration)
{
    return std::chrono::duration_cast<UtcTime::duration>(duration);
}

} // namespace

TimelineModel::TimelineModel(QObject *parent, std::size_t limit)
    : QObject(parent)
    , m_limit(limit)
    , m_data(limit)
{
}

TimelineModel::~TimelineModel() = default;

template<typename Edit>
void TimelineModel::edit(int index, const Edit &change)
{
    if (index >= 0 && m_data.edit(index, change))
        Q_EMIT reset();
}

int TimelineModel::addAgent(const QUuid &instanceId, const QString &name)
{
    const int count = m_data.rowCount();
    const int index = m_data.insert(instanceId, name);
    if (m_data.rowCount() != count)
        Q_EMIT reset();
    return index;
}

void TimelineModel::add(const QUuid &instanceId, const QString &name, const LifecycleEvent &event)
{
    edit(addAgent(instanceId, name), [&](TimelineRow &row) { row.add(event); });
    if (severityOf(event) == AgentEvent::Severity::Info) // it has no mark
        return;
    const quint64 sequence = header(event).sequence;
    if (!m_texts.contains(sequence))
        m_textOrder.push_back(sequence);
    m_texts.insert(sequence, eventText(event));
    if (m_textOrder.size() > mostTexts) {
        m_texts.remove(m_textOrder.front());
        m_textOrder.pop_front();
    }
}

void TimelineModel::removeAgent(const QUuid &instanceId)
{
    const int index = m_data.indexOf(instanceId);
    if (index < 0)
        return;
    m_data.remove(index);
    Q_EMIT reset();
}

void TimelineModel::clear()
{
    m_texts.clear();
    m_textOrder.clear();
    if (m_data.rowCount() == 0)
        return;
    m_data = TimelineData(m_limit);
    Q_EMIT reset();
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
    connect(source, &AgentSource::agentAdded, this, [this](const QUuid &id) { addFromSource(id); });
    connect(source, &AgentSource::agentRemoved, this, &TimelineModel::removeAgent);
    connect(source, &AgentSource::agentChanged, this,
            [this](const QUuid &id) { addMissedState(id); });
    connect(source, &AgentSource::reset, this, [this] { replaceAgents(); });
    connect(source, &AgentSource::lifecycleEvent, this,
            [this](const LifecycleEvent &event) { addFromSource(event); });
    connect(source, &QObject::destroyed, this, [this] { clear(); });
}

AgentSource *TimelineModel::source() const { return m_source; }

void TimelineModel::replaceAgents()
{
    clear();
    if (!m_source)
        return;
    for (const QUuid &id : m_source->ids())
        addFromSource(id);
}

void TimelineModel::addFromSource(const QUuid &instanceId)
{
    const std::optional<AgentStatus> agent = m_source->agent(instanceId);
    if (!agent)
        return;
    const UtcTime now = m_source->utcNow();
    const int index = addAgent(instanceId, agent->agent);
    const bool isNew = m_data.row(index).changes().empty();
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
    const int index = m_data.indexOf(instanceId);
    if (index < 0)
        return;
    const std::vector<TimelineRow::Change> &changes = m_data.row(index).changes();
    if (changes.empty() || m_source->state(instanceId) != changes.back().state())
        addFromSource(instanceId);
}

void TimelineModel::addFromSource(const LifecycleEvent &event)
{
    const QUuid &id = header(event).instanceId;
    const int index = m_data.indexOf(id);
    if (index < 0) // of a group, or agentAdded() follows
        return;
    if (std::holds_alternative<RestartScheduled>(event)) {
        const std::optional<RestartPolicy> policy = m_source->policy(id);
        edit(index, [&](TimelineRow &row) {
            row.setPolicy(policy ? std::make_shared<const RestartPolicy>(*policy) : nullptr);
        });
    }
    add(id, header(event).agent, event);
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

} // namespace Rekindle
