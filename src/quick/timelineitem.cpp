// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "timelineitem_p.h"

#include "gui/internal/timelinecanvas.h"
#include "remotehost_p.h"

#include <QGuiApplication>
#include <QHoverEvent>
#include <QQuickWindow>

#include <cmath>
#include <utility>

namespace Rekindle {

TimelineItem::TimelineItem(QQuickItem *parent)
    : QQuickPaintedItem(parent)
    , m_canvas(std::make_unique<TimelineCanvas>())
    , m_source(new SourceProperty(this))
    , m_font(QGuiApplication::font())
{
    setImplicitSize(600, 200);
    setAcceptedMouseButtons(Qt::LeftButton);
    setAcceptHoverEvents(true);
    TimelineCanvas *const canvas = m_canvas.get();
    connect(m_source, &SourceProperty::changed, canvas,
            [this, canvas] { canvas->setSource(m_source->source()); });
    connect(canvas, &TimelineCanvas::updateNeeded, this,
            [this](const QRect &area) { update(area); });
    connect(canvas, &TimelineCanvas::sourceChanged, this, &TimelineItem::sourceChanged);
    connect(canvas, &TimelineCanvas::viewChanged, this, &TimelineItem::viewChanged);
    connect(canvas, &TimelineCanvas::currentAgentChanged, this, &TimelineItem::currentAgentChanged);
    connect(canvas, &TimelineCanvas::descriptionChanged, this, &TimelineItem::descriptionChanged);
    connect(canvas, &TimelineCanvas::rowsScrolled, this, &TimelineItem::rowsScrolled);
    connect(canvas, &TimelineCanvas::markActivated, this,
            [this](const QUuid &instanceId, UtcTime time, quint64 sequence) {
                Q_EMIT markActivated(instanceId, time.time_since_epoch().count(), sequence);
            });
}

TimelineItem::~TimelineItem() = default;

QObject *TimelineItem::sourceObject() const { return m_source->object(); }
void TimelineItem::setSourceObject(QObject *source) { m_source->setObject(source); }
AgentSource *TimelineItem::source() const { return m_canvas->model().source(); }

void TimelineItem::setSpan(double span)
{
    m_canvas->model().setSpan(std::chrono::milliseconds(std::llround(span)));
}
double TimelineItem::span() const { return static_cast<double>(m_canvas->model().span().count()); }

void TimelineItem::setFollow(bool follow) { m_canvas->setFollow(follow); }
bool TimelineItem::follow() const { return m_canvas->model().follow(); }

void TimelineItem::setShowFuture(bool show) { m_canvas->setShowFuture(show); }
bool TimelineItem::showsFuture() const { return m_canvas->showsFuture(); }

void TimelineItem::setCurrentAgent(const QUuid &instanceId)
{
    m_canvas->setCurrentAgent(instanceId);
}
QUuid TimelineItem::currentAgent() const { return m_canvas->currentAgent(); }

void TimelineItem::setFirstRow(int row) { m_canvas->setFirstRow(row); }
int TimelineItem::firstRow() const { return m_canvas->firstRow(); }
int TimelineItem::lastFirstRow() const { return m_canvas->lastFirstRow(); }

void TimelineItem::setFont(const QFont &font)
{
    if (font == m_font)
        return;
    m_font = font;
    updateSurface();
    Q_EMIT fontChanged();
}

QString TimelineItem::description() const { return m_canvas->description(); }

// The thread of the canvas waits meanwhile.
void TimelineItem::paint(QPainter *painter)
{
    m_canvas->paint(*painter, {QPoint(), m_canvas->surface().size});
}

bool TimelineItem::event(QEvent *event)
{
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        forceActiveFocus(Qt::MouseFocusReason);
        break;
    case QEvent::HoverMove:
        setHoveredText(m_canvas->toolTip(static_cast<QHoverEvent *>(event)->position().toPoint()));
        break;
    case QEvent::HoverLeave:
        setHoveredText({});
        break;
    default:
        break;
    }
    if (!m_canvas->handle(event))
        return QQuickPaintedItem::event(event);
    event->accept();
    return true;
}

void TimelineItem::geometryChange(const QRectF &newGeometry, const QRectF &oldGeometry)
{
    QQuickPaintedItem::geometryChange(newGeometry, oldGeometry);
    updateSurface();
}

void TimelineItem::itemChange(ItemChange change, const ItemChangeData &data)
{
    QQuickPaintedItem::itemChange(change, data);
    if (change == ItemSceneChange || change == ItemVisibleHasChanged)
        m_canvas->setVisible(isVisible() && window() != nullptr);
    if (change == ItemSceneChange || change == ItemActiveFocusHasChanged
        || change == ItemDevicePixelRatioHasChanged)
        updateSurface();
}

void TimelineItem::updateSurface()
{
    const double ratio = window() != nullptr ? window()->effectiveDevicePixelRatio() : 1;
    m_canvas->setSurface(
        {size().toSize(), ratio, m_font, QGuiApplication::palette(), hasActiveFocus()});
}

void TimelineItem::setHoveredText(const QString &text)
{
    if (std::exchange(m_hoveredText, text) != text)
        Q_EMIT hoveredTextChanged();
}

} // namespace Rekindle
