// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/enums.h>

#include <array>

namespace Rekindle {

/// All states, from the worst one to the best one.
inline constexpr std::array<InstanceState, instanceStateCount> worstFirst = {
    InstanceState::Exhausted,   InstanceState::Failed,   InstanceState::Gated,
    InstanceState::CircuitOpen, InstanceState::Waiting,  InstanceState::Evaluating,
    InstanceState::Stopping,    InstanceState::Starting, InstanceState::Running,
    InstanceState::Stopped};

} // namespace Rekindle
