// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "timelinehistory_p.h"

#include <rekindle/widgets/timelineview.h>

#include <QTimer>

namespace Rekindle {

class TimelineView::Private
{
public:
    explicit Private(TimelineView *view);

    struct FoundMark
    {
        TimelineRow::MarkKind kind{};
        TimelineRow::Mark mark{};
        int count = 0; ///< of all marks in the range
    };

    // The geometry, in pixels of the viewport.
    void updateLayout();
    [[nodiscard]] int deviceRowHeight() const;
    [[nodiscard]] int columns() const; ///< device pixels
    [[nodiscard]] QRect timeArea() const;
    [[nodiscard]] QRect rowRect(int row) const;
    [[nodiscard]] int rowAt(int y) const; ///< -1: none
    [[nodiscard]] UtcTime timeAt(int x) const;
    [[nodiscard]] UtcTime now() const;

    // Navigation.
    void refresh();
    void updateChangedRows();
    void selectRow(int row) const;
    void selectMark(int row, const std::optional<TimelineRow::Mark> &selected);
    void selectNextMark(bool isForward);
    void moveTo(UtcTime from);
    void moveToBeginning();
    void zoom(double factor, int x);
    void activate();
    [[nodiscard]] int currentRow() const { return model.data().indexOf(current); }
    [[nodiscard]] std::optional<FoundMark> markNear(const QPoint &position) const;

    // Texts.
    [[nodiscard]] QString toolTip(const QPoint &position) const;
    [[nodiscard]] QString description(int index) const;
    void describeCurrent();

    // Painting, in timelineviewpaint.cpp.
    void paint(QPainter &painter, const QRect &area);
    void paintAxis(QPainter &painter, const TimelinePaint::Frame &frame) const;
    void paintNames(QPainter &painter, const QRect &area, const TimelinePaint::Frame &frame) const;
    void paintFutures(QPainter &painter, const TimelinePaint::Frame &frame);
    void paintSelection(QPainter &painter) const;

    TimelineView *const q;
    TimelineModel model;
    TimelineHistory history;
    TimelinePaint futures;
    QList<int> changedRows; ///< since `history` was updated; sorted
    QTimer refreshing;
    bool isReset = true; ///< the number of rows may have changed
    bool showsFuture = true;

    QUuid current;
    std::optional<TimelineRow::Mark> mark; ///< of `current`

    int nameWidth = 0;
    int rowHeight = 0;          ///< also that of the axis
    TimelinePaint::Frame shown; ///< at the last refresh()

    std::optional<QPoint> pressed; ///< the left button, at this position
    UtcTime pressedFrom{};
    bool isDragging = false;
};

} // namespace Rekindle
