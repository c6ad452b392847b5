// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/widgets/timelineview.h>

#include "gui/internal/timelinecanvas.h"

#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

namespace Rekindle {

TimelineView::TimelineView(QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_canvas(std::make_unique<TimelineCanvas>())
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Timeline of the agents"));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    TimelineCanvas *const canvas = m_canvas.get();
    connect(canvas, &TimelineCanvas::updateNeeded, viewport(),
            qOverload<const QRect &>(&QWidget::update));
    connect(canvas, &TimelineCanvas::rowsScrolled, this, &TimelineView::showScrolledRows);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, canvas, &TimelineCanvas::setFirstRow);
    connect(canvas, &TimelineCanvas::descriptionChanged, this, [this] {
        setAccessibleDescription(m_canvas->description()); // screen readers announce it
    });
    connect(canvas, &TimelineCanvas::sourceChanged, this, &TimelineView::sourceChanged);
    connect(canvas, &TimelineCanvas::viewChanged, this, &TimelineView::viewChanged);
    connect(canvas, &TimelineCanvas::currentAgentChanged, this, &TimelineView::currentAgentChanged);
    connect(canvas, &TimelineCanvas::markActivated, this, &TimelineView::markActivated);
    updateSurface();
}

TimelineView::~TimelineView() = default;

void TimelineView::setSource(AgentSource *source) { m_canvas->setSource(source); }
AgentSource *TimelineView::source() const { return m_canvas->model().source(); }

TimelineModel &TimelineView::model() const { return m_canvas->model(); }

void TimelineView::setSpan(std::chrono::milliseconds span) { m_canvas->model().setSpan(span); }
std::chrono::milliseconds TimelineView::span() const { return model().span(); }

void TimelineView::setFollow(bool follow) { m_canvas->setFollow(follow); }
bool TimelineView::follow() const { return model().follow(); }

void TimelineView::setShowFuture(bool show) { m_canvas->setShowFuture(show); }
bool TimelineView::showsFuture() const { return m_canvas->showsFuture(); }

void TimelineView::setCurrentAgent(const QUuid &instanceId)
{
    m_canvas->setCurrentAgent(instanceId);
}
QUuid TimelineView::currentAgent() const { return m_canvas->currentAgent(); }
std::optional<TimelineRow::Mark> TimelineView::currentMark() const
{
    return m_canvas->currentMark();
}

TimelinePaint::Frame TimelineView::visibleFrame() const { return m_canvas->visibleFrame(); }

QPoint TimelineView::positionOf(int row, UtcTime time) const
{
    return {m_canvas->xOf(time), m_canvas->rowRect(row).center().y()};
}

bool TimelineView::event(QEvent *event)
{
    if (m_canvas->handle(event)) // keys
        return true;
    const bool isUsed = QAbstractScrollArea::event(event);
    const QEvent::Type type = event->type();
    if (type == QEvent::Show || type == QEvent::Hide)
        m_canvas->setVisible(type == QEvent::Show);
    else if (type == QEvent::FontChange || type == QEvent::StyleChange
             || type == QEvent::PaletteChange || type == QEvent::FocusIn
             || type == QEvent::FocusOut)
        updateSurface();
    return isUsed;
}

bool TimelineView::viewportEvent(QEvent *event)
{
    switch (event->type()) {
    case QEvent::ToolTip: {
        const auto *const help = static_cast<QHelpEvent *>(event);
        const QString text = m_canvas->toolTip(help->pos()).toHtmlEscaped();
        QToolTip::showText(
            help->globalPos(),
            text.isEmpty() ? text : QLatin1String("<p style='white-space:pre-wrap'>") + text,
            viewport());
        return true;
    }
    case QEvent::Paint: {
        updateSurface(); // the device pixel ratio has no event in all versions of Qt
        QPainter painter(viewport());
        m_canvas->paint(painter, static_cast<QPaintEvent *>(event)->rect());
        return true;
    }
    case QEvent::Resize:
        updateSurface();
        break;
    default:
        break;
    }
    return m_canvas->handle(event) || QAbstractScrollArea::viewportEvent(event);
}

void TimelineView::updateSurface()
{
    m_canvas->setSurface({viewport()->size(), devicePixelRatioF(), font(), palette(), hasFocus()});
}

void TimelineView::showScrolledRows()
{
    QScrollBar *const bar = verticalScrollBar();
    const int row = m_canvas->firstRow();
    bar->setPageStep(m_canvas->pageRows());
    bar->setRange(0, m_canvas->lastFirstRow());
    bar->setValue(row);
}

} // namespace Rekindle
