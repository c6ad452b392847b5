// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "observer/observertreemodel_p.h"

#include <rekindle/widgets/agentactions.h>
#include <rekindle/widgets/decisionview.h>
#include <rekindle/widgets/eventview.h>
#include <rekindle/widgets/outputview.h>
#include <rekindle/widgets/timelineview.h>

#include <QMainWindow>
#include <QSplitter>
#include <QStackedWidget>
#include <QTreeView>

class QLabel;
class QMenu;

namespace Rekindle {

class RemoteAgents;

/// The window of the observer. Each host has its own timeline and events, which are updated even
/// while another host is selected.
class ObserverWindow : public QMainWindow
{
    Q_OBJECT

public:
    /// The hosts must not be destroyed first.
    explicit ObserverWindow(const ObserverHosts &hosts, QWidget *parent = nullptr);
    ~ObserverWindow() override;

    /// Restores the size and the layout that the window had when it was closed.
    void restoreLayout();

    [[nodiscard]] QTreeView &tree() { return *m_tree; }
    [[nodiscard]] DecisionView &decision() { return *m_decision; }
    [[nodiscard]] OutputView &output() { return *m_output; }
    [[nodiscard]] AgentActions &agentActions() { return *m_actions; }
    /// Return those of the selected host; null if there is no host.
    [[nodiscard]] TimelineView *timeline() const;
    [[nodiscard]] EventView *events() const;

protected:
    void closeEvent(QCloseEvent *event) override;

private:
    void createTree();
    void createLayout();
    void createMenus();
    void addFocusAction(QMenu &menu, const QString &text, Qt::Key key, QWidget &widget);
    void add(RemoteAgents &source);
    void showItem(const QModelIndex &index);
    void showFault();
    void selectAgain();
    void select(const QUuid &id);
    void explain(const QUuid &id, UtcTime time);
    void filterEvents();

    ObserverTreeModel m_model;
    AgentSource *m_source = nullptr; ///< of the selected host
    QString m_agent; ///< the name of the selected agent, also if its host has exited
    AgentActions *m_actions;
    QTreeView *m_tree;
    QStackedWidget *m_timelines;
    QStackedWidget *m_events;
    DecisionView *m_decision;
    OutputView *m_output;
    QLabel *m_fault; ///< of the selected host
    QAction *m_onlySelected = nullptr;
    QList<QSplitter *> m_splitters;
};

} // namespace Rekindle
