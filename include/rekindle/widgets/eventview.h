// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/agentsource.h>
#include <rekindle/models/eventmodel.h>
#include <rekindle/widgets/export.h>

#include <QPersistentModelIndex>
#include <QTableView>

namespace Rekindle {

/// Shows the events of agents as a table with time, severity, agent and text. The context menu and
/// actions() contain actions that show a decision, pause and clear. If the source is destroyed
/// first, the events remain. setSource() removes the events of the last source.
class REKINDLE_WIDGETS_EXPORT EventView : public QTableView
{
    Q_OBJECT
    Q_PROPERTY(Rekindle::AgentSource *source READ source WRITE setSource)
    Q_PROPERTY(bool follow READ isFollowing WRITE setFollowing)

public:
    /// For the capacity, see EventModel.
    explicit EventView(QWidget *parent = nullptr, qsizetype capacity = EventModel::defaultCapacity);

    void setSource(AgentSource *source) { m_model->setSource(source); }
    [[nodiscard]] AgentSource *source() const { return m_model->source(); }

    /// Returns the model of the view, which can filter and pause.
    [[nodiscard]] EventModel *eventModel() const { return m_model; }

    /// Sets whether the view scrolls to new events, unless the user has scrolled up. True, the
    /// default, scrolls to the newest event now.
    void setFollowing(bool follow);
    [[nodiscard]] bool isFollowing() const { return m_isFollowing; }

    /// A checkable action. Its text contains the number of events that are shown after the pause.
    [[nodiscard]] QAction *pauseAction() const { return m_pause; }
    [[nodiscard]] QAction *clearAction() const { return m_clear; }

Q_SIGNALS:
    /// The user requests the decision about an event, with a double click, Return or the menu. The
    /// id is null if the host is newer and the type of the event is unknown.
    void decisionRequested(const QUuid &instanceId, const Rekindle::AgentEvent &event);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void arrange();
    void addOwnActions();
    void connectModel();
    void requestDecision(const QModelIndex &index);
    void updatePause();

    EventModel *const m_model;
    QAction *m_pause = nullptr;
    QAction *m_clear = nullptr;
    bool m_isFollowing = true;
    bool m_isAtEnd = true;            ///< before the rows changed
    QPersistentModelIndex m_firstRow; ///< visible before the oldest rows were removed
};

} // namespace Rekindle
