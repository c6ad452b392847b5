// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/gui/statecolors.h>
#include <rekindle/models/timelinepaint.h>

#include <QImage>
#include <QPalette>

#include <array>
#include <cstddef>
#include <vector>

namespace Rekindle {

/// The states and marks of a timeline as a picture. If the time moves by whole columns, the picture
/// is scrolled, and only new columns and changed rows are painted. All lengths are device pixels.
class TimelineHistory
{
public:
    /// Paints what differs from the last call.
    void update(const TimelineData &data, const TimelinePaint::Frame &frame, int rowHeight,
                const QPalette &palette);
    /// The rows were replaced: the next update() paints everything.
    void invalidate() { m_isValid = false; }

    [[nodiscard]] const QImage &picture() const { return m_picture; }

    /// Half the width of a mark.
    [[nodiscard]] static int reach(int rowHeight) { return std::max(3, rowHeight / 5); }

private:
    static constexpr int tileSize = 8; // the period of Qt's patterns
    using Tile = std::array<QRgb, std::size_t{tileSize} * tileSize>;

    void preparePaints();
    void paintAll(const TimelineData &data);
    /// Columns [left, right) of the rows [first, last).
    void paintPart(const TimelineData &data, int left, int right, int first, int last);
    void scroll(int columns);
    void fill(const QRect &rect, const Tile &tile);
    void paintBars(const QRect &area, int offset);
    void paintMarks(const QRect &area, int offset);
    [[nodiscard]] int top(int row) const { return (row - m_frame.firstRow) * m_rowHeight; }
    [[nodiscard]] int columnOfNow(const TimelinePaint::Frame &frame) const;

    QImage m_picture; ///< RGB32; most pixels are set directly, because bars are many and small
    bool m_isValid = false;
    TimelinePaint::Frame m_frame;
    int m_rowHeight = 0;
    std::vector<quint64> m_revisions; ///< of the rows in the picture
    QPalette m_palette;
    std::array<Tile, instanceStateCount> m_patterns{};
    std::array<Tile, instanceStateCount> m_colors{}; ///< without a pattern
    std::array<Tile, TimelineRow::markKindCount> m_markColors{};
    Tile m_background{};
    unsigned m_phase = 0; ///< of the patterns
    std::array<QImage, TimelineRow::markKindCount> m_markPictures;
    TimelinePaint m_paint; ///< reused, for its memory
};

} // namespace Rekindle
