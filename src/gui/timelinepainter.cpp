// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "timelinepainter_p.h"

#include <QDateTime>
#include <QPainter>

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

TimelinePainter::TimelinePainter(const TimelineCanvas &canvas)
    : m_canvas(canvas)
    , m_layout(canvas.layout())
{
}

QColor TimelinePainter::color(QPalette::ColorRole role) const
{
    return m_canvas.surface().palette.color(role);
}

void TimelinePainter::paint(QPainter &painter, const QRect &area)
{
    const Frame frame = m_canvas.visibleFrame();
    painter.setFont(m_canvas.surface().font);
    painter.fillRect(area, color(QPalette::Base));
    if (frame.rowCount == 0) {
        const AgentSource *const source = m_canvas.model().source();
        const QString fault = source != nullptr ? source->fault() : QString();
        painter.setPen(color(QPalette::Text));
        painter.drawText(m_layout.area(), Qt::AlignCenter | Qt::TextWordWrap,
                         fault.isEmpty() ? TimelineCanvas::tr("No agents") : fault);
        return;
    }
    m_history.update(m_canvas.model().data(), frame, m_layout.deviceRowHeight(),
                     m_canvas.surface().palette);
    const QRect times = m_layout.timeArea();
    const QRect visible = area & times;
    const QRectF part(QPointF(visible.topLeft() - times.topLeft()) * m_layout.pixelRatio,
                      QSizeF(visible.size()) * m_layout.pixelRatio);
    if (!visible.isEmpty())
        painter.drawImage(QRectF(visible), m_history.picture(), part);
    paintNames(painter, area, frame);
    painter.setClipRect(m_layout.area().adjusted(m_layout.nameWidth, 0, 0, 0));
    paintAxis(painter, frame);
    if (m_canvas.showsFuture())
        paintFutures(painter, frame);
    paintSelection(painter, frame);
}

void TimelinePainter::paintAxis(QPainter &painter, const Frame &frame) const
{
    const QRect area = m_layout.timeArea();
    const qint64 length = (frame.to - frame.from).count();
    const int labelWidth =
        painter.fontMetrics().horizontalAdvance(QStringLiteral("00:00:00.000")) + 16;
    const qint64 least = length * labelWidth / std::max(area.width(), 1);
    const auto *const found = std::lower_bound(tickIntervals.begin(), tickIntervals.end(), least);
    const qint64 interval =
        found == tickIntervals.end() ? (least / (360 * day) + 1) * 360 * day : *found;
    const qint64 from = frame.from.time_since_epoch().count();
    // Ticks are at whole units of local time.
    const qint64 offset = QDateTime::fromMSecsSinceEpoch(from).offsetFromUtc() * second;
    painter.setPen(color(QPalette::Text));
    for (qint64 tick = ((from + offset) / interval) * interval - offset; tick < from + length;
         tick += interval) {
        const int x = m_layout.xOf(frame, UtcTime(UtcTime::duration(tick)));
        painter.drawLine(x, area.top() - 4, x, area.top() - 1);
        painter.drawText(QRect(x + 3, 0, labelWidth, area.top()), Qt::AlignVCenter,
                         tickText(QDateTime::fromMSecsSinceEpoch(tick), interval));
    }
    if (frame.now < frame.from || frame.now >= frame.to)
        return;
    const int x = m_layout.xOf(frame, frame.now);
    painter.setPen(QPen(color(QPalette::Text), 1, Qt::DotLine));
    painter.drawLine(x, area.top(), x, area.bottom());
}

// The shape and the pattern of the state are a legend of the row.
void TimelinePainter::paintNames(QPainter &painter, const QRect &area, const Frame &frame) const
{
    const StateColors colors(StateColors::Scheme::Automatic, m_canvas.surface().palette);
    const int margin = m_layout.rowHeight / 4;
    for (int index = frame.firstRow; index < frame.firstRow + frame.rowCount; ++index) {
        const QRect rect(0, m_layout.rowRect(index).top(), m_layout.nameWidth, m_layout.rowHeight);
        if (!rect.intersects(area))
            continue;
        const TimelineRow &row = m_canvas.model().data().row(index);
        const bool isCurrent = row.instanceId() == m_canvas.currentAgent();
        if (isCurrent)
            painter.fillRect(rect, color(QPalette::Highlight));
        if (!row.changes().empty()) {
            const InstanceState state = row.changes().back().state();
            const QRectF square(margin, rect.top() + margin, m_layout.rowHeight - 2 * margin,
                                m_layout.rowHeight - 2 * margin);
            painter.setRenderHint(QPainter::Antialiasing);
            if (isCurrent) // the color of the selection can be any
                painter.fillRect(square.adjusted(-2, -2, 2, 2), color(QPalette::Base));
            painter.fillPath(StateColors::glyph(state, square), colors.color(state));
            painter.setRenderHint(QPainter::Antialiasing, false);
        }
        painter.setPen(color(isCurrent ? QPalette::HighlightedText : QPalette::Text));
        const QRect text = rect.adjusted(m_layout.rowHeight, 0, -margin, 0);
        painter.drawText(
            text, Qt::AlignVCenter | Qt::TextSingleLine,
            painter.fontMetrics().elidedText(row.name(), Qt::ElideMiddle, text.width()));
    }
}

void TimelinePainter::paintFutures(QPainter &painter, const Frame &frame)
{
    Frame ahead = frame;
    ahead.from = std::max(frame.from, frame.now);
    const double columnLength =
        static_cast<double>((frame.to - frame.from).count()) / m_layout.timeArea().width();
    ahead.width = qRound(static_cast<double>((frame.to - ahead.from).count()) / columnLength);
    if (ahead.width <= 0)
        return;
    using Plan = TimelinePaint::Plan;
    m_futures.paint(m_canvas.model().data(), ahead); // no states: they are in the picture
    const StateColors colors(StateColors::Scheme::Automatic, m_canvas.surface().palette);
    const int left = m_layout.timeArea().right() + 1 - ahead.width;
    for (const TimelinePaint::Box<Plan> &box : m_futures.futures) {
        const QRect row = m_layout.rowRect(box.row);
        QRect rect(left + box.left, row.top() + 3, box.right - box.left, m_layout.rowHeight - 6);
        switch (box.meaning) {
        case Plan::BreakerReset:
            painter.fillRect(rect.adjusted(0, m_layout.rowHeight / 4, 0, -m_layout.rowHeight / 4),
                             QBrush(colors.color(InstanceState::CircuitOpen), Qt::BDiagPattern));
            break;
        case Plan::StartBand:
            painter.fillRect(rect, QBrush(colors.color(InstanceState::Starting), Qt::FDiagPattern));
            painter.setPen(colors.color(InstanceState::Starting));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(rect.adjusted(0, 0, -1, -1));
            break;
        case Plan::Start:
            rect.setWidth(3);
            painter.fillRect(rect.translated(-1, 0), colors.color(InstanceState::Starting));
            break;
        }
    }
}

void TimelinePainter::paintSelection(QPainter &painter, const Frame &frame) const
{
    const int row = m_canvas.currentRow();
    if (row < 0)
        return;
    painter.setBrush(Qt::NoBrush);
    const QRect rect = m_layout.rowRect(row);
    painter.setClipRect(m_layout.area().adjusted(0, m_layout.rowHeight, 0, 0));
    painter.setPen(QPen(color(QPalette::Highlight), m_canvas.surface().hasFocus ? 2 : 1));
    painter.drawRect(rect.adjusted(1, 1, -1, -1));
    const std::optional<TimelineRow::Mark> mark = m_canvas.currentMark();
    if (!mark)
        return;
    const int reach = TimelineHistory::reach(m_layout.rowHeight) + 2;
    const int x = m_layout.xOf(frame, mark->at);
    if (x < m_layout.nameWidth)
        return;
    painter.setPen(QPen(color(QPalette::Text), 2));
    painter.drawRect(QRect(x - reach, rect.top() + 1, 2 * reach + 1, m_layout.rowHeight - 2));
}

} // namespace Rekindle
