// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsonplace.h"

#include <rekindle/policy/restartpolicy.h>

namespace Rekindle {

/// Reads and validates the policy at a place inside a larger text. Faults and warnings are added to
/// the place's collector. A faulty value has its default in the result.
[[nodiscard]] REKINDLE_POLICY_EXPORT RestartPolicy readPolicy(const JsonPlace &place);

} // namespace Rekindle
