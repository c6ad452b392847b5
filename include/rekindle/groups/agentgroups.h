// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/groups/export.h>
#include <rekindle/policy/groupsnapshot.h>
#include <rekindle/policy/grouptable.h>

#include <QObject>
#include <QStringList>

#include <memory>
#include <optional>

namespace Rekindle {

class AgentDependencies;

/// Applies groups to the agents of a supervisor:
/// - The members of a group start in order: a start waits, with the hold Hold::Group, until all
///   members before it are ready.
/// - If a member fails, its policy determines when it is restarted, and GroupStrategy which other
///   members are stopped before that and started after it. Their failures in the meantime count
///   toward no limit (AgentFailed::collateral).
/// - If more than GroupDefinition::maxRestarts members fail within the period, or an agent is not
///   restarted anymore, the group gives up: all its members are stopped and become Exhausted. In a
///   group that contains this one, that is a failure of a member, which is restarted at once.
/// - GroupRestarting and GroupExhausted are emitted for the agent that has failed.
/// - When the supervisor stops all agents, each member stops after those that follow it.
///
/// A group ignores a member that was not started or that an operator has stopped: it does not start
/// the member, and no other member waits for it. While the group starts, a start by an operator
/// waits for its turn; in a running group, it begins at once. If an operator starts a member of a
/// group that has given up, the group starts again with no failures counted.
///
/// Use the object from the supervisor's thread, and destroy it before the dependencies. Any
/// function may be called from any slot.
class REKINDLE_GROUPS_EXPORT AgentGroups : public QObject
{
    Q_OBJECT

public:
    /// `dependencies` must outlive the object.
    explicit AgentGroups(AgentDependencies &dependencies, QObject *parent = nullptr);
    /// Lifts the holds of all members.
    ~AgentGroups() override;

    /// Replaces all groups. Members are found by name, and can be added to the supervisor later. No
    /// process is started or stopped, except for a start that waited only for its group. Returns
    /// faults (faultsOfGroups(), or a cycle of order and dependencies); with faults, nothing
    /// changes. A group that existed before keeps its state, as do members that remain. What it was
    /// doing continues.
    QStringList setGroups(const QList<GroupDefinition> &groups);
    [[nodiscard]] QList<GroupDefinition> groups() const;

    /// Nothing if there is no such group.
    [[nodiscard]] std::optional<GroupState> state(const QString &group) const;

    // What must survive an exit of the host: see StateFile.
    [[nodiscard]] std::optional<GroupSnapshot> snapshot(const QString &group) const;
    /// Restores the state, before the agents are started. Incidents that are too old are dropped. A
    /// group that had given up begins again at `rearmAt`, or when a member is started.
    void restore(const QString &group, const GroupSnapshot &snapshot);

    /// Whether any group starts agents later, for example after GroupDefinition::rearmAfter,
    /// although none of its agents may have a planned start now.
    [[nodiscard]] bool hasPendingStart() const;

    /// The group that directly contains this agent; empty if none does.
    [[nodiscard]] QString groupOf(const QString &agent) const;

    /// Stops the members in reverse order.
    void stop(const QString &group);

Q_SIGNALS:
    void groupStateChanged(const QString &group, Rekindle::GroupState oldState,
                           Rekindle::GroupState newState);

    /// `member` has failed; the group tolerates it. Emitted once for each failure that counts.
    void groupRestarting(const QString &group, const QString &member);

    /// Too many members have failed, or `member` is not restarted anymore.
    void groupExhausted(const QString &group, const QString &member);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
