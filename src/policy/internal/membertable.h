// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/grouptable.h>
#include <rekindle/policy/instance.h>

#include <optional>

namespace Rekindle {

/// What a group has observed of a member that is an agent.
struct MemberMemory
{
    InstanceState state = InstanceState::Stopped;
    quint64 failed = 0; ///< generation of the last start whose failure was an input
};

/// Derives the inputs of a group from what its members do: one table of observations and states of
/// a member in which every pair is written down (src/policy/groups/membertable.cpp). It is pure.
///
/// An observation only has a result if the group does not know it. Therefore, a member can be
/// observed at any time, and a signal that is older than the state is no problem.
namespace MemberTable {

/// Observes an agent. If it had given up before it was a member, its state changes without an
/// input, because that is no failure.
[[nodiscard]] REKINDLE_POLICY_EXPORT std::optional<GroupInput>
observe(Group &group, std::size_t member, MemberMemory &memory, const Instance &agent);

/// Observes a group in the group.
[[nodiscard]] REKINDLE_POLICY_EXPORT std::optional<GroupInput>
observe(const Group &group, std::size_t member, const Group &inner);

} // namespace MemberTable
} // namespace Rekindle
