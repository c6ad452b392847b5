// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/circuitbreaker.h>

#include <algorithm>

namespace Rekindle {

/// The reference implementation of the circuit breaker of spec 4, written for readability. It
/// counts transitions instead of issuing generations.
struct ReferenceBreaker
{
    std::optional<CircuitBreakerPolicy> policy;
    CircuitBreakerState beneath = CircuitBreakerState::Closed; ///< without the isolation
    bool isolated = false;
    int failures = 0;
    int failedTrials = 0;
    int transitions = 0;
    Instant until{}; ///< when an open one becomes half-open

    [[nodiscard]] CircuitBreakerState state() const
    {
        return isolated ? CircuitBreakerState::Open : beneath;
    }

    void moveTo(CircuitBreakerState state)
    {
        beneath = state;
        ++transitions;
    }

    [[nodiscard]] Duration openTime() const
    {
        const CircuitBreakerPolicy rules = policy.value_or(CircuitBreakerPolicy{});
        double time = static_cast<double>(rules.timeout.count());
        for (int i = 0; i < failedTrials; ++i)
            time = std::min(time * rules.growth, static_cast<double>(rules.maxTimeout.count()));
        return Duration(static_cast<std::int64_t>(time));
    }

    void openAt(Instant now)
    {
        until = now + openTime();
        moveTo(CircuitBreakerState::Open);
    }

    void fail(Instant now)
    {
        ++failures;
        if (beneath == CircuitBreakerState::HalfOpen) {
            ++failedTrials;
            if (policy)
                openAt(now);
            else
                close();
        } else if (beneath == CircuitBreakerState::Closed && policy
                   && failures >= policy->threshold) {
            openAt(now);
        }
    }

    void close()
    {
        failedTrials = 0;
        moveTo(CircuitBreakerState::Closed);
    }

    void succeed()
    {
        if (beneath == CircuitBreakerState::Open)
            return;
        failures = 0;
        if (beneath == CircuitBreakerState::HalfOpen)
            close();
    }

    /// A start by an operator.
    void clearFailures()
    {
        if (beneath == CircuitBreakerState::Closed)
            failures = 0;
    }

    void ignore(Instant now)
    {
        if (beneath != CircuitBreakerState::HalfOpen)
            return;
        until = now;
        moveTo(CircuitBreakerState::Open);
    }

    /// Continues in another process.
    void restore(Instant now)
    {
        ignore(now);
        if (beneath == CircuitBreakerState::Open)
            until = std::min(until, now + openTime());
        if (!policy)
            close();
    }

    void beginTrial()
    {
        isolated = false;
        if (beneath == CircuitBreakerState::Open)
            moveTo(CircuitBreakerState::HalfOpen);
    }

    bool admit(Instant now)
    {
        if (state() == CircuitBreakerState::Closed)
            return true;
        if (isolated || beneath == CircuitBreakerState::HalfOpen || now < until)
            return false;
        beginTrial();
        return true;
    }

    void forgetFailure(CircuitBreakerState before, Instant now)
    {
        failures = std::max(0, failures - 1);
        if (beneath == CircuitBreakerState::Open && before == CircuitBreakerState::Closed) {
            close();
        } else if (beneath == CircuitBreakerState::Open
                   && before == CircuitBreakerState::HalfOpen) {
            failedTrials = std::max(0, failedTrials - 1);
            until = now;
            ++transitions;
        }
    }

    void trip(Instant now)
    {
        if (beneath != CircuitBreakerState::Open)
            openAt(now);
    }

    void reset()
    {
        isolated = false;
        failures = 0;
        close();
    }

    void setIsolated(bool on)
    {
        isolated = on;
        if (beneath != CircuitBreakerState::HalfOpen) // the result of a trial still counts
            ++transitions;
    }
};

} // namespace Rekindle
