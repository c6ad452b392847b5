// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "internal/timelinecanvas.h"
#include "models/internal/statewords.h"
#include "timelinepainter_p.h"

#include <QFontMetrics>
#include <QGuiApplication>
#include <QStyleHints>
#include <QWheelEvent>
#include <QtMath>

#include <cmath>
#include <utility>

namespace Rekindle {

namespace {

using std::chrono::milliseconds;
using Mark = TimelineRow::Mark;

constexpr UtcTime::duration tick{1};
constexpr milliseconds repaintInterval{100};
// The picture of a column of this length or more can be scrolled.
constexpr qint64 leastScrolledColumn = 10;
constexpr double wheelStep = 120; // of a usual wheel

constexpr qsizetype longestText = 500;

// In the order of MarkKind.
constexpr std::array kindTexts{
    QT_TRANSLATE_NOOP("Rekindle::TimelineCanvas", "start held back for more than 10 s"),
    QT_TRANSLATE_NOOP("Rekindle::TimelineCanvas", "failure"),
    QT_TRANSLATE_NOOP("Rekindle::TimelineCanvas", "circuit breaker opened"),
    QT_TRANSLATE_NOOP("Rekindle::TimelineCanvas", "given up")};

// A multiple is a whole number of device pixels with the usual scale factors.
int roundedUp(int length) { return (length + 3) / 4 * 4; }

} // namespace

TimelineCanvas::TimelineCanvas(QObject *parent)
    : QObject(parent)
    , m_painter(std::make_unique<TimelinePainter>(*this))
{
    m_refreshing.setInterval(repaintInterval);
    connect(&m_refreshing, &QTimer::timeout, this, &TimelineCanvas::refresh);
    connect(&m_model, &TimelineModel::reset, this, [this] { m_isReset = true; });
    connect(&m_model, &TimelineModel::viewChanged, this, [this] {
        updateAll();
        Q_EMIT viewChanged();
    });
    updateLayout();
}

TimelineCanvas::~TimelineCanvas() = default;

void TimelineCanvas::setSource(AgentSource *source)
{
    if (source == m_model.source())
        return;
    if (m_model.source() != nullptr)
        disconnect(m_model.source(), nullptr, this, nullptr);
    m_model.setSource(source);
    if (source != nullptr)
        connect(source, &AgentSource::availabilityChanged, this, &TimelineCanvas::updateAll);
    setCurrentAgent({});
    Q_EMIT sourceChanged();
}

void TimelineCanvas::setFollow(bool follow)
{
    if (follow)
        m_model.setFrom({});
    else if (m_model.follow())
        m_model.setFrom(visibleFrame().from);
}

void TimelineCanvas::setShowFuture(bool show)
{
    if (std::exchange(m_showsFuture, show) == show)
        return;
    updateAll();
    Q_EMIT viewChanged();
}

void TimelineCanvas::setCurrentAgent(const QUuid &instanceId)
{
    const QUuid id = m_model.indexOf(instanceId) >= 0 ? instanceId : QUuid();
    if (std::exchange(m_current, id) == id)
        return;
    m_mark.reset();
    updateDescription();
    updateAll();
    Q_EMIT currentAgentChanged(id);
}

void TimelineCanvas::setSurface(const Surface &surface)
{
    if (m_surface == surface)
        return;
    m_surface = surface;
    updateLayout();
}

TimelinePaint::Frame TimelineCanvas::visibleFrame() const
{
    const int width = std::max(qRound(timeArea().width() * m_surface.pixelRatio), 0);
    const int most = std::max(timeArea().height(), 0) / m_rowHeight + 1;
    TimelinePaint::Frame frame = m_model.frame(
        now(), width, m_firstRow, std::clamp(m_model.rowCount() - m_firstRow, 0, most));
    if (width == 0)
        return frame;
    const qint64 column = (m_model.span().count() + width / 2) / width;
    if (column >= leastScrolledColumn) {
        const qint64 from = frame.from.time_since_epoch().count();
        frame.from -= UtcTime::duration(((from % column) + column) % column);
        frame.to = frame.from + UtcTime::duration(column * width);
    }
    return frame;
}

void TimelineCanvas::setFirstRow(int row)
{
    row = std::clamp(row, 0, lastFirstRow());
    if (std::exchange(m_firstRow, row) == row)
        return;
    updateAll();
    Q_EMIT rowsScrolled();
}

int TimelineCanvas::lastFirstRow() const { return std::max(m_model.rowCount() - pageRows(), 0); }

int TimelineCanvas::pageRows() const { return std::max(timeArea().height() / m_rowHeight, 1); }

QRect TimelineCanvas::timeArea() const
{
    return QRect(QPoint(), m_surface.size).adjusted(m_nameWidth, m_rowHeight, 0, 0);
}

QRect TimelineCanvas::rowRect(int row) const
{
    return {0, m_rowHeight * (1 + row - m_firstRow), m_surface.size.width(), m_rowHeight};
}

int TimelineCanvas::rowAt(int y) const
{
    const int row = y / m_rowHeight - 1 + m_firstRow;
    return y >= m_rowHeight && row < m_model.rowCount() ? row : -1;
}

int TimelineCanvas::xOf(UtcTime time) const
{
    const TimelinePaint::Frame frame = visibleFrame();
    const double part =
        std::chrono::duration<double, std::milli>(time - frame.from) / (frame.to - frame.from);
    return m_nameWidth + qFloor(std::clamp(part * timeArea().width(), -1e6, 1e6));
}

UtcTime TimelineCanvas::timeAt(int x) const
{
    const TimelinePaint::Frame frame = visibleFrame();
    return frame.from
        + (frame.to - frame.from) * (x - m_nameWidth) / std::max(timeArea().width(), 1);
}

void TimelineCanvas::setVisible(bool isVisible)
{
    if (!isVisible) {
        m_refreshing.stop();
        return;
    }
    m_isReset = true;
    refresh();
    m_refreshing.start();
}

void TimelineCanvas::paint(QPainter &painter, const QRect &area)
{
    m_painter->paint(painter, area);
}

QString TimelineCanvas::toolTip(const QPoint &position) const
{
    const int row = rowAt(position.y());
    if (row < 0)
        return {};
    const std::optional<TimelinePaint::Mark> mark = markNear(position);
    if (!mark)
        return textOf(m_model.row(row));
    const QString event = m_model.text(mark->latest).left(longestText);
    QStringList lines{m_model.row(row).name(), toLocalText(mark->latest.at),
                      event.isEmpty() ? tr(kindTexts[static_cast<std::size_t>(mark->kind)])
                                      : event};
    if (mark->count > 1)
        lines.append(tr("more marks: %1").arg(mark->count - 1));
    return lines.join(u'\n');
}

QString TimelineCanvas::textOf(const TimelineRow &row) const
{
    QStringList parts;
    if (!row.changes().empty()) {
        const TimelineRow::Change &last = row.changes().back();
        parts.append(tr("%1 since %2")
                         .arg(StateWords::ofState(toText(last.state())), toLocalText(last.time())));
    }
    if (row.future().start && m_showsFuture)
        parts.append(tr("next start at %1").arg(toLocalText(*row.future().start)));
    for (std::size_t kind = kindTexts.size(); kind-- > 0;) {
        if (const auto count = row.marks(static_cast<TimelineRow::MarkKind>(kind)).size();
            count > 0)
            parts.append(
                tr("%1 (%2)", "kind of a mark and its number").arg(tr(kindTexts[kind])).arg(count));
    }
    return tr("%1: %2").arg(row.name(), parts.join(QLatin1String("; ")));
}

// While there is no source, the time stands still.
UtcTime TimelineCanvas::now() const
{
    return m_model.source() != nullptr ? m_model.source()->utcNow() : m_shown.now;
}

UtcTime TimelineCanvas::oldest() const
{
    UtcTime oldest = now();
    for (const TimelineRow &row : m_model.rows()) {
        if (!row.changes().empty())
            oldest = std::min(oldest, row.changes().front().time());
    }
    return oldest;
}

std::optional<TimelinePaint::Mark> TimelineCanvas::markNear(const QPoint &position) const
{
    const int row = rowAt(position.y());
    if (row < 0 || position.x() < m_nameWidth)
        return {};
    const UtcTime from = timeAt(position.x() - reach(m_rowHeight));
    const UtcTime to = timeAt(position.x() + reach(m_rowHeight)) + tick;
    TimelinePaint paint;
    paint.paint(m_model.rows(), {from, to, now(), 1, row, 1});
    return paint.marks.empty() ? std::nullopt : std::optional(paint.marks.front());
}

void TimelineCanvas::updateAll() { Q_EMIT updateNeeded({QPoint(), m_surface.size}); }

void TimelineCanvas::updateLayout()
{
    const QFontMetrics metrics(m_surface.font);
    QString longest;
    for (const TimelineRow &row : m_model.rows()) {
        if (const QString name = row.name(); name.size() > longest.size())
            longest = name;
    }
    m_rowHeight = roundedUp(metrics.height() + 6);
    const int least = 4 * m_rowHeight;
    m_nameWidth = roundedUp(std::clamp(metrics.horizontalAdvance(longest) + 2 * m_rowHeight, least,
                                       std::max(least, m_surface.size.width() / 4)));
    m_firstRow = std::min(m_firstRow, lastFirstRow());
    updateAll();
    Q_EMIT rowsScrolled();
}

// Ten times a second while the owner is visible.
void TimelineCanvas::refresh()
{
    m_model.advance(now());
    if (std::exchange(m_isReset, false)) {
        updateLayout();
        if (currentRow() < 0)
            setCurrentAgent({});
    }
    TimelinePaint::Frame before = std::exchange(m_shown, visibleFrame());
    const int left = xOf(before.now) - m_rowHeight;
    before.now = m_shown.now;
    if (before != m_shown)
        updateAll();
    else // what is between both times
        Q_EMIT updateNeeded(
            {left, 0, xOf(m_shown.now) + m_rowHeight - left, m_surface.size.height()});
    m_shownRevisions.resize(static_cast<std::size_t>(m_shown.rowCount));
    int row = m_shown.firstRow;
    for (quint64 &shown : m_shownRevisions) {
        const quint64 revision = m_model.row(row).revision();
        if (std::exchange(shown, revision) != revision)
            Q_EMIT updateNeeded(rowRect(row));
        ++row;
    }
    updateDescription();
}

void TimelineCanvas::updateDescription()
{
    const int row = currentRow();
    QString text = row < 0 ? QString() : textOf(m_model.row(row));
    if (row >= 0 && m_mark)
        text = tr("%1. Selected: %2, %3")
                   .arg(text, toLocalText(m_mark->at), m_model.text(*m_mark).left(longestText));
    if (std::exchange(m_description, text) != text)
        Q_EMIT descriptionChanged();
}

void TimelineCanvas::selectRow(int row)
{
    if (m_model.rows().empty())
        return;
    row = std::clamp(row, 0, m_model.rowCount() - 1);
    setCurrentAgent(m_model.row(row).instanceId());
    setFirstRow(std::clamp(m_firstRow, row - pageRows() + 1, row));
}

void TimelineCanvas::selectMark(int row, const std::optional<Mark> &mark)
{
    selectRow(row);
    m_mark = mark;
    const TimelinePaint::Frame frame = visibleFrame();
    if (mark && (mark->at < frame.from || mark->at >= frame.to))
        moveTo(mark->at - m_model.span() / 2);
    updateAll();
    updateDescription();
}

// Marks of the same time are one: the most severe one. Without a selected mark, the search begins
// at the edge of the view.
void TimelineCanvas::selectNextMark(bool isForward)
{
    const int row = std::max(currentRow(), 0);
    if (row >= m_model.rowCount())
        return;
    const TimelinePaint::Frame frame = visibleFrame();
    UtcTime end = isForward ? frame.from : frame.to;
    if (m_mark)
        end = isForward ? m_mark->at + tick : m_mark->at;
    std::optional<Mark> next;
    for (int kind = 0; kind < TimelineRow::markKindCount; ++kind) {
        const auto &marks = m_model.row(row).marks(static_cast<TimelineRow::MarkKind>(kind));
        const auto after = std::partition_point(marks.begin(), marks.end(),
                                                [end](const Mark &each) { return each.at < end; });
        if (after == (isForward ? marks.end() : marks.begin()))
            continue;
        const Mark &found = isForward ? *after : *std::prev(after);
        if (!next || (isForward ? found.at <= next->at : found.at >= next->at))
            next = found;
    }
    if (next)
        selectMark(row, next);
}

// Something remains visible.
void TimelineCanvas::moveTo(UtcTime from)
{
    const milliseconds span = m_model.span();
    m_model.setFrom(std::clamp(from, oldest() - span * 15 / 16, now() + span));
}

void TimelineCanvas::zoom(double factor, int x)
{
    const double width = std::max(timeArea().width(), 1);
    const double part = std::clamp((x - m_nameWidth) / width, 0.0, 1.0);
    const UtcTime fixed = timeAt(x);
    const bool wasFollowing = m_model.follow();
    const auto rounded = [](auto time) { return std::chrono::round<milliseconds>(time); };
    m_model.setSpan(rounded(m_model.span() * std::clamp(factor, 1e-3, 1e3)));
    if (!wasFollowing)
        moveTo(fixed - rounded(m_model.span() * part));
}

void TimelineCanvas::activate()
{
    if (m_mark && currentRow() >= 0)
        Q_EMIT markActivated(m_current, m_mark->at, m_mark->event);
}

bool TimelineCanvas::handle(QEvent *event)
{
    const auto *const mouse = static_cast<QMouseEvent *>(event);
    switch (event->type()) {
    case QEvent::KeyPress:
        return pressKey(*static_cast<QKeyEvent *>(event));
    case QEvent::Wheel:
        turnWheel(*static_cast<QWheelEvent *>(event));
        return true;
    case QEvent::MouseButtonPress:
        if (mouse->button() == Qt::LeftButton)
            press(mouse->position().toPoint());
        return mouse->button() == Qt::LeftButton;
    case QEvent::MouseMove:
        if (m_pressed)
            drag(mouse->position().toPoint());
        return m_pressed.has_value();
    case QEvent::MouseButtonDblClick:
        if (mouse->button() == Qt::LeftButton && markNear(mouse->position().toPoint()))
            activate();
        return mouse->button() == Qt::LeftButton;
    case QEvent::MouseButtonRelease:
    case QEvent::UngrabMouse:
        return std::exchange(m_pressed, std::nullopt).has_value();
    default:
        return false;
    }
}

bool TimelineCanvas::pressKey(const QKeyEvent &event)
{
    const int row = currentRow();
    const int page = pageRows();
    const int center = timeArea().center().x();
    const bool isForward = event.key() == Qt::Key_Right;
    switch (event.key()) {
    case Qt::Key_Up:
        selectRow(row - 1);
        break;
    case Qt::Key_Down:
        selectRow(row + 1);
        break;
    case Qt::Key_PageUp:
        selectRow(row - page);
        break;
    case Qt::Key_PageDown:
        selectRow(row + page);
        break;
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (event.modifiers().testFlag(Qt::ControlModifier))
            selectNextMark(isForward);
        else
            moveTo(visibleFrame().from + m_model.span() / (isForward ? 8 : -8));
        break;
    case Qt::Key_Home:
        moveTo(oldest() - m_model.span() / 16);
        break;
    case Qt::Key_End:
        setFollow(true);
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom(0.5, center);
        break;
    case Qt::Key_Minus:
        zoom(2, center);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        activate();
        break;
    default:
        return false;
    }
    return true;
}

void TimelineCanvas::turnWheel(const QWheelEvent &event)
{
    const QPoint delta = event.angleDelta();
    const int x = qRound(event.position().x());
    if (x < m_nameWidth || event.modifiers().testFlag(Qt::ShiftModifier)) {
        m_turned -= delta.y() / wheelStep * QGuiApplication::styleHints()->wheelScrollLines();
        const int rows = static_cast<int>(m_turned);
        m_turned -= rows;
        setFirstRow(m_firstRow + rows);
    } else if (std::abs(delta.x()) > std::abs(delta.y())) {
        const auto page = m_model.span() / 8;
        moveTo(visibleFrame().from - page * delta.x() / static_cast<int>(wheelStep));
    } else {
        zoom(std::pow(2, -delta.y() / wheelStep / 2), x);
    }
}

void TimelineCanvas::press(const QPoint &position)
{
    m_pressed = position;
    m_pressedFrom = visibleFrame().from;
    m_isDragging = false;
    if (const int row = rowAt(position.y()); row >= 0) {
        const std::optional<TimelinePaint::Mark> mark = markNear(position);
        selectMark(row, mark ? std::optional(mark->latest) : std::nullopt);
    }
}

void TimelineCanvas::drag(const QPoint &position)
{
    const int moved = position.x() - m_pressed->x();
    m_isDragging =
        m_isDragging || std::abs(moved) >= QGuiApplication::styleHints()->startDragDistance();
    if (m_isDragging && m_pressed->x() >= m_nameWidth)
        moveTo(m_pressedFrom - (timeAt(position.x()) - timeAt(m_pressed->x())));
}

} // namespace Rekindle
