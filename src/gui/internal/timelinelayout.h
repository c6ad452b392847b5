// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/timelinepaint.h>

#include <QRect>
#include <QtMath>

#include <algorithm>

namespace Rekindle {

/// Where the parts of a timeline are: the axis at the top, the names at the left. Lengths are
/// logical pixels, unless stated otherwise. A value; reentrant.
struct TimelineLayout
{
    QSize size;
    double pixelRatio = 1; ///< device pixels for each logical pixel
    int rowHeight = 1;     ///< also that of the axis
    int nameWidth = 0;
    int firstRow = 0; ///< below the axis

    [[nodiscard]] QRect area() const { return {QPoint(), size}; }
    [[nodiscard]] QRect timeArea() const { return area().adjusted(nameWidth, rowHeight, 0, 0); }
    [[nodiscard]] QRect rowRect(int row) const
    {
        return {0, rowHeight * (1 + row - firstRow), size.width(), rowHeight};
    }
    /// Returns -1 above the rows; the result may be greater than the last row.
    [[nodiscard]] int rowAt(int y) const
    {
        return y < rowHeight ? -1 : y / rowHeight - 1 + firstRow;
    }
    /// The number of rows that fit.
    [[nodiscard]] int pageRows() const { return std::max(size.height() / rowHeight - 1, 1); }

    [[nodiscard]] int deviceRowHeight() const { return qRound(rowHeight * pixelRatio); }
    /// The width of the time in device pixels.
    [[nodiscard]] int columns() const
    {
        return std::max(0, qRound((size.width() - nameWidth) * pixelRatio));
    }

    [[nodiscard]] int xOf(const TimelinePaint::Frame &frame, UtcTime time) const
    {
        const double part =
            std::chrono::duration<double, std::milli>(time - frame.from) / (frame.to - frame.from);
        return nameWidth + qFloor(std::clamp(part * timeArea().width(), -1e6, 1e6));
    }
    [[nodiscard]] UtcTime timeAt(const TimelinePaint::Frame &frame, int x) const
    {
        const int width = std::max(timeArea().width(), 1);
        return frame.from + (frame.to - frame.from) * (x - nameWidth) / width;
    }
};

} // namespace Rekindle
