// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/config/configuration.h>
#include <rekindle/policy/configurationchanges.h>

namespace Rekindle {

/// Compares the agents of two configurations by their names. The lists have the order of `to`;
/// removed agents have the order of `from`. An agent whose process changes counts as restarted.
///
/// Only what agents do is compared: not the position in the file, nor the name of a policy. Pure.
[[nodiscard]] REKINDLE_CONFIG_EXPORT ConfigurationChanges
difference(const QList<AgentDefinition> &from, const QList<AgentDefinition> &to);

/// Returns the keys of an agent in a configuration whose values differ, such as "arguments" or
/// "policy.maxRetries". Compares the same as difference(). Pure.
[[nodiscard]] REKINDLE_CONFIG_EXPORT QStringList changedKeys(const AgentDefinition &from,
                                                             const AgentDefinition &to);

/// Returns why a running host cannot replace one definition of an agent by the other; empty if it
/// can. Pure.
[[nodiscard]] REKINDLE_CONFIG_EXPORT QString changeRefusal(const AgentDefinition &from,
                                                           const AgentDefinition &to);

} // namespace Rekindle
