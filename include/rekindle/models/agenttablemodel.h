// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/export.h>

#include <QAbstractTableModel>
#include <QByteArray>
#include <QHash>

#include <memory>

namespace Rekindle {

class AgentSource;
class AgentSupervisor;

/// The agents of a source as a table, one row each. New agents are added at the end, those of one
/// pass of the event loop together. Changes of one pass are one or few dataChanged(). Call
/// refresh() while the table is visible, to update the columns that change with time. Use the
/// object from the thread of the source.
class REKINDLE_MODELS_EXPORT AgentTableModel : public QAbstractTableModel
{
    Q_OBJECT
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")

public:
    enum Column {
        Name,
        State,
        Generation,
        Attempt,   ///< "2/5", "2" if unlimited
        NextStart, ///< time until the planned start: "1.5s"
        Breaker,
        Uptime,
        LastReason, ///< "ProcessCrash: exit code 1"
        Health,
        ProcessId,
        Policy, ///< the type of the policy in force; empty if unknown
        Tier,   ///< of the license, the same in all rows; empty if unknown
        Group,
        Detail, ///< what the agent does now and what happens next
        Cpu,    ///< CPU time of the process
        Memory, ///< resident memory of the process
        ColumnCount,
    };
    Q_ENUM(Column)

    enum Role {
        InstanceIdRole = Qt::UserRole, ///< QUuid
        SortRole, ///< a number or text that sorts the column; durations in milliseconds
        /// InstanceState as an int; invalid for a state of a newer host. "agentState" in QML, where
        /// "state" would be hidden by Item.state.
        AgentStateRole,
        HoldsRole, ///< QStringList: why the planned start waits, for people
        SinceRole, ///< QDateTime of the start; invalid if the agent does not run
        TagsRole,  ///< QStringList

        /// The first of the roles that display one column each, in their order, whatever the column
        /// of the index. For QML: roleNames() calls them "name", "nextStart", ..., and the column
        /// State "stateText".
        ColumnRole,
    };
    Q_ENUM(Role)

    /// The model is empty when the source is destroyed.
    explicit AgentTableModel(AgentSource &source, QObject *parent = nullptr);
    /// The agents of a supervisor of this process: the model owns LocalAgents. It is empty when the
    /// supervisor is destroyed.
    explicit AgentTableModel(AgentSupervisor &supervisor, QObject *parent = nullptr);
    ~AgentTableModel() override;

    /// Returns the source; null after it was destroyed.
    [[nodiscard]] AgentSource *source() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    /// Besides the roles above: Qt::DisplayRole, Qt::ToolTipRole (rich text),
    /// Qt::TextAlignmentRole, and Qt::AccessibleTextRole with a sentence about the agent.
    [[nodiscard]] QVariant data(const QModelIndex &index,
                                int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    /// Emits dataChanged() for the columns NextStart, Uptime, Detail, Cpu and Memory.
    void refresh();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
