// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/licensetier.h>
#include <rekindle/policy/restartpolicy.h>

namespace Rekindle {

/// What becomes of a policy in a licence tier.
struct GatedPolicy
{
    RestartPolicy policy{};
    bool downgraded = false; ///< it is of another type than the one that was asked for
    bool gated = false;      ///< it is none, and only because of the tier

    bool operator==(const GatedPolicy &) const = default;
};

/// The soft gate (spec 7, S1 3.2): a policy above the tier falls back, step by step, until the
/// tier has its type: custom to its base; exponential and stepped to linear; linear and immediate
/// to none. What the tier has comes back as it is. Pure.
///
/// A valid policy stays valid. Limits, breaker, jitter and all else stay; only what belongs to a
/// type goes with it: the evaluator of custom, and the steps of stepped, which becomes linear from
/// its first step that is not zero.
[[nodiscard]] REKINDLE_POLICY_EXPORT GatedPolicy gatePolicy(const RestartPolicy &requested,
                                                            LicenseTier tier);

} // namespace Rekindle
