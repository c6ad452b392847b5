// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/enums.h>
#include <rekindle/policy/export.h>
#include <rekindle/policy/timepoint.h>

#include <QList>
#include <QString>
#include <QStringList>

#include <array>
#include <optional>

namespace Rekindle {

/// What happens to the other members when an agent is not restarted anymore.
enum class OnGiveUp {
    Stop,     ///< they are stopped
    Keep,     ///< nothing
    Escalate, ///< they are stopped, and the group has given up, which is a failure of the group
};

inline constexpr std::array<EnumName<OnGiveUp>, 3> onGiveUpNames = {{
    {OnGiveUp::Stop, QLatin1String("stop")},
    {OnGiveUp::Keep, QLatin1String("keep")},
    {OnGiveUp::Escalate, QLatin1String("escalate")},
}};

[[nodiscard]] inline QString toText(OnGiveUp onGiveUp) { return nameOf(onGiveUpNames, onGiveUp); }

/// When a group stops because significant members have exited by themselves without a failure.
enum class AutoShutdown {
    Never,
    AnySignificant, ///< when the first of them has exited
    AllSignificant, ///< when all of them have exited
};

inline constexpr std::array<EnumName<AutoShutdown>, 3> autoShutdowns = {{
    {AutoShutdown::Never, QLatin1String("never")},
    {AutoShutdown::AnySignificant, QLatin1String("anySignificant")},
    {AutoShutdown::AllSignificant, QLatin1String("allSignificant")},
}};

[[nodiscard]] inline QString toText(AutoShutdown autoShutdown)
{
    return nameOf(autoShutdowns, autoShutdown);
}

/// An agent or a group that belongs to a group.
struct GroupMember
{
    QString name{};
    bool isGroup = false;
    bool significant = false; ///< for AutoShutdown

    bool operator==(const GroupMember &) const = default;
};

/// Agents that are started and stopped in order, and restarted together. A plain value.
struct GroupDefinition
{
    static constexpr int highestMaxRestarts = 10'000;
    static constexpr Duration shortestPeriod = std::chrono::milliseconds(1);
    static constexpr Duration shortestRearmAfter = std::chrono::milliseconds(100);
    static constexpr Duration longestTime = std::chrono::hours(24); ///< of both

    QString name{};
    QList<GroupMember> members{}; ///< in the order of starts; stopped in reverse order
    GroupStrategy strategy = GroupStrategy::OneForOne;
    int maxRestarts = 3; ///< failures within `period` that the group tolerates; 0 to 10,000
    Duration period = std::chrono::seconds(60); ///< 1 ms to 24 h
    OnGiveUp onGiveUp = OnGiveUp::Escalate;
    AutoShutdown autoShutdown = AutoShutdown::Never;
    std::optional<Duration> rearmAfter{}; ///< time until a group that has given up starts again;
                                          ///< 100 ms to 24 h; nothing: never

    bool operator==(const GroupDefinition &) const = default;
};

/// A fault of one of several groups.
struct GroupFault
{
    qsizetype group = 0; ///< its index
    QString place{};     ///< JSON pointer in the group, such as "/members/0"
    QString text{};
};

/// Returns the faults of groups that belong together: repeated names and members, unknown groups,
/// a member of two groups, groups that contain themselves, numbers out of range, and an
/// AutoShutdown without a significant member.
[[nodiscard]] REKINDLE_POLICY_EXPORT QList<GroupFault>
faultsOfGroups(const QList<GroupDefinition> &groups);

/// Returns the agents of a group and of the groups in it, in the order of starts; nothing if there
/// is no such group. `groups` must have no faults.
[[nodiscard]] REKINDLE_POLICY_EXPORT QStringList agentsOfGroup(const QList<GroupDefinition> &groups,
                                                               const QString &name);

/// Returns the agents of other members that a group restarts if this member fails, in the order of
/// starts. `groups` must have no faults.
[[nodiscard]] REKINDLE_POLICY_EXPORT QStringList agentsRestartedWith(
    const QList<GroupDefinition> &groups, const GroupDefinition &group, qsizetype member);

} // namespace Rekindle
