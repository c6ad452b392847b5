// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/circuitbreaker.h>

#include <QtTest>

namespace Rekindle {

constexpr Instant start{std::chrono::hours(1)};

inline CircuitBreaker breakerOf(int threshold, Duration timeout, double growth = 1.0,
                                Duration maxTimeout = std::chrono::hours(1))
{
    return CircuitBreaker(CircuitBreakerPolicy{threshold, timeout, growth, maxTimeout});
}

inline void fail(CircuitBreaker &breaker, Instant now)
{
    QVERIFY(breaker.recordFailure(breaker.generation(), now));
}

inline CircuitBreaker openBreaker(Duration timeout = std::chrono::minutes(5))
{
    CircuitBreaker breaker = breakerOf(1, timeout);
    fail(breaker, start);
    return breaker;
}

} // namespace Rekindle
