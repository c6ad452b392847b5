// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/agentsource.h>
#include <rekindle/models/eventmodel.h>
#include <rekindle/widgets/export.h>

#include <QPersistentModelIndex>
#include <QStringList>
#include <QTableView>

namespace Rekindle {

/// The events of agents as a table with time, severity, agent and text. The context menu and
/// actions() contain actions that show a decision, pause and clear. If the source is destroyed
/// first, the events remain; those of another source replace them.
class REKINDLE_WIDGETS_EXPORT EventView : public QTableView
{
    Q_OBJECT
    Q_PROPERTY(Rekindle::AgentSource *source READ source WRITE setSource NOTIFY sourceChanged)
    Q_PROPERTY(QStringList agents READ agents WRITE setAgents)
    Q_PROPERTY(QStringList types READ types WRITE setTypes)
    Q_PROPERTY(bool paused READ isPaused WRITE setPaused)
    Q_PROPERTY(bool follow READ isFollowing WRITE setFollowing)

public:
    /// For the capacity, see EventModel.
    explicit EventView(QWidget *parent = nullptr, qsizetype capacity = EventModel::defaultCapacity);

    void setSource(AgentSource *source);
    /// Returns the source; null if there is none, or after it was destroyed.
    [[nodiscard]] AgentSource *source() const { return m_model->source(); }

    /// Returns the model of the view, for example for further filters.
    [[nodiscard]] EventModel *eventModel() const { return m_model; }

    // These are properties of the EventModel.
    [[nodiscard]] QStringList agents() const { return m_model->agents(); }
    void setAgents(const QStringList &agents) { m_model->setAgents(agents); }
    [[nodiscard]] QStringList types() const { return m_model->types(); }
    void setTypes(const QStringList &types) { m_model->setTypes(types); }
    [[nodiscard]] bool isPaused() const { return m_model->isPaused(); }
    void setPaused(bool paused) { m_model->setPaused(paused); }
    [[nodiscard]] bool isFollowing() const { return m_model->isFollowing(); }
    /// Sets whether the view scrolls to new events, unless the user has scrolled up. True scrolls
    /// to the newest event now.
    void setFollowing(bool follow);

    /// A checkable action; its text contains the number of events that follow after the pause.
    [[nodiscard]] QAction *pauseAction() const { return m_pause; }
    [[nodiscard]] QAction *clearAction() const { return m_clear; }

Q_SIGNALS:
    void sourceChanged();
    /// The user requests the decision about an event: with a double click, Enter or the menu. The
    /// id is null for a type of a newer host.
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
    bool m_isAtEnd = true;            ///< before the rows changed
    QPersistentModelIndex m_firstRow; ///< visible before the oldest rows were removed
};

} // namespace Rekindle
