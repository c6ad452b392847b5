// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "historytrace_p.h"

#include "policy/internal/eventstate.h"

#include <rekindle/lifecycle/clock.h>
#include <rekindle/policy/eventtext.h>

#include <algorithm>
#include <utility>

namespace Rekindle {

HistoryTrace::HistoryTrace(TraceFile &file, HistoryQuery query)
    : m_file(file)
    , m_query(std::move(query))
{
}

void HistoryTrace::add(const StoredEvent &event)
{
    Host &host = m_hosts[event.run];
    if (host.process == 0)
        host.process = m_hosts.size();
    // The wall clock may have been set back.
    const UtcTime at = host.latest = std::max(host.latest, event.time);
    const bool isGap = event.type == QLatin1String("events.gap");
    if (isGap) // the states afterwards are unknown
        endAll(host, at);
    else if (!m_query.agent.isEmpty() && event.agent != m_query.agent)
        return;
    const bool isShown = !m_query.since || at >= *m_query.since;
    const std::optional<LifecycleEvent> known = eventFromJson(event.type, event.data);
    const QString detail = toRfc3339(at) + u' ' + eventText(event.type, event.data);
    Row &row = rowOf(host, event.agent);
    if (known) {
        const auto state = stateAfter(*known, row.state.value_or(InstanceState::Stopped));
        if (state && state != row.state)
            change(row, state, at, detail);
    }
    if (isShown)
        m_file.instant(nameOnce(row), event.type, at.time_since_epoch(), detail);
    m_hasEvents = m_hasEvents || isShown;
}

bool HistoryTrace::finish(const QList<StoredRun> &runs)
{
    for (const StoredRun &run : runs) {
        const auto host = m_hosts.find(run.run);
        if (host == m_hosts.end())
            continue;
        const UtcTime end = run.state == StoredRun::State::Running ? SystemClock().utcNow()
                                                                   : run.ended.value_or(UtcTime());
        const UtcTime last = std::max(end, host->latest);
        endAll(*host, last);
        if (!m_query.since || last >= *m_query.since)
            m_file.nameProcess(host->process, QStringLiteral("host process %1").arg(run.processId));
    }
    return m_hasEvents;
}

HistoryTrace::Row &HistoryTrace::rowOf(Host &host, const QString &agent)
{
    Row &row = host.rows[agent];
    if (row.track.process != host.process) {
        row.track = {host.process, host.rows.size()};
        row.name = agent.isEmpty() ? QStringLiteral("host") : agent;
    }
    return row;
}

TraceFile::Track HistoryTrace::nameOnce(Row &row)
{
    if (!row.name.isEmpty())
        m_file.nameTrack(row.track, std::exchange(row.name, QString()));
    return row.track;
}

void HistoryTrace::change(Row &row, std::optional<InstanceState> state, UtcTime at,
                          const QString &detail)
{
    const UtcTime begin = std::max(row.since, m_query.since.value_or(row.since));
    const auto before = std::exchange(row.state, state);
    if (before && begin < at)
        m_file.slice(nameOnce(row), toText(*before), begin.time_since_epoch(),
                     at.time_since_epoch(), row.detail);
    row.since = at;
    row.detail = detail;
}

void HistoryTrace::endAll(Host &host, UtcTime at)
{
    for (Row &row : host.rows)
        change(row, {}, at, {});
}

} // namespace Rekindle
