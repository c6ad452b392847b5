// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/gui/statecolors.h>
#include <rekindle/models/agentsource.h>
#include <rekindle/models/agenttablemodel.h>
#include <rekindle/widgets/export.h>

#include <QList>
#include <QTreeView>
#include <QUuid>

#include <memory>

namespace Rekindle {

class AgentActions;

/// The agents of a source as a table that can be sorted and filtered, with a context menu. One
/// agent can be selected. The selection stays on this agent when rows change, and returns to it if
/// the agent was hidden for some time, for example by the filter. Times are updated each second
/// while the view is visible. Use it from the thread of the source.
class REKINDLE_WIDGETS_EXPORT AgentTableView : public QTreeView
{
    Q_OBJECT
    Q_PROPERTY(Rekindle::AgentSource *source READ source WRITE setSource)
    Q_PROPERTY(QList<Rekindle::AgentTableModel::Column> visibleColumns READ visibleColumns WRITE
                   setVisibleColumns)
    Q_PROPERTY(QString filterText READ filterText WRITE setFilterText)
    Q_PROPERTY(QStringList tagFilter READ tagFilter WRITE setTagFilter)
    Q_PROPERTY(bool confirmStops READ confirmsStops WRITE setConfirmStops)
    Q_PROPERTY(Rekindle::StateColors::Scheme colorScheme READ colorScheme WRITE setColorScheme)
    Q_PROPERTY(
        QUuid currentAgent READ currentAgent WRITE setCurrentAgent NOTIFY currentAgentChanged)

public:
    explicit AgentTableView(QWidget *parent = nullptr);
    ~AgentTableView() override;

    /// Default: null. The table is empty after the source was destroyed.
    void setSource(AgentSource *source);
    [[nodiscard]] AgentSource *source() const;

    /// Sets the columns and their order. Default: Name, State, Uptime, NextStart, Detail.
    void setVisibleColumns(const QList<AgentTableModel::Column> &columns);
    [[nodiscard]] QList<AgentTableModel::Column> visibleColumns() const;

    /// Shows only agents whose name, state, group or tags contain each of these words.
    void setFilterText(const QString &text);
    [[nodiscard]] QString filterText() const;
    /// Shows only agents with at least one of these tags; empty: all agents.
    void setTagFilter(const QStringList &tags);
    [[nodiscard]] QStringList tagFilter() const;

    /// See AgentActions::setConfirmStops().
    void setConfirmStops(bool confirm);
    [[nodiscard]] bool confirmsStops() const;
    /// See AgentStateDelegate::setColorScheme().
    void setColorScheme(StateColors::Scheme scheme);
    [[nodiscard]] StateColors::Scheme colorScheme() const;

    /// Selects an agent, as soon as it is in the table. Null: none.
    void setCurrentAgent(const QUuid &id);
    /// Returns the selected agent; null if none is selected or its row is hidden.
    [[nodiscard]] QUuid currentAgent() const;

    /// Returns the actions of the context menu, which operate on the selected agent. The Return key
    /// and a double click request why the agent is in its state.
    [[nodiscard]] AgentActions &agentActions() const;

    /// Returns what the table shows instead of rows, for example why the host is unavailable.
    [[nodiscard]] QString placeholderText() const;

Q_SIGNALS:
    void currentAgentChanged(const QUuid &id);

protected:
    void contextMenuEvent(QContextMenuEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void rowsAboutToBeRemoved(const QModelIndex &parent, int start, int end) override;
    void selectionChanged(const QItemSelection &selected,
                          const QItemSelection &deselected) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
