// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

namespace Rekindle {

/// The behavior of a circuit breaker.
struct CircuitBreakerPolicy
{
    /// The number of consecutive failures that opens it; 1 to 1000.
    int threshold = 5;

    /// Time from opening to half-open; more than 0, at most 7 days.
    Duration timeout = std::chrono::minutes(5);

    /// Factor for the timeout after each failed trial; 1 to 100.
    double growth = 1.0;

    /// The largest timeout; at least `timeout`, at most 7 days. The default in JSON is 1 h, or
    /// `timeout` if that is longer.
    Duration maxTimeout = std::chrono::hours(1);

    bool operator==(const CircuitBreakerPolicy &) const = default;
};

} // namespace Rekindle
