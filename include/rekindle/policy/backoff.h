// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/restartpolicy.h>

#include <optional>

/// The arithmetic of delays (spec 2, S1 4.5). Pure: the random draw is an argument.
namespace Rekindle::Backoff {

/// What delay() needs beside the policy.
struct Draw
{
    double u = 0.5;       ///< uniform in [0, 1)
    Duration previous{0}; ///< the delay of the attempt before, for decorrelated jitter; 0 = none
};

/// Delay before attempt n without jitter, capped at maxDelay; it saturates, at any n.
/// n counts from 1; less is a programming error: it is asserted, and taken as 1.
[[nodiscard]] REKINDLE_POLICY_EXPORT Duration baseDelay(const RestartPolicy &policy, int n);

/// Delay before attempt n, jittered. Never negative; with withinMax never above maxDelay.
[[nodiscard]] REKINDLE_POLICY_EXPORT Duration delay(const RestartPolicy &policy, int n, Draw draw);

/// The least and the greatest delay that a draw can give before attempt n.
struct Band
{
    Duration least{0};
    Duration greatest{0};
};
[[nodiscard]] REKINDLE_POLICY_EXPORT Band band(const RestartPolicy &policy, int n);

/// Sum of the unjittered delays of all attempts; zero for type none and for maxRetries 0; nothing
/// where maxRetries is unlimited. Saturates at the greatest Duration.
[[nodiscard]] REKINDLE_POLICY_EXPORT std::optional<Duration>
totalRetryTime(const RestartPolicy &policy);

} // namespace Rekindle::Backoff
