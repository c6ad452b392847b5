// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/export.h>

#include <QAbstractTableModel>
#include <QByteArray>
#include <QHash>

#include <memory>

namespace Rekindle {

class AgentSupervisor;

/// The agents of a supervisor as a table, one row each in the order of add(). Rows follow the
/// events. Call refresh() while the table is visible, to update the columns that change with time.
/// Use the object from the supervisor's thread.
class REKINDLE_LIFECYCLE_EXPORT AgentTableModel : public QAbstractTableModel
{
    Q_OBJECT

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
        Policy, ///< the type of the policy in force
        Tier,   ///< of the license; the same in all rows
        ColumnCount,
    };
    Q_ENUM(Column)

    enum Role {
        InstanceIdRole = Qt::UserRole, ///< QUuid
        SortRole, ///< a number or text that sorts the column; durations in milliseconds

        /// The first of the roles that display one column each, in their order, whatever the column
        /// of the index. For QML: roleNames() calls them "name", "state", "nextStart", ...
        ColumnRole,
    };

    /// The model is empty when the supervisor is destroyed.
    explicit AgentTableModel(AgentSupervisor &supervisor, QObject *parent = nullptr);
    ~AgentTableModel() override;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index,
                                int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    /// Emits dataChanged() for the columns NextStart and Uptime.
    void refresh();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
