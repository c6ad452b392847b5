// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/json/fault.h>
#include <rekindle/policy/export.h>

#include <optional>

namespace Rekindle {

struct RestartPolicy;

/// Returns all faults of a policy, contradictions and likely mistakes included. If `readyAtOnce` is
/// true, the agent counts as ready when it is started; with stableAfter 0 nothing would be limited.
[[nodiscard]] REKINDLE_POLICY_EXPORT QList<Fault> validate(const RestartPolicy &policy,
                                                           bool readyAtOnce = false);

/// Returns the fault of a name of an agent, group, shared breaker, policy or tag, unless it has 1
/// to 64 letters, digits, '.', '_' and '-' of ASCII.
[[nodiscard]] REKINDLE_POLICY_EXPORT std::optional<QString> nameFault(const QString &name);

} // namespace Rekindle
