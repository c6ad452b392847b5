// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "timelinehistory_p.h"

#include <QPainter>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace Rekindle {

namespace {

using MarkKind = TimelineRow::MarkKind;

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
                             int rowHeight, const QPalette &palette)
{
    const TimelinePaint::Frame before = std::exchange(m_frame, frame);
    const qint64 length = (frame.to - frame.from).count();
    if (frame.width <= 0 || frame.rowCount <= 0 || length <= 0) {
        invalidate();
        return;
    }
    const qint64 moved = (frame.from - before.from).count() * frame.width;
    const bool isSameView = m_isValid && m_rowHeight == rowHeight && m_palette == palette
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
        scroll(columns);
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
    for (int row = frame.firstRow; row < last; ++row) {
        const quint64 revision = data.row(row).revision();
        quint64 &painted = m_revisions[static_cast<std::size_t>(row - frame.firstRow)];
        if (std::exchange(painted, revision) != revision)
            paintPart(data, 0, frame.width, row, row + 1);
    }
}

int TimelineHistory::columnOfNow(const TimelinePaint::Frame &frame) const
{
    const UtcTime now = std::clamp(frame.now, frame.from, frame.to);
    return static_cast<int>((now - frame.from).count() * frame.width
                            / (frame.to - frame.from).count());
}

void TimelineHistory::scroll(int columns)
{
    const auto kept = static_cast<std::size_t>(m_frame.width - std::abs(columns));
    for (int y = 0; y < m_picture.height(); ++y) {
        auto *const line = reinterpret_cast<QRgb *>(m_picture.scanLine(y));
        std::memmove(line + std::max(-columns, 0), line + std::max(columns, 0),
                     kept * sizeof(QRgb));
    }
}

void TimelineHistory::preparePaints()
{
    const StateColors colors(StateColors::Scheme::Automatic, m_palette);
    QImage image(tileSize, tileSize, QImage::Format_RGB32);
    const auto tileOf = [&](const QBrush &background, const QBrush &foreground) {
        QPainter painter(&image);
        for (const QBrush &brush : {m_palette.base(), background, foreground})
            painter.fillRect(image.rect(), brush);
        Tile tile{};
        std::memcpy(tile.data(), image.constBits(), sizeof(tile));
        return tile;
    };
    m_background = tileOf(Qt::NoBrush, Qt::NoBrush);
    for (std::size_t i = 0; i < m_patterns.size(); ++i) {
        const QColor color = colors.color(static_cast<InstanceState>(i));
        QColor pale = color;
        pale.setAlphaF(0.3F);
        m_patterns[i] = tileOf(pale, QBrush(color, patterns[i]));
        m_colors[i] = tileOf(color, Qt::NoBrush);
    }
    const int size = 2 * reach(m_rowHeight) + 1;
    for (std::size_t i = 0; i < m_markPictures.size(); ++i) {
        const auto kind = static_cast<MarkKind>(i);
        m_markColors[i] = tileOf(colorOf(kind, colors), Qt::NoBrush);
        QImage &picture = m_markPictures[i];
        picture = QImage(size, size, QImage::Format_ARGB32_Premultiplied);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        painter.setRenderHint(QPainter::Antialiasing);
        paintMark(painter, kind, QRectF(0, 0, size, size), m_palette);
    }
}

void TimelineHistory::paintAll(const TimelineData &data)
{
    const QSize size(m_frame.width, m_frame.rowCount * m_rowHeight);
    if (m_picture.size() != size) // new memory is slow
        m_picture = QImage(size, QImage::Format_RGB32);
    m_isValid = true;
    m_revisions.clear();
    for (int row = 0; row < m_frame.rowCount; ++row)
        m_revisions.push_back(data.row(m_frame.firstRow + row).revision());
    preparePaints();
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
    // The patterns move with the time.
    const qint64 column = m_frame.from.time_since_epoch().count() * m_frame.width / length;
    m_phase = static_cast<unsigned>(column % tileSize + tileSize);
    const QRect area(left, top(first), right - left, (last - first) * m_rowHeight);
    fill(area, m_background);
    paintBars(area, offset);
    paintMarks(area, offset);
}

void TimelineHistory::fill(const QRect &rect, const Tile &tile)
{
    const auto left = static_cast<unsigned>(rect.left());
    const auto width = static_cast<unsigned>(rect.width());
    auto *const pixels = reinterpret_cast<QRgb *>(m_picture.bits());
    for (int y = rect.top(); y <= rect.bottom(); ++y) {
        QRgb *const line = pixels + qsizetype{y} * m_frame.width + left;
        const QRgb *const pattern = tile.data() + std::ptrdiff_t{y % tileSize} * tileSize;
        for (unsigned x = 0; x < width; ++x)
            line[x] = pattern[(left + x + m_phase) % tileSize];
    }
}

void TimelineHistory::paintBars(const QRect &area, int offset)
{
    const int inset = std::max(1, m_rowHeight / 8);
    for (const TimelinePaint::Box<InstanceState> &bar : m_paint.bars) {
        QRect rect(bar.left + offset, top(bar.row) + inset, bar.right - bar.left,
                   m_rowHeight - 2 * inset);
        if (bar.meaning == InstanceState::Stopped)
            rect.adjust(0, m_rowHeight / 3, 0, -m_rowHeight / 3);
        const bool isNarrow = rect.width() < leastPatternWidth;
        fill(rect & area,
             (isNarrow ? m_colors : m_patterns)[static_cast<std::size_t>(bar.meaning)]);
    }
}

// In a dense sequence, only the first mark and a more severe one have a shape.
void TimelineHistory::paintMarks(const QRect &area, int offset)
{
    const auto indexOf = [](const TimelinePaint::Mark &mark) {
        return static_cast<std::size_t>(mark.kind);
    };
    for (const TimelinePaint::Mark &mark : m_paint.marks)
        fill(QRect(mark.column + offset, top(mark.row), 1, m_rowHeight) & area,
             m_markColors[indexOf(mark)]);
    QPainter painter(&m_picture);
    painter.setClipRect(area);
    const int reached = reach(m_rowHeight);
    const TimelinePaint::Mark *before = nullptr;
    for (const TimelinePaint::Mark &mark : m_paint.marks) {
        const bool isDense = before != nullptr && before->row == mark.row
            && mark.column - before->column <= reached && mark.kind <= before->kind;
        if (!isDense)
            painter.drawImage(mark.column + offset - reached, top(mark.row) + 1,
                              m_markPictures[indexOf(mark)]);
        before = &mark;
    }
}

} // namespace Rekindle
