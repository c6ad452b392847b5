// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/enums.h>
#include <rekindle/policy/restartpolicy.h>

namespace Rekindle {

/// Whether the tier permits policies of this type.
[[nodiscard]] REKINDLE_POLICY_EXPORT bool allows(LicenseTier tier, RestartPolicyType type);

/// A policy after the license tier was applied.
struct GatedPolicy
{
    RestartPolicy policy{};
    bool downgraded = false; ///< its type differs from the requested one
    bool gated = false;      ///< its type is none, only because of the tier

    bool operator==(const GatedPolicy &) const = default;
};

/// Downgrades a policy to the license tier, step by step, until the tier permits its type: custom
/// to its base, exponential and stepped to linear, linear and immediate to none. A permitted policy
/// is returned unchanged. Pure.
///
/// A valid policy stays valid. Only the keys of the removed type change: the evaluator of custom is
/// removed, and stepped becomes linear with its first step that is not zero.
[[nodiscard]] REKINDLE_POLICY_EXPORT GatedPolicy gatePolicy(const RestartPolicy &requested,
                                                            LicenseTier tier);

} // namespace Rekindle
