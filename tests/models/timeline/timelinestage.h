// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/timelinepaint.h>

#include <QStringList>

namespace Rekindle {

inline UtcTime ms(qint64 time) { return UtcTime(std::chrono::milliseconds(time)); }

/// An event at a time, with the time as its sequence number.
template<typename Event>
Event at(qint64 time, Event event = {})
{
    event.time = ms(time);
    event.sequence = static_cast<quint64>(time);
    return event;
}

/// "0 Stopped, 5 Running"
inline QString states(const TimelineRow &row)
{
    QStringList texts;
    for (const TimelineRow::Change &each : row.changes()) {
        texts += QStringLiteral("%1 %2")
                     .arg(each.time().time_since_epoch().count())
                     .arg(toText(each.state()));
    }
    return texts.join(QLatin1String(", "));
}

/// "5 Failure, 7 Exhausted", by kind
inline QString marks(const TimelineRow &row)
{
    const QMetaEnum kinds = QMetaEnum::fromType<TimelineRow::MarkKind>();
    QStringList texts;
    for (int kind = 0; kind < TimelineRow::markKindCount; ++kind) {
        for (const TimelineRow::Mark &each : row.marks(static_cast<TimelineRow::MarkKind>(kind))) {
            texts += QStringLiteral("%1 %2")
                         .arg(each.at.time_since_epoch().count())
                         .arg(QLatin1String(kinds.key(kind)));
        }
    }
    return texts.join(QLatin1String(", "));
}

/// The rows of that many agents, without entries.
inline std::vector<TimelineRow> emptyRows(int count)
{
    std::vector<TimelineRow> rows;
    for (int i = 0; i < count; ++i)
        rows.emplace_back(QUuid::createUuid());
    return rows;
}

inline TimelinePaint painted(const std::vector<TimelineRow> &rows,
                             const TimelinePaint::Frame &frame)
{
    TimelinePaint paint;
    paint.paint(rows, frame);
    return paint;
}

/// "0:0-5 Running, 0:5-7 Failed": row, columns and state
inline QString bars(const TimelinePaint &paint)
{
    QStringList texts;
    for (const TimelinePaint::Box<InstanceState> &each : paint.bars) {
        texts += QStringLiteral("%1:%2-%3 %4")
                     .arg(each.row)
                     .arg(each.left)
                     .arg(each.right)
                     .arg(toText(each.meaning));
    }
    return texts.join(QLatin1String(", "));
}

/// "0:5 Failure x2 #7": row, column, kind, count and event
inline QString marks(const TimelinePaint &paint)
{
    const QMetaEnum kinds = QMetaEnum::fromType<TimelineRow::MarkKind>();
    QStringList texts;
    for (const TimelinePaint::Mark &each : paint.marks) {
        texts += QStringLiteral("%1:%2 %3 x%4 #%5")
                     .arg(each.row)
                     .arg(each.column)
                     .arg(QLatin1String(kinds.valueToKey(static_cast<int>(each.kind))))
                     .arg(each.count)
                     .arg(each.latest.event);
    }
    return texts.join(QLatin1String(", "));
}

/// "0:5-6 Start"
inline QString futures(const TimelinePaint &paint)
{
    const QMetaEnum plans = QMetaEnum::fromType<TimelinePaint::Plan>();
    QStringList texts;
    for (const TimelinePaint::Box<TimelinePaint::Plan> &each : paint.futures) {
        texts += QStringLiteral("%1:%2-%3 %4")
                     .arg(each.row)
                     .arg(each.left)
                     .arg(each.right)
                     .arg(QLatin1String(plans.valueToKey(static_cast<int>(each.meaning))));
    }
    return texts.join(QLatin1String(", "));
}

} // namespace Rekindle
