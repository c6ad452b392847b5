// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/circuitbreaker.h>

#include <algorithm>
#include <cmath>

namespace Rekindle {

CircuitBreaker::CircuitBreaker(const std::optional<CircuitBreakerPolicy> &policy)
{
    setPolicy(policy);
}

void CircuitBreaker::setPolicy(const std::optional<CircuitBreakerPolicy> &policy)
{
    m_off = !policy.has_value();
    m_policy = policy.value_or(CircuitBreakerPolicy{});
}

std::optional<Duration> CircuitBreaker::openFor(Instant now) const
{
    if (m_state != CircuitBreakerState::Open || m_isolated)
        return {};
    return std::max(Duration{0}, m_resetAt - now);
}

Duration CircuitBreaker::openDuration() const
{
    const double factor = std::pow(m_policy.growth, m_reopened);
    const double grown = static_cast<double>(m_policy.timeout.count()) * factor;
    if (!(grown < static_cast<double>(m_policy.maxTimeout.count())))
        return std::max(m_policy.timeout, m_policy.maxTimeout);
    return Duration(std::llround(grown));
}

CircuitBreaker::Admission CircuitBreaker::admitSlowly(Instant now)
{
    if (m_isolated || m_state == CircuitBreakerState::HalfOpen)
        return {false, m_generation, Duration{0}};
    if (now < m_resetAt)
        return {false, m_generation, m_resetAt - now};
    return {true, beginProbe(), Duration{0}};
}

CircuitBreaker::Generation CircuitBreaker::beginProbe()
{
    m_isolated = false;
    if (m_state == CircuitBreakerState::Open) {
        m_state = CircuitBreakerState::HalfOpen;
        ++m_generation;
    }
    return m_generation;
}

void CircuitBreaker::open(Instant now)
{
    m_state = CircuitBreakerState::Open;
    m_openedAt = now;
    m_resetAt = now + openDuration();
    ++m_generation;
}

void CircuitBreaker::close()
{
    m_state = CircuitBreakerState::Closed;
    m_reopened = 0;
    ++m_generation;
}

bool CircuitBreaker::recordFailure(Generation generation, Instant now)
{
    if (generation != m_generation)
        return false;
    m_lastFailureAt = now;
    ++m_failureCount;
    if (m_state == CircuitBreakerState::HalfOpen && m_off) {
        close();
    } else if (m_state == CircuitBreakerState::HalfOpen) {
        ++m_reopened;
        open(now);
    } else if (m_state == CircuitBreakerState::Closed && !m_off
               && m_failureCount >= m_policy.threshold) {
        open(now);
    }
    return true;
}

bool CircuitBreaker::recordIgnored(Generation generation, Instant now)
{
    if (generation != m_generation)
        return false;
    if (m_state == CircuitBreakerState::HalfOpen) {
        m_state = CircuitBreakerState::Open;
        m_resetAt = now;
        ++m_generation;
    }
    return true;
}

void CircuitBreaker::trip(Instant now)
{
    if (m_state != CircuitBreakerState::Open)
        open(now);
}

void CircuitBreaker::reset()
{
    m_isolated = false;
    m_failureCount = 0;
    close();
}

void CircuitBreaker::isolate()
{
    m_isolated = true;
    outdateResults();
}

void CircuitBreaker::release()
{
    m_isolated = false;
    outdateResults();
}

// The result of the trial still counts, because nothing else ends half-open.
void CircuitBreaker::outdateResults()
{
    if (m_state != CircuitBreakerState::HalfOpen)
        ++m_generation;
}

CircuitBreakerSnapshot CircuitBreaker::snapshot() const
{
    CircuitBreakerSnapshot snapshot;
    snapshot.state = m_state;
    snapshot.isolated = m_isolated;
    snapshot.failureCount = m_failureCount;
    snapshot.reopened = m_reopened;
    if (m_state != CircuitBreakerState::Closed) {
        snapshot.openedAt = m_openedAt;
        snapshot.resetAt = m_resetAt;
    }
    snapshot.lastSuccessAt = m_lastSuccessAt;
    snapshot.lastFailureAt = m_lastFailureAt;
    return snapshot;
}

void CircuitBreaker::restore(const CircuitBreakerSnapshot &snapshot, Instant now)
{
    // A breaker that is off does not open by itself, so that an open one must be closed.
    m_state = m_off ? CircuitBreakerState::Closed : snapshot.state;
    m_isolated = snapshot.isolated;
    m_failureCount = std::max(snapshot.failureCount, 0);
    m_reopened = m_off ? 0 : std::max(snapshot.reopened, 0);
    m_openedAt = std::min(snapshot.openedAt, now);
    m_resetAt = std::min(snapshot.resetAt, now + openDuration());
    // An empty optional is less than any instant.
    m_lastSuccessAt = std::min(snapshot.lastSuccessAt, std::optional(now));
    m_lastFailureAt = std::min(snapshot.lastFailureAt, std::optional(now));
    ++m_generation;
    recordIgnored(m_generation, now);
}

CircuitBreakerInfo CircuitBreaker::info(Instant now, UtcTime utcNow) const
{
    const auto utc = [&](Instant instant) {
        return utcNow + std::chrono::round<std::chrono::milliseconds>(instant - now);
    };
    CircuitBreakerInfo info;
    info.state = state();
    info.failureCount = m_failureCount;
    info.isolated = m_isolated;
    if (m_state == CircuitBreakerState::Open) {
        info.openedAt = utc(m_openedAt);
        if (!m_isolated)
            info.resetAt = utc(m_resetAt);
    }
    if (m_lastSuccessAt)
        info.lastSuccessAt = utc(*m_lastSuccessAt);
    if (m_lastFailureAt)
        info.lastFailureAt = utc(*m_lastFailureAt);
    return info;
}

} // namespace Rekindle
