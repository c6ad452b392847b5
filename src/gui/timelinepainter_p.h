// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "internal/timelinecanvas.h"
#include "timelinehistory_p.h"

namespace Rekindle {

/// Paints a canvas: the history as a picture, and the names, the axis, plans and the selection.
class TimelinePainter
{
public:
    explicit TimelinePainter(const TimelineCanvas &canvas);

    void paint(QPainter &painter, const QRect &area);
    /// The rows were replaced.
    void invalidate() { m_history.invalidate(); }

private:
    using Frame = TimelinePaint::Frame;

    void paintAxis(QPainter &painter, const Frame &frame) const;
    void paintNames(QPainter &painter, const QRect &area, const Frame &frame) const;
    void paintFutures(QPainter &painter, const Frame &frame);
    void paintSelection(QPainter &painter, const Frame &frame) const;
    [[nodiscard]] QColor color(QPalette::ColorRole role) const;

    const TimelineCanvas &m_canvas;
    const TimelineLayout &m_layout;
    TimelineHistory m_history;
    TimelinePaint m_futures; ///< reused, for its memory
};

} // namespace Rekindle
