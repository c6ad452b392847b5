// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/instancetable.h>
#include <rekindle/policy/lifecycleevent.h>

namespace Rekindle {

/// Returns the public form of an event of the state table, after the input was applied to
/// `instance`. The process id, the details of a failure and the reason of a requested restart are
/// empty, because the table does not contain them.
[[nodiscard]] REKINDLE_POLICY_EXPORT LifecycleEvent toEvent(const InstanceEvent &event,
                                                            const Instance &instance,
                                                            const EventHeader &header);

} // namespace Rekindle
