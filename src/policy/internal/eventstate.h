// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/enums.h>
#include <rekindle/policy/lifecycleevent.h>

#include <optional>

namespace Rekindle {

/// Returns the state of an agent after an event, for those that do not know its state otherwise.
/// Empty if the event does not change it. A later event of the same pass may replace it.
[[nodiscard]] REKINDLE_POLICY_EXPORT std::optional<InstanceState>
stateAfter(const LifecycleEvent &event, InstanceState before);

} // namespace Rekindle
