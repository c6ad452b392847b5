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

/// Shows the states of all agents over time: one row per agent, with marks of failures, opened
/// circuit breakers, long holds and agents that were given up. Plans are hatched: the next start
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

    /// Collects the events of a source from now on, also while the view is hidden. If the source is
    /// destroyed first, all rows are removed.
    void setSource(AgentSource *source);
    [[nodiscard]] AgentSource *source() const;

    /// Returns the rows with their events.
    [[nodiscard]] TimelineModel &model() const;

    /// Sets the visible time, limited as in TimelineModel::setSpan(). Default: 10 minutes.
    void setSpan(std::chrono::milliseconds span);
    [[nodiscard]] std::chrono::milliseconds span() const;
    /// Sets whether the view moves with the current time. Moving the view sets it to false.
    /// Default: true.
    void setFollow(bool follow);
    [[nodiscard]] bool follow() const;
    /// Sets whether the view shows plans. Default: true.
    void setShowFuture(bool show);
    [[nodiscard]] bool showsFuture() const;

    /// Selects the row of an agent. A null or unknown id selects none.
    void setCurrentAgent(const QUuid &instanceId);
    [[nodiscard]] QUuid currentAgent() const;
    /// Returns the selected mark of this agent.
    [[nodiscard]] std::optional<TimelineRow::Mark> currentMark() const;

    /// Returns what is visible. Columns are device pixels. If a column covers 10 ms or more, its
    /// duration is rounded to whole milliseconds. Then `to` can differ a little from `from` +
    /// span().
    [[nodiscard]] TimelinePaint::Frame visibleFrame() const;
    /// Returns the middle of a row at a time, in coordinates of viewport().
    [[nodiscard]] QPoint positionOf(int row, UtcTime time) const;

Q_SIGNALS:
    void sourceChanged();
    /// The span, the left edge or showFuture has changed.
    void viewChanged();
    void currentAgentChanged(const QUuid &instanceId);
    /// A mark was double-clicked, or Return was pressed. `sequence` is EventHeader::sequence of its
    /// event.
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
