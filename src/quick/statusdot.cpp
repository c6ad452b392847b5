// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "statusdot_p.h"

#include <QGuiApplication>
#include <QPainter>
#include <QPalette>

#include <algorithm>

namespace Rekindle {

StatusDot::StatusDot(QQuickItem *parent)
    : QQuickPaintedItem(parent)
{
    setImplicitSize(16, 16);
    setAntialiasing(true);
    connect(this, &StatusDot::changed, this, [this] { update(); });
}

void StatusDot::paint(QPainter *painter)
{
    std::optional<InstanceState> state;
    bool isNumber = false;
    const int value = m_state.toInt(&isNumber);
    if (isNumber && value >= 0 && value < instanceStateCount)
        state = static_cast<InstanceState>(value);
    const qreal side = std::min(width(), height());
    const QRectF square((width() - side) / 2, (height() - side) / 2, side, side);
    const StateColors colors(m_scheme, QGuiApplication::palette());
    painter->fillPath(StateColors::glyph(state, square), colors.color(state));
}

} // namespace Rekindle
