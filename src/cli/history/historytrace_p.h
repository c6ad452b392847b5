// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/output/tracefile_p.h"

#include <rekindle/policy/enums.h>
#include <rekindle/telemetry/historyreader.h>

#include <QHash>
#include <QMap>

namespace Rekindle {

/// Writes stored events as a trace: a process for each run of a host, with a track for each agent
/// that has its states as slices and its events as instants. Holds the last state of each agent,
/// and no events.
class HistoryTrace
{
public:
    /// Only events of the query's agent are written, and none before its time `since`. The file
    /// must outlive this.
    HistoryTrace(TraceFile &file, HistoryQuery query);

    /// In the order of rows, and all events: those that are not written also change states.
    void add(const StoredEvent &event);

    /// Ends the slices: at the end of the run, or now if it is running, or at its last event.
    /// Returns whether an event was written.
    bool finish(const QList<StoredRun> &runs);

private:
    struct Row
    {
        QString name{}; ///< not written yet
        TraceFile::Track track{.process = 0};
        std::optional<InstanceState> state{};
        UtcTime since{};
        QString detail{};
    };
    struct Host
    {
        qsizetype process = 0;
        UtcTime latest{};
        QMap<QString, Row> rows{}; ///< sorted, so that the same store gives the same trace
    };

    [[nodiscard]] static Row &rowOf(Host &host, const QString &agent);
    [[nodiscard]] TraceFile::Track nameOnce(Row &row);
    void change(Row &row, std::optional<InstanceState> state, UtcTime at, const QString &detail);
    void endAll(Host &host, UtcTime at);

    TraceFile &m_file;
    const HistoryQuery m_query;
    QHash<QString, Host> m_hosts; ///< by StoredRun::run
    bool m_hasEvents = false;
};

} // namespace Rekindle
