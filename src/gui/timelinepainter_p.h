// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/gui/statecolors.h>
#include <rekindle/models/timelinepaint.h>

#include <QImage>
#include <QPalette>

#include <array>
#include <cstddef>

namespace Rekindle {

class TimelineCanvas;

/// Paints a canvas. The bars and marks can be many and small, so that their pixels are set
/// directly, in a picture whose lengths are device pixels.
class TimelinePainter
{
public:
    explicit TimelinePainter(const TimelineCanvas &canvas);

    void paint(QPainter &painter, const QRect &area);

private:
    using Frame = TimelinePaint::Frame;
    using Mark = TimelinePaint::Mark;
    static constexpr int tileSize = 8; // the period of Qt's patterns
    using Tile = std::array<std::array<QRgb, tileSize>, tileSize>;

    void prepareColors(const StateColors &colors);
    void paintPicture(const Frame &frame, const QRect &area);
    void paintBars();
    void paintMarks();
    void fill(const QRect &rect, QRgb color);
    void fill(const QRect &rect, const Tile &pattern);

    void paintNames(QPainter &painter, const Frame &frame, const StateColors &colors) const;
    void paintAxis(QPainter &painter, const Frame &frame) const;
    void paintFutures(QPainter &painter, const StateColors &colors) const;
    void paintSelection(QPainter &painter, const Frame &frame) const;
    [[nodiscard]] QColor color(QPalette::ColorRole role) const;
    [[nodiscard]] int top(int row) const; ///< in the picture

    const TimelineCanvas &m_canvas;
    QImage m_picture;
    QRgb *m_pixels = nullptr; ///< of the picture
    std::ptrdiff_t m_stride = 0;
    QRect m_area;          ///< the part of the picture that is painted
    TimelinePaint m_paint; ///< reused, for its memory
    int m_rowHeight = 0;
    int m_phase = 0; ///< of the patterns
    QPalette m_palette;
    std::array<Tile, instanceStateCount> m_patterns{};
    std::array<QRgb, instanceStateCount> m_colors{};
    std::array<QImage, TimelineRow::markKindCount> m_markPictures;
};

} // namespace Rekindle
