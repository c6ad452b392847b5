// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "timelinetexts_p.h"

#include "models/internal/statewords.h"

#include <QDateTime>

namespace Rekindle {

namespace {

constexpr qsizetype longestText = 500;

QString timeText(UtcTime time)
{
    return QDateTime::fromMSecsSinceEpoch(time.time_since_epoch().count())
        .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz"));
}

} // namespace

QString TimelineTexts::ofMark(const TimelineModel &model, const TimelinePaint::Mark &mark)
{
    const QString event = model.text(mark.latest).left(longestText);
    QStringList lines{model.data().row(mark.row).name(), timeText(mark.latest.at),
                      event.isEmpty() ? ofKind(mark.kind) : event};
    if (mark.count > 1)
        lines.append(tr("and %n more mark(s)", nullptr, mark.count - 1));
    return lines.join(u'\n');
}

QString TimelineTexts::ofRow(const TimelineRow &row, bool withFuture)
{
    QStringList parts;
    if (!row.changes().empty()) {
        const TimelineRow::Change &last = row.changes().back();
        parts.append(tr("%1 since %2")
                         .arg(StateWords::ofState(toText(last.state())), timeText(last.time())));
    }
    if (row.future().start && withFuture)
        parts.append(tr("next start at %1").arg(timeText(*row.future().start)));
    for (int i = TimelineRow::markKindCount - 1; i >= 0; --i) {
        const auto kind = static_cast<TimelineRow::MarkKind>(i);
        if (const auto count = row.marks(kind).size(); count > 0)
            parts.append(
                tr("%1 (%2)", "kind of a mark and its number").arg(ofKind(kind)).arg(count));
    }
    return tr("%1: %2").arg(row.name(), parts.join(QLatin1String("; ")));
}

QString TimelineTexts::ofSelection(const TimelineModel &model, const QString &row,
                                   const TimelineRow::Mark &mark)
{
    return tr("%1. Selected: %2, %3")
        .arg(row, timeText(mark.at), model.text(mark).left(longestText));
}

QString TimelineTexts::ofKind(TimelineRow::MarkKind kind)
{
    switch (kind) {
    case TimelineRow::MarkKind::LongHold:
        return tr("start held back for more than 10 s");
    case TimelineRow::MarkKind::Failure:
        return tr("failure");
    case TimelineRow::MarkKind::BreakerOpened:
        return tr("circuit breaker opened");
    case TimelineRow::MarkKind::Exhausted:
        break;
    }
    return tr("given up");
}

} // namespace Rekindle
