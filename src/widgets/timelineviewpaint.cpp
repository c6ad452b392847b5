// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "timelineview_p.h"

#include <QDateTime>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <array>

namespace Rekindle {

namespace {

constexpr qint64 second = 1000;
constexpr qint64 minute = 60 * second;
constexpr qint64 hour = 60 * minute;
constexpr qint64 day = 24 * hour;
constexpr std::array<qint64, 31> tickIntervals = {
    1,         2,          5,          10,          20,          50,          100,
    200,       500,        second,     2 * second,  5 * second,  10 * second, 30 * second,
    minute,    2 * minute, 5 * minute, 10 * minute, 30 * minute, hour,        2 * hour,
    6 * hour,  12 * hour,  day,        2 * day,     7 * day,     30 * day,    60 * day,
    180 * day, 360 * day,  720 * day,
};

QString tickText(const QDateTime &time, qint64 interval)
{
    if (interval < second)
        return time.toString(QStringLiteral("HH:mm:ss.zzz"));
    if (interval < minute)
        return time.toString(QStringLiteral("HH:mm:ss"));
    const bool isMidnight = time.time().msecsSinceStartOfDay() == 0;
    return time.toString(interval < day && !isMidnight ? QStringLiteral("HH:mm")
                                                       : QStringLiteral("yyyy-MM-dd"));
}

} // namespace

void TimelineView::Private::paint(QPainter &painter, const QRect &area)
{
    const TimelinePaint::Frame frame = q->visibleFrame();
    const QPalette palette = q->palette();
    painter.fillRect(area, palette.color(QPalette::Base));
    if (frame.rowCount == 0) {
        const AgentSource *const source = q->source();
        const QString fault = source != nullptr ? source->fault() : QString();
        painter.setPen(palette.color(QPalette::Text));
        painter.drawText(q->viewport()->rect(), Qt::AlignCenter | Qt::TextWordWrap,
                         fault.isEmpty() ? TimelineView::tr("No agents") : fault);
        return;
    }
    history.update(model.data(), frame, deviceRowHeight(), palette, changedRows);
    changedRows.clear();
    const QRect times = timeArea();
    const double ratio = q->devicePixelRatioF();
    const QRect visible = area & times;
    const QRectF part(QPointF(visible.topLeft() - times.topLeft()) * ratio,
                      QSizeF(visible.size()) * ratio);
    if (!visible.isEmpty())
        painter.drawImage(QRectF(visible), history.picture(), part);
    paintNames(painter, area, frame);
    painter.setClipRect(q->viewport()->rect().adjusted(nameWidth, 0, 0, 0));
    paintAxis(painter, frame);
    if (showsFuture)
        paintFutures(painter, frame);
    paintSelection(painter);
}

void TimelineView::Private::paintAxis(QPainter &painter, const TimelinePaint::Frame &frame) const
{
    const QPalette palette = q->palette();
    const QRect area = timeArea();
    const qint64 length = (frame.to - frame.from).count();
    const int labelWidth = q->fontMetrics().horizontalAdvance(QStringLiteral("00:00:00.000")) + 16;
    const qint64 least = length * labelWidth / std::max(area.width(), 1);
    const auto *const found = std::lower_bound(tickIntervals.begin(), tickIntervals.end(), least);
    const qint64 interval =
        found == tickIntervals.end() ? (least / (360 * day) + 1) * 360 * day : *found;
    const qint64 from = frame.from.time_since_epoch().count();
    // Ticks are at whole units of local time.
    const qint64 offset = QDateTime::fromMSecsSinceEpoch(from).offsetFromUtc() * second;
    painter.setPen(palette.color(QPalette::Text));
    for (qint64 tick = ((from + offset) / interval) * interval - offset; tick < from + length;
         tick += interval) {
        const int x = q->positionOf(0, UtcTime(UtcTime::duration(tick))).x();
        painter.drawLine(x, area.top() - 4, x, area.top() - 1);
        painter.drawText(QRect(x + 3, 0, labelWidth, area.top()), Qt::AlignVCenter,
                         tickText(QDateTime::fromMSecsSinceEpoch(tick), interval));
    }
    if (frame.now < frame.from || frame.now >= frame.to)
        return;
    const int x = q->positionOf(0, frame.now).x();
    painter.setPen(QPen(palette.color(QPalette::Text), 1, Qt::DotLine));
    painter.drawLine(x, area.top(), x, area.bottom());
}

// The shape and the pattern of the state are a legend of the row.
void TimelineView::Private::paintNames(QPainter &painter, const QRect &area,
                                       const TimelinePaint::Frame &frame) const
{
    const QPalette palette = q->palette();
    const StateColors colors(StateColors::Scheme::Automatic, palette);
    const int margin = rowHeight / 4;
    for (int index = frame.firstRow; index < frame.firstRow + frame.rowCount; ++index) {
        const QRect rect(0, rowRect(index).top(), nameWidth, rowHeight);
        if (!rect.intersects(area))
            continue;
        const TimelineRow &row = model.data().row(index);
        const bool isCurrent = row.instanceId() == current;
        if (isCurrent)
            painter.fillRect(rect, palette.color(QPalette::Highlight));
        if (!row.changes().empty()) {
            const InstanceState state = row.changes().back().state();
            const QRectF square(margin, rect.top() + margin, rowHeight - 2 * margin,
                                rowHeight - 2 * margin);
            painter.setRenderHint(QPainter::Antialiasing);
            if (isCurrent) // the color of the selection can be any
                painter.fillRect(square.adjusted(-2, -2, 2, 2), palette.color(QPalette::Base));
            painter.fillPath(StateColors::glyph(state, square), colors.color(state));
            painter.setRenderHint(QPainter::Antialiasing, false);
        }
        painter.setPen(palette.color(isCurrent ? QPalette::HighlightedText : QPalette::Text));
        const QRect text = rect.adjusted(rowHeight, 0, -margin, 0);
        painter.drawText(text, Qt::AlignVCenter | Qt::TextSingleLine,
                         q->fontMetrics().elidedText(row.name(), Qt::ElideMiddle, text.width()));
    }
}

void TimelineView::Private::paintFutures(QPainter &painter, const TimelinePaint::Frame &frame)
{
    TimelinePaint::Frame ahead = frame;
    ahead.from = std::max(frame.from, frame.now);
    const double columnLength =
        static_cast<double>((frame.to - frame.from).count()) / timeArea().width();
    ahead.width = qRound(static_cast<double>((frame.to - ahead.from).count()) / columnLength);
    if (ahead.width <= 0)
        return;
    futures.paint(model.data(), ahead); // no states: they are in the picture
    const StateColors colors(StateColors::Scheme::Automatic, q->palette());
    const int left = timeArea().right() + 1 - ahead.width;
    for (const TimelinePaint::Box<TimelinePaint::Plan> &box : futures.futures) {
        const QRect row = rowRect(box.row);
        QRect rect(left + box.left, row.top() + 3, box.right - box.left, rowHeight - 6);
        switch (box.meaning) {
        case TimelinePaint::Plan::BreakerReset:
            painter.fillRect(rect.adjusted(0, rowHeight / 4, 0, -rowHeight / 4),
                             QBrush(colors.color(InstanceState::CircuitOpen), Qt::BDiagPattern));
            break;
        case TimelinePaint::Plan::StartBand:
            painter.fillRect(rect, QBrush(colors.color(InstanceState::Starting), Qt::FDiagPattern));
            painter.setPen(colors.color(InstanceState::Starting));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(rect.adjusted(0, 0, -1, -1));
            break;
        case TimelinePaint::Plan::Start:
            rect.setWidth(3);
            painter.fillRect(rect.translated(-1, 0), colors.color(InstanceState::Starting));
            break;
        }
    }
}

void TimelineView::Private::paintSelection(QPainter &painter) const
{
    const int row = currentRow();
    if (row < 0)
        return;
    painter.setBrush(Qt::NoBrush);
    const QRect rect = rowRect(row);
    painter.setClipRect(q->viewport()->rect().adjusted(0, rowHeight, 0, 0));
    painter.setPen(QPen(q->palette().color(QPalette::Highlight), q->hasFocus() ? 2 : 1));
    painter.drawRect(rect.adjusted(1, 1, -1, -1));
    if (!mark)
        return;
    const int reach = TimelineHistory::reach(rowHeight) + 2;
    const int x = q->positionOf(row, mark->at).x();
    if (x < nameWidth)
        return;
    painter.setPen(QPen(q->palette().color(QPalette::Text), 2));
    painter.drawRect(QRect(x - reach, rect.top() + 1, 2 * reach + 1, rowHeight - 2));
}

} // namespace Rekindle
