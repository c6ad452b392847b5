// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/restartpolicy.h>

#include <optional>

/// Calculates delays. Pure: the random draw is an argument.
namespace Rekindle::Backoff {

/// The arguments of delay() in addition to the policy.
struct Draw
{
    double u = 0.5;       ///< uniform in [0, 1)
    Duration previous{0}; ///< the delay of the previous attempt, for decorrelated jitter; 0: none
};

/// Delay before attempt n without jitter, limited to maxDelay; it saturates for every n. n counts
/// from 1; a lower value is a programming error, which is logged as critical and treated as 1.
[[nodiscard]] REKINDLE_POLICY_EXPORT Duration baseDelay(const RestartPolicy &policy, int n);

/// Delay before attempt n with jitter. Never negative; with withinMax never above maxDelay.
[[nodiscard]] REKINDLE_POLICY_EXPORT Duration delay(const RestartPolicy &policy, int n, Draw draw);

/// The least and the greatest possible delay before attempt n.
struct Band
{
    Duration least{0};
    Duration greatest{0};

    bool operator==(const Band &) const = default;
};
[[nodiscard]] REKINDLE_POLICY_EXPORT Band band(const RestartPolicy &policy, int n);

/// Sum of the delays of all attempts without jitter; 0 for type none and for maxRetries 0, empty if
/// maxRetries is unlimited. Saturates at the greatest Duration.
[[nodiscard]] REKINDLE_POLICY_EXPORT std::optional<Duration>
totalRetryTime(const RestartPolicy &policy);

} // namespace Rekindle::Backoff
