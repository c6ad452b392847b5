// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "historytext_p.h"

#include "cli/output/texthelpers_p.h"
#include <rekindle/policy/eventtext.h>

#include <algorithm>

namespace Rekindle {

namespace {

// Whether a host emitted an event between the first and the last event of another host.
bool areInterleaved(const QList<StoredEvent> &events, const QHash<QString, qsizetype> &first,
                    const QHash<QString, qsizetype> &last)
{
    int open = 0;
    for (qsizetype i = 0; i < events.size(); ++i) {
        open += first[events[i].run] == i ? 1 : 0;
        if (open > 1)
            return true;
        open -= last[events[i].run] == i ? 1 : 0;
    }
    return false;
}

} // namespace

QByteArray historyText(const QList<StoredEvent> &events, const QList<StoredRun> &runs, bool whole,
                       const QHash<QString, UtcTime> &lastEventTimes)
{
    qsizetype width = 0;
    QHash<QString, qsizetype> first;
    QHash<QString, qsizetype> last;
    for (qsizetype i = 0; i < events.size(); ++i) {
        width = std::max(width, events[i].agent.size());
        last.insert(events[i].run, i);
        if (!first.contains(events[i].run))
            first.insert(events[i].run, i);
    }
    QHash<QString, StoredRun> known;
    for (const StoredRun &run : runs)
        known.insert(run.run, run);

    QByteArray text;
    const auto add = [&](const QString &time, const QString &agent, const QString &what) {
        const QString line =
            QStringLiteral("%1  %2  %3").arg(time, agent.leftJustified(width), what);
        text += forTerminal(line.toLocal8Bit()) + '\n';
    };
    const bool namesHosts = areInterleaved(events, first, last);
    for (qsizetype i = 0; i < events.size(); ++i) {
        const StoredEvent &event = events[i];
        const StoredRun run = known.value(event.run);
        const QString host = QStringLiteral("host process %1 ").arg(run.processId);
        const bool showsStart =
            run.processId > 0 && (whole || run.firstEvent >= events.front().row);
        if (first[event.run] == i && showsStart)
            add(toRfc3339(run.begun), {}, host + QLatin1String("started"));
        QString what = eventText(event.type, event.data);
        if (namesHosts && run.processId > 0)
            what += QStringLiteral("  [host process %1]").arg(run.processId);
        add(toRfc3339(event.time), event.agent, what);
        if (last[event.run] != i)
            continue;
        if (run.ended)
            add(toRfc3339(*run.ended), {}, host + QLatin1String("exited"));
        else if (run.hasExited())
            add(toRfc3339(lastEventTimes.value(event.run, event.time)), {},
                QStringLiteral(
                    "no further events from host process %1: it exited without "
                    "recording an end (killed, crashed, or the store could not be written)")
                    .arg(run.processId));
    }
    return text;
}

} // namespace Rekindle
