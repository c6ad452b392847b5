// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/agentfiltermodel.h>
#include <rekindle/models/agentsource.h>
#include <rekindle/widgets/agentactions.h>
#include <rekindle/widgets/agentstatedelegate.h>

#include <QList>
#include <QTimer>
#include <QTreeView>
#include <QUuid>

namespace Rekindle {

/// Shows the agents of a source as a table that can be sorted and filtered, with a context menu.
/// One agent can be selected. It stays selected when rows change, and it is selected again after it
/// was hidden, for example by the filter. Times are updated each second while the view is visible.
/// Use it from the thread of the source.
class REKINDLE_WIDGETS_EXPORT AgentTableView : public QTreeView
{
    Q_OBJECT
    Q_PROPERTY(Rekindle::AgentSource *source READ source WRITE setSource)
    Q_PROPERTY(QList<Rekindle::AgentTableModel::Column> visibleColumns READ visibleColumns WRITE
                   setVisibleColumns)
    Q_PROPERTY(QString filterText READ filterText WRITE setFilterText)
    Q_PROPERTY(QStringList tagFilter READ tagFilter WRITE setTagFilter)
    Q_PROPERTY(
        QUuid currentAgent READ currentAgent WRITE setCurrentAgent NOTIFY currentAgentChanged)

public:
    explicit AgentTableView(QWidget *parent = nullptr);
    ~AgentTableView() override;

    /// Default: null. The table is empty after the source was destroyed.
    void setSource(AgentSource *source);
    [[nodiscard]] AgentSource *source() const { return m_filter.table().source(); }

    /// Sets the columns and their order. Default: Name, State, Uptime, NextStart, Detail.
    void setVisibleColumns(const QList<AgentTableModel::Column> &columns);
    [[nodiscard]] QList<AgentTableModel::Column> visibleColumns() const { return m_columns; }

    /// Shows only agents whose name, state, group or tags contain each of these words.
    void setFilterText(const QString &text) { m_filter.setText(text); }
    [[nodiscard]] QString filterText() const { return m_filter.text(); }
    /// Shows only agents with at least one of these tags; empty: all agents.
    void setTagFilter(const QStringList &tags) { m_filter.setTags(tags); }
    [[nodiscard]] QStringList tagFilter() const { return m_filter.tags(); }

    /// Selects an agent as soon as it is in the table. Null: none.
    void setCurrentAgent(const QUuid &id);
    /// Returns the selected agent; null if none is selected or its row is hidden.
    [[nodiscard]] QUuid currentAgent() const;

    /// Returns the actions of the context menu, which operate on the selected agent. The Return key
    /// and a double click request why the agent is in its state.
    [[nodiscard]] AgentActions &agentActions() { return m_actions; }
    [[nodiscard]] const AgentActions &agentActions() const { return m_actions; }

    /// Returns what the table shows instead of rows, for example why the host is unavailable.
    [[nodiscard]] QString placeholderText() const { return m_placeholder; }

Q_SIGNALS:
    void currentAgentChanged(const QUuid &id);

protected:
    void contextMenuEvent(QContextMenuEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void rowsAboutToBeRemoved(const QModelIndex &parent, int start, int end) override;
    void selectionChanged(const QItemSelection &selected,
                          const QItemSelection &deselected) override;

private:
    void showColumns() const;
    void fitColumns() const;
    void restoreSelection();
    void queueUpdate();
    void updateCurrent();
    void updatePlaceholder();
    [[nodiscard]] QString emptyReason() const;

    AgentFilterModel m_filter;
    AgentActions m_actions;
    AgentStateDelegate m_delegate;
    QTimer m_timer{this};
    QList<AgentTableModel::Column> m_columns{AgentTableModel::Name, AgentTableModel::State,
                                             AgentTableModel::Uptime, AgentTableModel::NextStart,
                                             AgentTableModel::Detail};
    QUuid m_wanted;  ///< whose row is selected when there is one
    QUuid m_current; ///< that was emitted last
    bool m_isRowChange = false;
    QString m_placeholder;
};

} // namespace Rekindle
