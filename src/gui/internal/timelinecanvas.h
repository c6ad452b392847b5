// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/gui/export.h>
#include <rekindle/models/agentsource.h>
#include <rekindle/models/timelinemodel.h>

#include <QFont>
#include <QPalette>
#include <QRect>
#include <QTimer>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

class QKeyEvent;
class QMouseEvent;
class QPainter;
class QWheelEvent;

namespace Rekindle {

class TimelinePainter;

/// A timeline that is not yet on a screen: what TimelineView and TimelineItem have in common. The
/// axis is at the top, the names are at the left. The owner passes on its properties and events,
/// repaints when updateNeeded() is emitted, and shows texts. Lengths are logical pixels. Use it
/// from one thread. TimelineView documents the functions of the same name.
class REKINDLE_GUI_EXPORT TimelineCanvas : public QObject
{
    Q_OBJECT

public:
    /// The properties of the owner.
    struct Surface
    {
        QSize size;
        double pixelRatio = 1; ///< device pixels for each logical pixel
        QFont font;
        QPalette palette;
        bool hasFocus = false;

        bool operator==(const Surface &) const = default;
    };

    explicit TimelineCanvas(QObject *parent = nullptr);
    ~TimelineCanvas() override;

    void setSource(AgentSource *source);
    [[nodiscard]] TimelineModel &model() { return m_model; }
    [[nodiscard]] const TimelineModel &model() const { return m_model; }
    void setFollow(bool follow);
    void setShowFuture(bool show);
    [[nodiscard]] bool showsFuture() const { return m_showsFuture; }

    void setCurrentAgent(const QUuid &instanceId);
    [[nodiscard]] QUuid currentAgent() const { return m_current; }
    [[nodiscard]] int currentRow() const { return m_model.indexOf(m_current); }
    [[nodiscard]] std::optional<TimelineRow::Mark> currentMark() const { return m_mark; }

    void setSurface(const Surface &surface);
    [[nodiscard]] const Surface &surface() const { return m_surface; }
    [[nodiscard]] TimelinePaint::Frame visibleFrame() const;
    /// Scrolls the rows; the row is limited to [0, lastFirstRow()].
    void setFirstRow(int row);
    [[nodiscard]] int firstRow() const { return m_firstRow; }
    [[nodiscard]] int lastFirstRow() const;
    /// The number of rows that fit.
    [[nodiscard]] int pageRows() const;
    /// A visible canvas emits updateNeeded() when time passes or agents change.
    void setVisible(bool isVisible);

    [[nodiscard]] int rowHeight() const { return m_rowHeight; } ///< also that of the axis
    [[nodiscard]] int nameWidth() const { return m_nameWidth; }
    [[nodiscard]] QRect timeArea() const;
    [[nodiscard]] QRect rowRect(int row) const;
    /// Returns -1 where there is no row.
    [[nodiscard]] int rowAt(int y) const;
    [[nodiscard]] int xOf(UtcTime time) const;
    [[nodiscard]] UtcTime timeAt(int x) const;
    /// Half the width of a mark.
    [[nodiscard]] static int reach(int rowHeight) { return std::max(3, rowHeight / 4); }

    /// Uses an event of keyboard, mouse or wheel. Returns false if it has no effect.
    bool handle(QEvent *event);
    void paint(QPainter &painter, const QRect &area);
    /// Returns a plain text about what is at this position; it may be empty.
    [[nodiscard]] QString toolTip(const QPoint &position) const;
    /// Returns a text about what is selected, for screen readers.
    [[nodiscard]] QString description() const { return m_description; }

Q_SIGNALS:
    void updateNeeded(const QRect &area);
    /// The first row, their number or the number of those that fit may have changed.
    void rowsScrolled();
    void descriptionChanged();
    void sourceChanged();
    void viewChanged();
    void currentAgentChanged(const QUuid &instanceId);
    void markActivated(const QUuid &instanceId, Rekindle::UtcTime time, quint64 sequence);

private:
    [[nodiscard]] UtcTime now() const;
    [[nodiscard]] UtcTime oldest() const;
    [[nodiscard]] std::optional<TimelinePaint::Mark> markNear(const QPoint &position) const;
    [[nodiscard]] QString textOf(const TimelineRow &row) const;
    void updateAll();
    void updateLayout();
    void updateDescription();
    void refresh();

    void selectRow(int row);
    void selectMark(int row, const std::optional<TimelineRow::Mark> &mark);
    void selectNextMark(bool isForward);
    void moveTo(UtcTime from);
    void zoom(double factor, int x);
    void activate();

    bool pressKey(const QKeyEvent &event);
    void turnWheel(const QWheelEvent &event);
    void press(const QPoint &position);
    void drag(const QPoint &position);

    TimelineModel m_model;
    std::unique_ptr<TimelinePainter> m_painter;
    QTimer m_refreshing;
    Surface m_surface;
    int m_rowHeight = 1;
    int m_nameWidth = 0;
    int m_firstRow = 0;    ///< below the axis
    bool m_isReset = true; ///< the number of rows may have changed
    bool m_showsFuture = true;
    QUuid m_current;
    std::optional<TimelineRow::Mark> m_mark; ///< of `m_current`
    QString m_description;

    TimelinePaint::Frame m_shown;          ///< at the last refresh()
    std::vector<quint64> m_shownRevisions; ///< of its rows

    std::optional<QPoint> m_pressed; ///< the left button, at this position
    UtcTime m_pressedFrom{};
    bool m_isDragging = false;
    double m_turned = 0; ///< rows by which the wheel was turned, less than one
};

} // namespace Rekindle
