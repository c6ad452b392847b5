// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "timelinehistory_p.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace Rekindle {

namespace {

using MarkKind = TimelineRow::MarkKind;

constexpr int patternPeriod = 8;     // of Qt's brushes
constexpr int leastPatternWidth = 4; // a narrower bar has only a color

// In the order of InstanceState. Stopped is a thin line, see paintBars().
constexpr std::array<Qt::BrushStyle, instanceStateCount> patterns = {
    Qt::SolidPattern,  Qt::Dense4Pattern, Qt::SolidPattern, Qt::BDiagPattern, Qt::DiagCrossPattern,
    Qt::Dense6Pattern, Qt::FDiagPattern,  Qt::CrossPattern, Qt::HorPattern,   Qt::VerPattern};

// The states whose colors the kinds of marks have.
constexpr std::array<InstanceState, TimelineRow::markKindCount> statesOfMarks = {
    InstanceState::Waiting, InstanceState::Failed, InstanceState::CircuitOpen,
    InstanceState::Exhausted};

QColor colorOf(MarkKind kind, const StateColors &colors)
{
    return colors.color(statesOfMarks[static_cast<std::size_t>(kind)]);
}

// A shape for each kind.
void paintMark(QPainter &painter, MarkKind kind, const QRectF &square, const QPalette &palette)
{
    const QRectF inner = square.adjusted(1, 1, -1, -1);
    painter.setPen(palette.color(QPalette::Base)); // separates it from the bar
    painter.setBrush(colorOf(kind, {StateColors::Scheme::Automatic, palette}));
    if (kind == MarkKind::LongHold) // an hourglass
        painter.drawPolygon(QPolygonF(
            {inner.topLeft(), inner.topRight(), inner.bottomLeft(), inner.bottomRight()}));
    else if (kind == MarkKind::Failure)
        painter.drawPolygon(QPolygonF(
            {QPointF(inner.center().x(), inner.bottom()), inner.topLeft(), inner.topRight()}));
    else if (kind == MarkKind::BreakerOpened)
        painter.drawEllipse(inner);
    else
        painter.drawRect(inner);
}

} // namespace

void TimelineHistory::update(const TimelineData &data, const TimelinePaint::Frame &frame,
                             int rowHeight, const QPalette &palette, const QList<int> &changedRows)
{
    const TimelinePaint::Frame before = std::exchange(m_frame, frame);
    const qint64 length = (frame.to - frame.from).count();
    if (frame.width <= 0 || frame.rowCount <= 0 || length <= 0) {
        invalidate();
        return;
    }
    const qint64 moved = (frame.from - before.from).count() * frame.width;
    const bool isSameView = !m_picture.isNull() && m_rowHeight == rowHeight && m_palette == palette
        && before.width == frame.width && before.firstRow == frame.firstRow
        && before.rowCount == frame.rowCount && before.to - before.from == frame.to - frame.from;
    m_rowHeight = rowHeight;
    if (!isSameView || moved % length != 0 || std::abs(moved / length) >= frame.width) {
        m_palette = palette;
        paintAll(data);
        return;
    }
    const int last = frame.firstRow + frame.rowCount;
    const int reached = reach(rowHeight);
    if (const int columns = static_cast<int>(moved / length); columns != 0) {
        m_picture.scroll(-columns, 0, m_picture.rect());
        if (columns > 0)
            paintPart(data, frame.width - columns - reached, frame.width, frame.firstRow, last);
        else
            paintPart(data, 0, reached - columns, frame.firstRow, last);
    }
    // Where the states ended before, in the columns of this frame.
    TimelinePaint::Frame then = frame;
    then.now = before.now;
    if (before.now != frame.now)
        paintPart(data, columnOfNow(then) - reached, columnOfNow(frame) + 1 + reached,
                  frame.firstRow, last);
    for (const int row : changedRows) {
        if (row >= frame.firstRow && row < last)
            paintPart(data, 0, frame.width, row, row + 1);
    }
}

int TimelineHistory::columnOfNow(const TimelinePaint::Frame &frame) const
{
    const UtcTime now = std::clamp(frame.now, frame.from, frame.to);
    return static_cast<int>((now - frame.from).count() * frame.width
                            / (frame.to - frame.from).count());
}

void TimelineHistory::paintAll(const TimelineData &data)
{
    m_picture = QPixmap(m_frame.width, m_frame.rowCount * m_rowHeight);
    const int size = 2 * reach(m_rowHeight) + 1;
    for (std::size_t kind = 0; kind < m_markPictures.size(); ++kind) {
        QPixmap &picture = m_markPictures[kind];
        picture = QPixmap(size, size);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        painter.setRenderHint(QPainter::Antialiasing);
        paintMark(painter, static_cast<MarkKind>(kind), QRectF(0, 0, size, size), m_palette);
    }
    paintPart(data, 0, m_frame.width, m_frame.firstRow, m_frame.firstRow + m_frame.rowCount);
}

void TimelineHistory::paintPart(const TimelineData &data, int left, int right, int first, int last)
{
    left = std::max(left, 0);
    right = std::min(right, m_frame.width);
    if (left >= right)
        return;
    // Marks reach into neighboring columns, and the form of a mark depends on the one before it.
    const int margin = 2 * reach(m_rowHeight) + leastPatternWidth;
    TimelinePaint::Frame part = m_frame;
    part.firstRow = first;
    part.rowCount = last - first;
    const qint64 length = (m_frame.to - m_frame.from).count();
    int offset = 0;
    if (length % m_frame.width == 0) {
        const auto timeOf = [&](int column) {
            return m_frame.from + UtcTime::duration(length / m_frame.width * column);
        };
        offset = left - margin;
        part.width = right - left + 2 * margin;
        part.from = timeOf(offset);
        part.to = timeOf(right + margin);
    }
    m_paint.paint(data, part);
    QPainter painter(&m_picture);
    const QRect area(left, top(first), right - left, (last - first) * m_rowHeight);
    painter.setClipRect(area);
    painter.fillRect(area, m_palette.color(QPalette::Base));
    paintBars(painter, offset);
    paintMarks(painter, offset);
}

void TimelineHistory::paintBars(QPainter &painter, int offset)
{
    struct Fill
    {
        QBrush background;
        QBrush pattern;
    };
    const StateColors colors(StateColors::Scheme::Automatic, m_palette);
    std::array<Fill, instanceStateCount> fills;
    for (std::size_t i = 0; i < fills.size(); ++i) {
        const auto state = static_cast<InstanceState>(i);
        QColor pale = colors.color(state);
        pale.setAlphaF(0.3F);
        fills[i] = {pale, QBrush(colors.color(state), patterns[i])};
    }
    // The patterns move with the time.
    const qint64 column = m_frame.from.time_since_epoch().count() * m_frame.width
        / (m_frame.to - m_frame.from).count();
    painter.setBrushOrigin(-static_cast<int>(column % patternPeriod), 0);
    const int inset = std::max(1, m_rowHeight / 8);
    for (const TimelinePaint::Box<InstanceState> &bar : m_paint.bars) {
        QRect rect(bar.left + offset, top(bar.row) + inset, bar.right - bar.left,
                   m_rowHeight - 2 * inset);
        if (bar.meaning == InstanceState::Stopped)
            rect.adjust(0, m_rowHeight / 3, 0, -m_rowHeight / 3);
        const Fill &fill = fills[static_cast<std::size_t>(bar.meaning)];
        const bool isSolid = fill.pattern.style() == Qt::SolidPattern;
        if (isSolid || rect.width() < leastPatternWidth) {
            painter.fillRect(rect, fill.pattern.color());
        } else {
            painter.fillRect(rect, fill.background);
            painter.fillRect(rect, fill.pattern);
        }
    }
}

// In a dense sequence, only the first mark and a more severe one have a shape.
void TimelineHistory::paintMarks(QPainter &painter, int offset)
{
    const StateColors colors(StateColors::Scheme::Automatic, m_palette);
    const int reached = reach(m_rowHeight);
    const TimelinePaint::Mark *before = nullptr;
    for (const TimelinePaint::Mark &mark : m_paint.marks) {
        const int column = mark.column + offset;
        painter.fillRect(column, top(mark.row), 1, m_rowHeight, colorOf(mark.kind, colors));
        const bool isDense = before != nullptr && before->row == mark.row
            && mark.column - before->column <= reached && mark.kind <= before->kind;
        if (!isDense)
            painter.drawPixmap(column - reached, top(mark.row) + 1,
                               m_markPictures[static_cast<std::size_t>(mark.kind)]);
        before = &mark;
    }
}

} // namespace Rekindle
