// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/gui/statecolors.h>

#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QTransform>

#include <array>
#include <utility>

namespace Rekindle {

namespace {

/// In the order of InstanceState; the last one is for an unknown state. The test of this class
/// computes contrasts and distances.
using ColorList = std::array<QRgb, instanceStateCount + 1>;
constexpr ColorList lightColors = {0x777777, 0x4477aa, 0x117733, 0x662506, 0xcc6677, 0x364b9a,
                                   0x222255, 0x882e72, 0xdc050c, 0xae76a3, 0x555555};
constexpr ColorList darkColors = {0x888888, 0xcceeff, 0x90c987, 0xccbb44, 0xfee391, 0xd9f0d3,
                                  0x5289c7, 0xee3377, 0xe8601c, 0xc2a5cf, 0xbbbbbb};

class StateIcon : public QIconEngine
{
public:
    StateIcon(const QPainterPath &shape, const QColor &color, const QColor &selected)
        : m_shape(shape)
        , m_color(color)
        , m_selected(selected)
    {
    }

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode,
               QIcon::State /*state*/) override
    {
        const int size = std::min(rect.width(), rect.height());
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->translate(rect.x() + (rect.width() - size) / 2.0,
                           rect.y() + (rect.height() - size) / 2.0);
        painter->scale(size, size);
        painter->fillPath(m_shape, mode == QIcon::Selected ? m_selected : m_color);
        painter->restore();
    }
    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, pixmap.rect(), mode, state);
        return pixmap;
    }
    [[nodiscard]] QIconEngine *clone() const override { return new StateIcon(*this); }

private:
    QPainterPath m_shape; ///< in the unit square
    QColor m_color;
    QColor m_selected;
};

QPainterPath polygon(const QPolygonF &corners)
{
    QPainterPath path;
    path.addPolygon(corners);
    path.closeSubpath();
    return path;
}

QPainterPath rectangle(double x, double y, double width, double height)
{
    QPainterPath path;
    path.addRect(x, y, width, height);
    return path;
}

QPainterPath circle(double radius, QPointF center = {0.5, 0.5})
{
    QPainterPath path;
    path.addEllipse(center, radius, radius);
    return path;
}

QPainterPath triangle(double margin)
{
    return polygon({{0.1 + margin, 0.05 + 1.7 * margin},
                    {0.95 - 2 * margin, 0.5},
                    {0.1 + margin, 0.95 - 1.7 * margin}});
}

QPainterPath cross()
{
    const QPainterPath bar = rectangle(-0.55, -0.12, 1.1, 0.24);
    const QTransform center = QTransform::fromTranslate(0.5, 0.5);
    return QTransform(center).rotate(45).map(bar).united(QTransform(center).rotate(-45).map(bar));
}

QPainterPath padlock()
{
    const QPainterPath shackle = circle(0.3, {0.5, 0.4}) - circle(0.17, {0.5, 0.4});
    return shackle.united(rectangle(0.12, 0.45, 0.76, 0.5));
}

QPainterPath shapeOf(InstanceState state)
{
    switch (state) {
    case InstanceState::Stopped:
        return rectangle(0.1, 0.1, 0.8, 0.8) - rectangle(0.25, 0.25, 0.5, 0.5);
    case InstanceState::Starting:
        return triangle(0) - triangle(0.12);
    case InstanceState::Running:
        return triangle(0);
    case InstanceState::Waiting: // an hourglass
        return polygon({{0.15, 0.05}, {0.85, 0.05}, {0.15, 0.95}, {0.85, 0.95}});
    case InstanceState::CircuitOpen: // a flash
        return polygon(
            {{0.6, 0}, {0.15, 0.58}, {0.45, 0.58}, {0.35, 1}, {0.85, 0.38}, {0.53, 0.38}});
    case InstanceState::Evaluating:
        return polygon({{0.5, 0}, {1, 0.5}, {0.5, 1}, {0, 0.5}});
    case InstanceState::Stopping:
        return rectangle(0.1, 0.1, 0.8, 0.8);
    case InstanceState::Exhausted: // no entry
        return circle(0.5) - rectangle(0.2, 0.4, 0.6, 0.2);
    case InstanceState::Failed:
        return cross();
    case InstanceState::Gated:
        return padlock();
    }
    return {};
}

} // namespace

StateColors::StateColors(Scheme scheme, const QPalette &palette)
    : m_isDark(scheme == Scheme::Dark
               || (scheme == Scheme::Automatic
                   && palette.color(QPalette::Base).lightness()
                       < palette.color(QPalette::Text).lightness()))
    , m_selectedText(palette.color(QPalette::HighlightedText))
{
}

QColor StateColors::color(std::optional<InstanceState> state) const
{
    const ColorList &colors = m_isDark ? darkColors : lightColors;
    return {state ? colors[static_cast<std::size_t>(*state)] : colors.back()};
}

QIcon StateColors::icon(std::optional<InstanceState> state) const
{
    return QIcon(new StateIcon(glyph(state, {0, 0, 1, 1}), color(state), m_selectedText));
}

QPainterPath StateColors::glyph(std::optional<InstanceState> state, const QRectF &square)
{
    const QPainterPath shape = state ? shapeOf(*state) : circle(0.45) - circle(0.28);
    return QTransform::fromTranslate(square.x(), square.y())
        .scale(square.width(), square.height())
        .map(shape);
}

} // namespace Rekindle
