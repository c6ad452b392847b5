// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/enums.h>
#include <rekindle/policy/restartpolicy.h>

#include <QString>

namespace Rekindle {

/// Whether the tier permits policies of this type.
[[nodiscard]] REKINDLE_POLICY_EXPORT bool allows(LicenseTier tier, RestartPolicyType type);

} // namespace Rekindle
