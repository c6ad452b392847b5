// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/agentsource.h>
#include <rekindle/models/timelinemodel.h>
#include <rekindle/widgets/export.h>

#include <QAbstractScrollArea>

#include <memory>
#include <optional>

namespace Rekindle {

class TimelineCanvas;

/// The states of all agents over time: one row per agent, with marks of failures, opened circuit
/// breakers, long holds and agents that were given up. What is planned is hatched: the next start
/// with its jitter band, and the reset of the breaker.
///
/// ```
/// Rekindle::TimelineView timeline;
/// timeline.setSource(&agents);
/// ```
///
/// The wheel zooms; over the names, or with Shift, it scrolls the rows. Dragging moves the time.
/// Keys: Up and Down select a row, Left and Right move the time, Ctrl+Left and Ctrl+Right select a
/// mark, Return activates it, + and - zoom, Home shows the beginning, End follows the current time.
class REKINDLE_WIDGETS_EXPORT TimelineView : public QAbstractScrollArea
{
    Q_OBJECT
    Q_PROPERTY(Rekindle::AgentSource *source READ source WRITE setSource NOTIFY sourceChanged)
    Q_PROPERTY(std::chrono::milliseconds span READ span WRITE setSpan NOTIFY viewChanged)
    Q_PROPERTY(bool follow READ follow WRITE setFollow NOTIFY viewChanged)
    Q_PROPERTY(bool showFuture READ showsFuture WRITE setShowFuture NOTIFY viewChanged)

public:
    explicit TimelineView(QWidget *parent = nullptr);
    ~TimelineView() override;

    /// The source may be deleted first; then there are no rows. Events are collected from now on,
    /// also while the view is hidden.
    void setSource(AgentSource *source);
    [[nodiscard]] AgentSource *source() const;

    /// Returns the rows with their events.
    [[nodiscard]] TimelineModel &model() const;

    /// The visible time, limited as in TimelineModel::setSpan(). Default: 10 minutes.
    void setSpan(std::chrono::milliseconds span);
    [[nodiscard]] std::chrono::milliseconds span() const;
    /// Whether the view moves with the current time. Moving the time ends it. Default: true.
    void setFollow(bool follow);
    [[nodiscard]] bool follow() const;
    /// Whether the view shows what is planned. Default: true.
    void setShowFuture(bool show);
    [[nodiscard]] bool showsFuture() const;

    /// The agent of the selected row; null if none is selected. An unknown id selects none.
    void setCurrentAgent(const QUuid &instanceId);
    [[nodiscard]] QUuid currentAgent() const;
    /// The selected mark of this agent.
    [[nodiscard]] std::optional<TimelineRow::Mark> currentMark() const;

    /// Returns what is visible. Columns are device pixels. Those of 10 ms or more are rounded to
    /// whole milliseconds, so that `to` can differ a little from `from` and span().
    [[nodiscard]] TimelinePaint::Frame visibleFrame() const;
    /// Returns the middle of a row at a time, in coordinates of viewport().
    [[nodiscard]] QPoint positionOf(int row, UtcTime time) const;

Q_SIGNALS:
    void sourceChanged();
    /// The span, the left edge or showFuture has changed.
    void viewChanged();
    void currentAgentChanged(const QUuid &instanceId);
    /// A mark was double-clicked or Return was pressed. `sequence` is that of its event, see
    /// EventHeader.
    void markActivated(const QUuid &instanceId, Rekindle::UtcTime time, quint64 sequence);

protected:
    bool event(QEvent *event) override;
    bool viewportEvent(QEvent *event) override;

private:
    void updateSurface();
    void showScrolledRows();

    const std::unique_ptr<TimelineCanvas> m_canvas;
};

} // namespace Rekindle
