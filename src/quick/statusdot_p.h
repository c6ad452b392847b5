// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/gui/statecolors.h>

#include <QQuickPaintedItem>
#include <QVariant>

namespace Rekindle {

/// Paints the shape of a state in its color. Show the text of the state, too, or set
/// Accessible.name.
class StatusDot : public QQuickPaintedItem
{
    Q_OBJECT
    /// An InstanceState; any other value, such as `undefined`, is an unknown state.
    Q_PROPERTY(QVariant agentState MEMBER m_state NOTIFY changed)
    /// Automatic uses the palette of the application.
    Q_PROPERTY(Rekindle::StateColors::Scheme scheme MEMBER m_scheme NOTIFY changed)

public:
    explicit StatusDot(QQuickItem *parent = nullptr);

    void paint(QPainter *painter) override;

Q_SIGNALS:
    void changed();

private:
    QVariant m_state;
    StateColors::Scheme m_scheme = StateColors::Scheme::Automatic;
};

} // namespace Rekindle
