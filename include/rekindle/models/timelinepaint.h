// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/timelinerow.h>

#include <vector>

namespace Rekindle {

/// What a timeline shows in a given time, width and range of rows, as rectangles with their
/// meaning. A value; reentrant.
///
/// The pixel columns divide the time evenly. The state of a column is exactly the one with the
/// longest time in it, at every zoom; in a tie, the last one in the order of InstanceState. A
/// column after `now`, or before the first state, has none.
struct REKINDLE_MODELS_EXPORT TimelinePaint
{
    Q_GADGET

public:
    /// What is visible.
    struct Frame
    {
        UtcTime from{};
        UtcTime to{};
        UtcTime now{}; ///< where the future begins
        int width = 0; ///< in pixels
        int firstRow = 0;
        int rowCount = 0; ///< rows after the last one are ignored

        bool operator==(const Frame &) const = default;
    };

    /// The columns [left, right) of a row.
    template<typename Meaning>
    struct Box
    {
        int row = 0;
        int left = 0;
        int right = 0;
        Meaning meaning{};
    };

    /// All marks of a row in one column. At every zoom, each mark is counted.
    struct Mark
    {
        int row = 0;
        int column = 0;
        int count = 0;
        TimelineRow::MarkKind kind{}; ///< the most severe one
        TimelineRow::Mark latest{};   ///< the latest one of this kind
    };

    enum class Plan {
        BreakerReset, ///< from now until the circuit breaker is half-open
        StartBand,    ///< where the next start can be because of jitter
        Start,        ///< the next start; one column
    };
    Q_ENUM(Plan)

    /// Replaces the result. An object that is used again needs no new memory. Nothing is painted if
    /// the time or the width of the frame is not positive.
    void paint(const std::vector<TimelineRow> &rows, const Frame &frame);

    // In the order of rows, and from left to right.
    std::vector<Box<InstanceState>> bars; ///< adjacent columns of the same state are one bar
    std::vector<Mark> marks;
    std::vector<Box<Plan>> futures; ///< may overlap; paint them in this order

private:
    void paintStates(int index, const TimelineRow &row);
    void paintMarks(int index, const TimelineRow &row);
    void paintFuture(int index, const TimelineRow::Future &future);
    void addBar(int row, int left, int right, InstanceState state);
    [[nodiscard]] qint64 position(UtcTime time) const;
    [[nodiscard]] int columnOf(UtcTime time) const;

    Frame m_frame;
    qint64 m_length = 0; ///< of a column, see position()
};

} // namespace Rekindle
