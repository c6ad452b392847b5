// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "internal/timelinecanvas.h"
#include "timelinepainter_p.h"

#include <QDateTime>
#include <QPainter>

#include <algorithm>
#include <cstring>

namespace Rekindle {

namespace {

using Plan = TimelinePaint::Plan;

constexpr int leastPatternWidth = 4; // a narrower bar has only a color

// In the order of InstanceState. Stopped is a thin line, see paintBars().
constexpr std::array<Qt::BrushStyle, instanceStateCount> patterns = {
    Qt::SolidPattern,  Qt::Dense4Pattern, Qt::SolidPattern, Qt::BDiagPattern, Qt::DiagCrossPattern,
    Qt::Dense6Pattern, Qt::FDiagPattern,  Qt::CrossPattern, Qt::HorPattern,   Qt::VerPattern};

// The states whose colors and shapes the kinds of marks have.
constexpr std::array<InstanceState, TimelineRow::markKindCount> statesOfMarks = {
    InstanceState::Waiting, InstanceState::Failed, InstanceState::CircuitOpen,
    InstanceState::Exhausted};

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

std::size_t stateOf(const TimelinePaint::Mark &mark)
{
    return static_cast<std::size_t>(statesOfMarks[static_cast<std::size_t>(mark.kind)]);
}

} // namespace

TimelinePainter::TimelinePainter(const TimelineCanvas &canvas)
    : m_canvas(canvas)
{
}

QColor TimelinePainter::color(QPalette::ColorRole role) const
{
    return m_canvas.surface().palette.color(role);
}

int TimelinePainter::top(int row) const { return (row - m_canvas.firstRow()) * m_rowHeight; }

void TimelinePainter::paint(QPainter &painter, const QRect &area)
{
    const StateColors colors(StateColors::Scheme::Automatic, m_canvas.surface().palette);
    const QRect all(QPoint(), m_canvas.surface().size);
    Frame frame = m_canvas.visibleFrame();
    painter.setFont(m_canvas.surface().font);
    painter.fillRect(area, color(QPalette::Base));
    if (frame.rowCount == 0) {
        const AgentSource *const source = m_canvas.model().source();
        const QString fault = source != nullptr ? source->fault() : QString();
        painter.setPen(color(QPalette::Text));
        painter.drawText(all, Qt::AlignCenter | Qt::TextWordWrap,
                         fault.isEmpty() ? TimelineCanvas::tr("No agents") : fault);
        return;
    }
    const QRect times = m_canvas.timeArea();
    const int end = frame.firstRow + frame.rowCount;
    const int height = m_canvas.rowHeight();
    const int above = std::max(area.top() - times.top(), 0) / height;
    const int below = std::max(area.bottom() - times.top() + height, 0) / height;
    frame.firstRow += above;
    frame.rowCount = std::max(std::min(frame.rowCount, below) - above, 0);
    if (const QRect visible = area & times; frame.width > 0 && !visible.isEmpty()) {
        prepareColors(colors);
        const QRectF part(QPointF(visible.topLeft() - times.topLeft())
                              * m_canvas.surface().pixelRatio,
                          QSizeF(visible.size()) * m_canvas.surface().pixelRatio);
        const QSize size(frame.width, top(end));
        if (m_picture.size() != size) // new memory is slow
            m_picture = QImage(size, QImage::Format_RGB32);
        QRect columns = part.toAlignedRect() & m_picture.rect();
        columns.setTop(top(frame.firstRow)); // whole rows
        columns.setBottom(top(frame.firstRow + frame.rowCount) - 1);
        paintPicture(frame, columns);
        painter.drawImage(QRectF(visible), m_picture, part);
    }
    paintNames(painter, frame, colors);
    painter.setClipRect(all.adjusted(m_canvas.nameWidth(), 0, 0, 0));
    paintAxis(painter, frame);
    if (m_canvas.showsFuture())
        paintFutures(painter, colors);
    paintSelection(painter, frame);
}

void TimelinePainter::prepareColors(const StateColors &colors)
{
    const QPalette &palette = m_canvas.surface().palette;
    const int rowHeight = qRound(m_canvas.rowHeight() * m_canvas.surface().pixelRatio);
    if (std::exchange(m_rowHeight, rowHeight) == rowHeight && m_palette == palette)
        return;
    m_palette = palette;
    QImage tile(tileSize, tileSize, QImage::Format_RGB32);
    for (std::size_t i = 0; i < patterns.size(); ++i) {
        const QColor color = colors.color(static_cast<InstanceState>(i));
        QColor pale = color;
        pale.setAlphaF(0.3F);
        QPainter painter(&tile);
        for (const QBrush &brush : {palette.base(), QBrush(pale), QBrush(color, patterns[i])})
            painter.fillRect(tile.rect(), brush);
        std::memcpy(m_patterns[i].data(), tile.constBits(), sizeof(Tile));
        m_colors[i] = color.rgb();
    }
    const int size = 2 * TimelineCanvas::reach(m_rowHeight) + 1;
    for (std::size_t i = 0; i < m_markPictures.size(); ++i) {
        m_markPictures[i] = QImage(size, size, QImage::Format_ARGB32_Premultiplied);
        m_markPictures[i].fill(Qt::transparent);
        QPainter painter(&m_markPictures[i]);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(palette.base()); // separates it from the bar
        painter.drawEllipse(0, 0, size, size);
        painter.fillPath(StateColors::glyph(statesOfMarks[i], QRectF(0, 0, size, size)),
                         colors.color(statesOfMarks[i]));
    }
}

void TimelinePainter::paintPicture(const Frame &frame, const QRect &area)
{
    m_paint.paint(m_canvas.model().rows(), frame);
    // The patterns move with the time.
    const qint64 column =
        frame.from.time_since_epoch().count() * frame.width / (frame.to - frame.from).count();
    m_phase = static_cast<int>(column % tileSize) + tileSize;
    m_pixels = reinterpret_cast<QRgb *>(m_picture.bits());
    m_stride = m_picture.width();
    m_area = area;
    paintBars();
    paintMarks();
}

// Narrow bars are set in one line of the row, which is then copied.
void TimelinePainter::paintBars()
{
    const int inset = std::max(1, m_rowHeight / 8);
    const auto lineAt = [this](int y) { return m_pixels + y * m_stride + m_area.left(); };
    const auto isNarrow = [](const auto &bar) { return bar.right - bar.left < leastPatternWidth; };
    for (int y = m_area.top(); y <= m_area.bottom(); ++y)
        std::fill_n(lineAt(y), m_area.width(), color(QPalette::Base).rgb());
    for (const auto &bar : m_paint.bars) {
        if (isNarrow(bar) && bar.meaning != InstanceState::Stopped)
            fill({bar.left, top(bar.row) + inset, bar.right - bar.left, 1},
                 m_colors[static_cast<std::size_t>(bar.meaning)]);
    }
    for (int y = m_area.top(); y <= m_area.bottom(); ++y) {
        const int inRow = y % m_rowHeight;
        if (inRow > inset && inRow < m_rowHeight - inset)
            std::copy_n(lineAt(y - inRow + inset), m_area.width(), lineAt(y));
    }
    for (const auto &bar : m_paint.bars) {
        const auto state = static_cast<std::size_t>(bar.meaning);
        QRect rect(bar.left, top(bar.row) + inset, bar.right - bar.left, m_rowHeight - 2 * inset);
        if (bar.meaning == InstanceState::Stopped)
            rect.adjust(0, m_rowHeight / 3, 0, -m_rowHeight / 3);
        if (!isNarrow(bar))
            fill(rect, m_patterns[state]);
        else if (bar.meaning == InstanceState::Stopped)
            fill(rect, m_colors[state]);
    }
}

// In a dense sequence, only the first mark and a more severe one have a shape.
void TimelinePainter::paintMarks()
{
    for (const Mark &mark : m_paint.marks)
        fill({mark.column, top(mark.row), 1, m_rowHeight}, m_colors[stateOf(mark)]);
    QPainter painter(&m_picture);
    painter.setClipRect(m_area);
    const int reach = TimelineCanvas::reach(m_rowHeight);
    const Mark *before = nullptr;
    for (const Mark &mark : m_paint.marks) {
        const bool isDense = before != nullptr && before->row == mark.row
            && mark.column - before->column <= reach && mark.kind <= before->kind;
        if (!isDense)
            painter.drawImage(mark.column - reach, top(mark.row) + 1,
                              m_markPictures[static_cast<std::size_t>(mark.kind)]);
        before = &mark;
    }
}

void TimelinePainter::fill(const QRect &rect, QRgb color)
{
    const int right = std::min(rect.right(), m_area.right());
    for (int x = std::max(rect.left(), m_area.left()); x <= right; ++x) {
        QRgb *pixel = m_pixels + rect.top() * m_stride + x;
        for (int y = rect.height(); y > 0; --y, pixel += m_stride)
            *pixel = color;
    }
}

void TimelinePainter::fill(const QRect &rect, const Tile &pattern)
{
    const int left = std::max(rect.left(), m_area.left());
    const int right = std::min(rect.right(), m_area.right()) + 1;
    for (int y = rect.top(); y <= rect.bottom(); ++y) {
        std::array<QRgb, tileSize> part = pattern[static_cast<std::size_t>(y % tileSize)];
        std::rotate(part.begin(), part.begin() + (left + m_phase) % tileSize, part.end());
        QRgb *const line = m_pixels + y * m_stride;
        for (int x = left; x < right; x += tileSize)
            std::copy_n(part.begin(), std::min(tileSize, right - x), line + x);
    }
}

// The shape and the pattern of the state are a legend of the row.
void TimelinePainter::paintNames(QPainter &painter, const Frame &frame,
                                 const StateColors &colors) const
{
    const int height = m_canvas.rowHeight();
    const int margin = height / 4;
    for (int index = frame.firstRow; index < frame.firstRow + frame.rowCount; ++index) {
        const QRect rect(0, m_canvas.rowRect(index).top(), m_canvas.nameWidth(), height);
        const TimelineRow &row = m_canvas.model().row(index);
        const bool isCurrent = row.instanceId() == m_canvas.currentAgent();
        if (isCurrent)
            painter.fillRect(rect, color(QPalette::Highlight));
        if (!row.changes().empty()) {
            const InstanceState state = row.changes().back().state();
            const QRectF square(margin, rect.top() + margin, height - 2 * margin,
                                height - 2 * margin);
            painter.setRenderHint(QPainter::Antialiasing);
            if (isCurrent) // the color of the selection can be any
                painter.fillRect(square.adjusted(-2, -2, 2, 2), color(QPalette::Base));
            painter.fillPath(StateColors::glyph(state, square), colors.color(state));
            painter.setRenderHint(QPainter::Antialiasing, false);
        }
        painter.setPen(color(isCurrent ? QPalette::HighlightedText : QPalette::Text));
        const QRect text = rect.adjusted(height, 0, -margin, 0);
        painter.drawText(
            text, Qt::AlignVCenter | Qt::TextSingleLine,
            painter.fontMetrics().elidedText(row.name(), Qt::ElideMiddle, text.width()));
    }
}

void TimelinePainter::paintAxis(QPainter &painter, const Frame &frame) const
{
    const QRect area = m_canvas.timeArea();
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
        const int x = m_canvas.xOf(UtcTime(UtcTime::duration(tick)));
        painter.drawLine(x, area.top() - 4, x, area.top() - 1);
        const QString text = tickText(QDateTime::fromMSecsSinceEpoch(tick), interval);
        if (x + 3 + painter.fontMetrics().horizontalAdvance(text) <= area.right())
            painter.drawText(QRect(x + 3, 0, labelWidth, area.top()), Qt::AlignVCenter, text);
    }
    if (frame.now < frame.from || frame.now >= frame.to)
        return;
    const int x = m_canvas.xOf(frame.now);
    painter.setPen(QPen(color(QPalette::Text), 1, Qt::DotLine));
    painter.drawLine(x, area.top(), x, area.bottom());
}

void TimelinePainter::paintFutures(QPainter &painter, const StateColors &colors) const
{
    const double ratio = m_canvas.surface().pixelRatio;
    for (const TimelinePaint::Box<Plan> &box : m_paint.futures) {
        QRectF rect = m_canvas.rowRect(box.row).adjusted(0, 3, 0, -3);
        rect.setLeft(m_canvas.nameWidth() + box.left / ratio);
        rect.setRight(m_canvas.nameWidth() + box.right / ratio);
        switch (box.meaning) {
        case Plan::BreakerReset:
            painter.fillRect(rect.adjusted(0, rect.height() / 4, 0, -rect.height() / 4),
                             QBrush(colors.color(InstanceState::CircuitOpen), Qt::BDiagPattern));
            break;
        case Plan::StartBand:
            painter.setPen(colors.color(InstanceState::Starting));
            painter.setBrush(QBrush(colors.color(InstanceState::Starting), Qt::FDiagPattern));
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
    if (row < frame.firstRow || row >= frame.firstRow + frame.rowCount)
        return;
    painter.setBrush(Qt::NoBrush);
    const QRect rect = m_canvas.rowRect(row);
    painter.setClipRect(rect);
    painter.setPen(QPen(color(QPalette::Highlight), m_canvas.surface().hasFocus ? 2 : 1));
    painter.drawRect(rect.adjusted(1, 1, -1, -1));
    const std::optional<TimelineRow::Mark> mark = m_canvas.currentMark();
    if (!mark)
        return;
    const int reach = TimelineCanvas::reach(m_canvas.rowHeight()) + 2;
    const int x = m_canvas.xOf(mark->at);
    painter.setClipRect(rect.adjusted(m_canvas.nameWidth(), 0, 0, 0));
    painter.setPen(QPen(color(QPalette::Text), 2));
    painter.drawRect(QRect(x - reach, rect.top() + 1, 2 * reach + 1, rect.height() - 2));
}

} // namespace Rekindle
