// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "timelineview_p.h"

#include "models/internal/statewords.h"

#include <QApplication>
#include <QDateTime>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace Rekindle {

namespace {

using std::chrono::milliseconds;
using Mark = TimelineRow::Mark;
using MarkKind = TimelineRow::MarkKind;

constexpr milliseconds repaintInterval{100};
// The picture of a column of this length or more can be scrolled.
constexpr qint64 leastScrolledColumn = 10;
constexpr qsizetype longestText = 500;

// A multiple is a whole number of device pixels with the usual scale factors.
int roundedUp(int length) { return (length + 3) / 4 * 4; }

QString timeText(UtcTime time)
{
    return QDateTime::fromMSecsSinceEpoch(time.time_since_epoch().count())
        .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz"));
}

QString kindText(MarkKind kind)
{
    switch (kind) {
    case MarkKind::LongHold:
        return TimelineView::tr("start held back for more than 10 s");
    case MarkKind::Failure:
        return TimelineView::tr("failure");
    case MarkKind::BreakerOpened:
        return TimelineView::tr("circuit breaker opened");
    case MarkKind::Exhausted:
        break;
    }
    return TimelineView::tr("given up");
}

// Calls a function with the marks of each kind in [from, to].
template<typename Use>
void forMarks(const TimelineRow &row, UtcTime from, UtcTime to, const Use &use)
{
    for (int i = 0; i < TimelineRow::markKindCount; ++i) {
        const auto kind = static_cast<MarkKind>(i);
        const std::vector<Mark> &marks = row.marks(kind);
        const auto first = std::partition_point(
            marks.begin(), marks.end(), [from](const Mark &each) { return each.at < from; });
        const auto last = std::partition_point(first, marks.end(),
                                               [to](const Mark &each) { return each.at <= to; });
        if (first != last)
            use(kind, first, last);
    }
}

} // namespace

TimelineView::Private::Private(TimelineView *view)
    : q(view)
{
}

void TimelineView::Private::updateLayout()
{
    const QFontMetrics metrics = q->fontMetrics();
    rowHeight = roundedUp(metrics.height() + 6);
    const TimelineData &data = model.data();
    QString longest;
    for (int row = 0; row < data.rowCount(); ++row) {
        if (const QString name = data.row(row).name(); name.size() > longest.size())
            longest = name;
    }
    const QSize size = q->viewport()->size();
    nameWidth = roundedUp(std::clamp(metrics.horizontalAdvance(longest) + 2 * rowHeight,
                                     4 * rowHeight, std::max(4 * rowHeight, size.width() / 4)));
    const int page = std::max(size.height() / rowHeight - 1, 1);
    q->verticalScrollBar()->setPageStep(page);
    q->verticalScrollBar()->setRange(0, std::max(data.rowCount() - page, 0));
    history.invalidate();
    q->viewport()->update();
}

int TimelineView::Private::deviceRowHeight() const
{
    return qRound(rowHeight * q->devicePixelRatioF());
}

int TimelineView::Private::columns() const
{
    return std::max(0, qRound((q->viewport()->width() - nameWidth) * q->devicePixelRatioF()));
}

QRect TimelineView::Private::timeArea() const
{
    return q->viewport()->rect().adjusted(nameWidth, rowHeight, 0, 0);
}

QRect TimelineView::Private::rowRect(int row) const
{
    const int top = rowHeight * (1 + row - q->verticalScrollBar()->value());
    return {0, top, q->viewport()->width(), rowHeight};
}

int TimelineView::Private::rowAt(int y) const
{
    const int row = y / std::max(rowHeight, 1) - 1 + q->verticalScrollBar()->value();
    return y >= rowHeight && row < model.data().rowCount() ? row : -1;
}

UtcTime TimelineView::Private::timeAt(int x) const
{
    const TimelinePaint::Frame frame = q->visibleFrame();
    const int width = std::max(timeArea().width(), 1);
    return frame.from + (frame.to - frame.from) * (x - nameWidth) / width;
}

UtcTime TimelineView::Private::now() const
{
    if (model.source() != nullptr)
        return model.source()->utcNow();
    return std::chrono::time_point_cast<UtcTime::duration>(std::chrono::system_clock::now());
}

// Ten times a second while the view is visible.
void TimelineView::Private::refresh()
{
    model.advance(now());
    if (std::exchange(isReset, false)) {
        updateLayout();
        if (currentRow() < 0)
            q->setCurrentAgent({});
    }
    updateChangedRows();
    const TimelinePaint::Frame before = std::exchange(shown, q->visibleFrame());
    TimelinePaint::Frame same = before;
    same.now = shown.now;
    const QRect area = timeArea();
    if (same != shown) {
        q->viewport()->update();
    } else if (before.now != shown.now && shown.now >= shown.from && before.now <= shown.to) {
        const int left = q->positionOf(0, before.now).x() - rowHeight;
        const int right = q->positionOf(0, shown.now).x() + rowHeight;
        q->viewport()->update(QRect(left, 0, right - left, area.bottom() + 1));
    }
    describeCurrent();
}

void TimelineView::Private::updateChangedRows()
{
    const QList<int> rows = model.takeChangedRows();
    if (rows.isEmpty())
        return;
    for (const int row : rows) {
        if (row >= shown.firstRow && row < shown.firstRow + shown.rowCount)
            q->viewport()->update(rowRect(row));
    }
    changedRows.append(rows);
    std::sort(changedRows.begin(), changedRows.end());
    changedRows.erase(std::unique(changedRows.begin(), changedRows.end()), changedRows.end());
}

void TimelineView::Private::selectRow(int row) const
{
    const int count = model.data().rowCount();
    if (count == 0)
        return;
    row = std::clamp(row, 0, count - 1);
    q->setCurrentAgent(model.data().row(row).instanceId());
    QScrollBar *const bar = q->verticalScrollBar();
    bar->setValue(std::clamp(bar->value(), row - bar->pageStep() + 1, row));
}

void TimelineView::Private::selectMark(int row, const std::optional<Mark> &selected)
{
    selectRow(row);
    mark = selected;
    if (mark) {
        const TimelinePaint::Frame frame = q->visibleFrame();
        if (mark->at < frame.from || mark->at >= frame.to)
            moveTo(mark->at - model.span() / 2);
    }
    q->viewport()->update();
    describeCurrent();
}

// Marks of the same time are one: the most severe one. Without a selected mark, the search begins
// at the edge of the view.
void TimelineView::Private::selectNextMark(bool isForward)
{
    const int row = std::max(currentRow(), 0);
    if (row >= model.data().rowCount())
        return;
    const TimelinePaint::Frame frame = q->visibleFrame();
    constexpr UtcTime::duration tick{1};
    std::optional<Mark> next;
    if (isForward) {
        const UtcTime from = mark ? mark->at + tick : frame.from;
        forMarks(model.data().row(row), from, UtcTime::max(), [&](MarkKind, auto first, auto) {
            if (!next || first->at <= next->at)
                next = *first;
        });
    } else {
        const UtcTime to = (mark ? mark->at : frame.to) - tick;
        forMarks(model.data().row(row), UtcTime::min(), to, [&](MarkKind, auto, auto last) {
            if (!next || std::prev(last)->at >= next->at)
                next = *std::prev(last);
        });
    }
    if (next)
        selectMark(row, next);
}

void TimelineView::Private::moveTo(UtcTime from)
{
    // Something remains visible.
    UtcTime oldest = now();
    for (int row = 0; row < model.data().rowCount(); ++row) {
        const std::vector<TimelineRow::Change> &changes = model.data().row(row).changes();
        if (!changes.empty())
            oldest = std::min(oldest, changes.front().time());
    }
    model.setFrom(std::clamp(from, oldest - model.span() * 15 / 16, now() + model.span()));
}

void TimelineView::Private::moveToBeginning()
{
    moveTo(UtcTime(UtcTime::duration::zero()));
    moveTo(q->visibleFrame().from + model.span() * 14 / 16);
}

void TimelineView::Private::zoom(double factor, int x)
{
    const double width = std::max(timeArea().width(), 1);
    const double part = std::clamp((x - nameWidth) / width, 0.0, 1.0);
    const UtcTime fixed = timeAt(x);
    const bool wasFollowing = model.follow();
    model.setSpan(milliseconds(
        std::llround(std::clamp(static_cast<double>(model.span().count()) * factor, 1.0, 1e15))));
    if (!wasFollowing)
        moveTo(fixed
               - milliseconds(std::llround(part * static_cast<double>(model.span().count()))));
}

void TimelineView::Private::activate()
{
    if (mark && currentRow() >= 0)
        Q_EMIT q->markActivated(current, mark->at, mark->event);
}

std::optional<TimelineView::Private::FoundMark>
TimelineView::Private::markNear(const QPoint &position) const
{
    const int row = rowAt(position.y());
    if (row < 0 || position.x() < nameWidth)
        return {};
    const int reach = TimelineHistory::reach(rowHeight);
    std::optional<FoundMark> found;
    forMarks(model.data().row(row), timeAt(position.x() - reach), timeAt(position.x() + reach),
             [&](MarkKind kind, auto first, auto last) {
                 const int count = static_cast<int>(last - first) + (found ? found->count : 0);
                 found = {kind, *std::prev(last), count}; // a later kind is more severe
             });
    return found;
}

QString TimelineView::Private::toolTip(const QPoint &position) const
{
    const int row = rowAt(position.y());
    if (row < 0)
        return {};
    const std::optional<FoundMark> found = markNear(position);
    if (!found)
        return description(row);
    const QString event = model.text(found->mark).left(longestText);
    QStringList lines{model.data().row(row).name(), timeText(found->mark.at),
                      event.isEmpty() ? kindText(found->kind) : event};
    if (found->count > 1)
        lines.append(TimelineView::tr("and %n more mark(s)", nullptr, found->count - 1));
    return lines.join(u'\n');
}

QString TimelineView::Private::description(int index) const
{
    const TimelineRow &row = model.data().row(index);
    QStringList parts;
    if (!row.changes().empty()) {
        const TimelineRow::Change &last = row.changes().back();
        parts.append(TimelineView::tr("%1 since %2")
                         .arg(StateWords::ofState(toText(last.state())), timeText(last.time())));
    }
    if (row.future().start && showsFuture)
        parts.append(TimelineView::tr("next start at %1").arg(timeText(*row.future().start)));
    for (int i = TimelineRow::markKindCount - 1; i >= 0; --i) {
        const auto kind = static_cast<MarkKind>(i);
        if (const auto count = static_cast<int>(row.marks(kind).size()); count > 0)
            parts.append(TimelineView::tr("%1 (%2)", "kind of a mark and its number")
                             .arg(kindText(kind))
                             .arg(count));
    }
    return TimelineView::tr("%1: %2").arg(row.name(), parts.join(QLatin1String("; ")));
}

void TimelineView::Private::describeCurrent()
{
    const int row = currentRow();
    QString text = row >= 0 ? description(row) : QString();
    if (row >= 0 && mark)
        text = TimelineView::tr("%1. Selected: %2, %3")
                   .arg(text, timeText(mark->at), model.text(*mark).left(longestText));
    if (text != q->accessibleDescription())
        q->setAccessibleDescription(text); // screen readers announce it
}

TimelineView::TimelineView(QWidget *parent)
    : QAbstractScrollArea(parent)
    , d(std::make_unique<Private>(this))
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Timeline of the agents"));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    verticalScrollBar()->setSingleStep(1);
    viewport()->setBackgroundRole(QPalette::Base);
    d->refreshing.setInterval(repaintInterval);
    connect(&d->refreshing, &QTimer::timeout, this, [this] { d->refresh(); });
    connect(&d->model, &TimelineModel::reset, this, [this] { d->isReset = true; });
    connect(&d->model, &TimelineModel::viewChanged, this, [this] {
        viewport()->update();
        Q_EMIT viewChanged();
    });
    connect(verticalScrollBar(), &QScrollBar::valueChanged, viewport(),
            qOverload<>(&QWidget::update));
    d->updateLayout();
}

TimelineView::~TimelineView() = default;

void TimelineView::setSource(AgentSource *source)
{
    if (source == d->model.source())
        return;
    if (d->model.source() != nullptr)
        disconnect(d->model.source(), nullptr, this, nullptr);
    d->model.setSource(source);
    if (source != nullptr)
        connect(source, &AgentSource::availabilityChanged, viewport(),
                qOverload<>(&QWidget::update));
    setCurrentAgent({});
    Q_EMIT sourceChanged();
}

AgentSource *TimelineView::source() const { return d->model.source(); }

TimelineModel &TimelineView::model() const { return d->model; }

void TimelineView::setSpan(milliseconds span) { d->model.setSpan(span); }

milliseconds TimelineView::span() const { return d->model.span(); }

void TimelineView::setFollow(bool follow)
{
    if (follow)
        d->model.setFollow();
    else if (d->model.follow())
        d->model.setFrom(visibleFrame().from);
}

bool TimelineView::follow() const { return d->model.follow(); }

void TimelineView::setShowFuture(bool show)
{
    if (std::exchange(d->showsFuture, show) == show)
        return;
    viewport()->update();
    Q_EMIT viewChanged();
}

bool TimelineView::showsFuture() const { return d->showsFuture; }

void TimelineView::setCurrentAgent(const QUuid &instanceId)
{
    const QUuid id = d->model.data().indexOf(instanceId) >= 0 ? instanceId : QUuid();
    if (std::exchange(d->current, id) == id)
        return;
    d->mark.reset();
    d->describeCurrent();
    viewport()->update();
    Q_EMIT currentAgentChanged(id);
}

QUuid TimelineView::currentAgent() const { return d->current; }

std::optional<Mark> TimelineView::currentMark() const { return d->mark; }

TimelinePaint::Frame TimelineView::visibleFrame() const
{
    const int first = verticalScrollBar()->value();
    const int most = d->timeArea().height() / d->rowHeight + 1;
    TimelinePaint::Frame frame = d->model.frame(
        d->now(), d->columns(), first, std::clamp(d->model.data().rowCount() - first, 0, most));
    if (frame.width <= 0)
        return frame;
    const qint64 column = (d->model.span().count() + frame.width / 2) / frame.width;
    if (column >= leastScrolledColumn) {
        const qint64 from = frame.from.time_since_epoch().count();
        frame.from -= UtcTime::duration(((from % column) + column) % column);
        frame.to = frame.from + UtcTime::duration(column * frame.width);
    }
    return frame;
}

QPoint TimelineView::positionOf(int row, UtcTime time) const
{
    const TimelinePaint::Frame frame = visibleFrame();
    const double part = static_cast<double>((time - frame.from).count())
        / static_cast<double>((frame.to - frame.from).count());
    const double x = std::clamp(part * d->timeArea().width(), -1e6, 1e6);
    return {d->nameWidth + static_cast<int>(std::floor(x)), d->rowRect(row).center().y()};
}

bool TimelineView::viewportEvent(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto *const help = static_cast<QHelpEvent *>(event);
    const QString text = d->toolTip(help->pos()).toHtmlEscaped();
    QToolTip::showText(help->globalPos(),
                       text.isEmpty() ? text
                                      : QLatin1String("<p style='white-space:pre-wrap'>") + text,
                       viewport());
    return true;
}

void TimelineView::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    d->paint(painter, event->rect());
}

void TimelineView::resizeEvent(QResizeEvent * /*event*/) { d->updateLayout(); }

void TimelineView::showEvent(QShowEvent *event)
{
    QAbstractScrollArea::showEvent(event);
    d->isReset = true;
    d->refresh();
    d->refreshing.start();
}

void TimelineView::hideEvent(QHideEvent *event)
{
    QAbstractScrollArea::hideEvent(event);
    d->refreshing.stop();
}

void TimelineView::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        d->updateLayout();
}

void TimelineView::keyPressEvent(QKeyEvent *event)
{
    const bool withControl = event->modifiers().testFlag(Qt::ControlModifier);
    const int row = d->currentRow();
    const int page = verticalScrollBar()->pageStep();
    const QRect area = d->timeArea();
    switch (event->key()) {
    case Qt::Key_Up:
        d->selectRow(row - 1);
        break;
    case Qt::Key_Down:
        d->selectRow(row + 1);
        break;
    case Qt::Key_PageUp:
        d->selectRow(row - page);
        break;
    case Qt::Key_PageDown:
        d->selectRow(row + page);
        break;
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const bool isForward = event->key() == Qt::Key_Right;
        if (withControl)
            d->selectNextMark(isForward);
        else
            d->moveTo(visibleFrame().from + span() / (isForward ? 8 : -8));
        break;
    }
    case Qt::Key_Home:
        d->moveToBeginning();
        break;
    case Qt::Key_End:
        setFollow(true);
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        d->zoom(0.5, area.center().x());
        break;
    case Qt::Key_Minus:
        d->zoom(2, area.center().x());
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        d->activate();
        break;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void TimelineView::wheelEvent(QWheelEvent *event)
{
    const QPoint delta = event->angleDelta();
    const int x = qRound(event->position().x());
    if (x < d->nameWidth || event->modifiers().testFlag(Qt::ShiftModifier)) {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    constexpr double step = 120; // of a usual wheel
    if (std::abs(delta.x()) > std::abs(delta.y()))
        d->moveTo(visibleFrame().from - span() * delta.x() / (8 * static_cast<int>(step)));
    else
        d->zoom(std::pow(2, -delta.y() / step / 2), x);
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    d->pressed = event->pos();
    d->pressedFrom = visibleFrame().from;
    d->isDragging = false;
    if (const int row = d->rowAt(event->pos().y()); row >= 0) {
        const auto found = d->markNear(event->pos());
        d->selectMark(row, found ? std::optional(found->mark) : std::nullopt);
    }
}

void TimelineView::mouseMoveEvent(QMouseEvent *event)
{
    if (!d->pressed || d->pressed->x() < d->nameWidth)
        return;
    const int moved = event->pos().x() - d->pressed->x();
    if (!d->isDragging && std::abs(moved) < QApplication::startDragDistance())
        return;
    d->isDragging = true;
    const TimelinePaint::Frame frame = visibleFrame();
    d->moveTo(d->pressedFrom
              - (frame.to - frame.from) * moved / std::max(d->timeArea().width(), 1));
}

void TimelineView::mouseReleaseEvent(QMouseEvent * /*event*/) { d->pressed.reset(); }

void TimelineView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && d->markNear(event->pos()))
        d->activate();
}

} // namespace Rekindle
