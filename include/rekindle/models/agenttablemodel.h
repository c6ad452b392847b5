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

/// The agents of a source as a table with one row for each agent. New agents are added at the end;
/// agents of the same pass of the event loop are inserted together. For all changes of a pass,
/// dataChanged() is emitted once or a few times. While the table is visible, call refresh() to
/// update the columns that change with time. Use the object from the thread of the source.
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
        /// InstanceState as an int; invalid for an unknown state of a newer host. "agentState" in
        /// QML, where Item.state would hide "state".
        AgentStateRole,
        HoldsRole, ///< QStringList: why the planned start waits, for people
        SinceRole, ///< QDateTime of the start; invalid if the agent does not run
        TagsRole,  ///< QStringList

        /// The first of the roles that display one column each, in the order of Column, from an
        /// index of any column. For QML: their names are "name", "nextStart", ..., and "stateText"
        /// for the column State.
        ColumnRole,
    };
    Q_ENUM(Role)

    explicit AgentTableModel(QObject *parent = nullptr);
    explicit AgentTableModel(AgentSource &source, QObject *parent = nullptr);
    ~AgentTableModel() override;

    /// The model is empty without a source, also after it was destroyed.
    void setSource(AgentSource *source);
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
