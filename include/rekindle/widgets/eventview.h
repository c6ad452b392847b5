// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/eventmodel.h>
#include <rekindle/widgets/export.h>

#include <QPersistentModelIndex>
#include <QPointer>
#include <QStringList>
#include <QTableView>

namespace Rekindle {

/// The events of agents as a table with time, severity, agent and text. The context menu and
/// actions() contain actions that show a decision, pause and clear. If the source is destroyed
/// first, the events remain.
class REKINDLE_WIDGETS_EXPORT EventView : public QTableView
{
    Q_OBJECT
    Q_PROPERTY(QStringList agents READ agents WRITE setAgents)
    Q_PROPERTY(QStringList types READ types WRITE setTypes)
    Q_PROPERTY(bool paused READ isPaused WRITE setPaused)
    Q_PROPERTY(bool follow READ isFollowing WRITE setFollowing)

public:
    /// The view owns an EventModel of this source.
    explicit EventView(AgentSource &source, QWidget *parent = nullptr);
    /// The view is empty when the model is destroyed.
    explicit EventView(EventModel &model, QWidget *parent = nullptr);

    /// Returns the model; null after it was destroyed. Use it for further filters.
    [[nodiscard]] EventModel *eventModel() const { return m_model; }

    // These are properties of the EventModel.
    [[nodiscard]] QStringList agents() const;
    void setAgents(const QStringList &agents);
    [[nodiscard]] QStringList types() const;
    void setTypes(const QStringList &types);
    [[nodiscard]] bool isPaused() const { return !m_model.isNull() && m_model->isPaused(); }
    void setPaused(bool paused);
    [[nodiscard]] bool isFollowing() const { return !m_model.isNull() && m_model->isFollowing(); }
    /// Sets whether the view scrolls to new events, unless the user has scrolled up. True scrolls
    /// to the newest event now.
    void setFollowing(bool follow);

    /// A checkable action; its text contains the number of events that follow after the pause.
    [[nodiscard]] QAction *pauseAction() const { return m_pause; }
    [[nodiscard]] QAction *clearAction() const { return m_clear; }

Q_SIGNALS:
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

    QPointer<EventModel> m_model;
    QAction *m_pause = nullptr;
    QAction *m_clear = nullptr;
    bool m_isAtEnd = true;            ///< before the rows changed
    QPersistentModelIndex m_firstRow; ///< visible before the oldest rows were removed
};

} // namespace Rekindle
