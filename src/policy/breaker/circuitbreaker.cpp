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

CircuitBreakerSnapshot CircuitBreakerSnapshot::shiftedBy(Duration shift) const
{
    CircuitBreakerSnapshot moved = *this;
    moved.openedAt += shift;
    moved.resetAt += shift;
    for (std::optional<Instant> *moment : {&moved.lastSuccessAt, &moved.lastFailureAt}) {
        if (*moment)
            **moment += shift;
    }
    return moved;
}

std::optional<Duration> CircuitBreaker::openFor(Instant now) const
{
    if (m_data.state != CircuitBreakerState::Open || m_data.isolated)
        return {};
    return std::max(Duration{0}, m_data.resetAt - now);
}

Duration CircuitBreaker::openDuration() const
{
    const double factor = std::pow(m_policy.growth, m_data.reopened);
    const double grown = static_cast<double>(m_policy.timeout.count()) * factor;
    if (!(grown < static_cast<double>(m_policy.maxTimeout.count())))
        return std::max(m_policy.timeout, m_policy.maxTimeout);
    return Duration(std::llround(grown));
}

CircuitBreaker::Admission CircuitBreaker::admitSlowly(Instant now)
{
    if (m_data.isolated || m_data.state == CircuitBreakerState::HalfOpen || now < m_data.resetAt)
        return {false, m_generation};
    return {true, beginTrial()};
}

CircuitBreaker::Generation CircuitBreaker::beginTrial()
{
    m_data.isolated = false;
    if (m_data.state == CircuitBreakerState::Open) {
        m_data.state = CircuitBreakerState::HalfOpen;
        ++m_generation;
    }
    return m_generation;
}

void CircuitBreaker::open(Instant now)
{
    m_data.state = CircuitBreakerState::Open;
    m_data.openedAt = now;
    m_data.resetAt = now + openDuration();
    ++m_generation;
}

void CircuitBreaker::close()
{
    m_data.state = CircuitBreakerState::Closed;
    m_data.reopened = 0;
    ++m_generation;
}

bool CircuitBreaker::recordFailure(Generation generation, Instant now)
{
    if (generation != m_generation)
        return false;
    m_data.lastFailureAt = now;
    ++m_data.failureCount;
    if (m_data.state == CircuitBreakerState::HalfOpen && m_off) {
        close();
    } else if (m_data.state == CircuitBreakerState::HalfOpen) {
        ++m_data.reopened;
        open(now);
    } else if (m_data.state == CircuitBreakerState::Closed && !m_off
               && m_data.failureCount >= m_policy.threshold) {
        open(now);
    }
    return true;
}

bool CircuitBreaker::recordIgnored(Generation generation, Instant now)
{
    if (generation != m_generation)
        return false;
    if (m_data.state == CircuitBreakerState::HalfOpen) {
        m_data.state = CircuitBreakerState::Open;
        m_data.resetAt = now;
        ++m_generation;
    }
    return true;
}

void CircuitBreaker::forgetFailure(CircuitBreakerState before, Instant now)
{
    m_data.failureCount = std::max(0, m_data.failureCount - 1);
    if (m_data.state != CircuitBreakerState::Open)
        return;
    if (before == CircuitBreakerState::Closed) {
        close();
    } else if (before == CircuitBreakerState::HalfOpen) {
        m_data.reopened = std::max(0, m_data.reopened - 1);
        m_data.resetAt = now;
        ++m_generation;
    }
}

void CircuitBreaker::trip(Instant now)
{
    if (m_data.state != CircuitBreakerState::Open)
        open(now);
}

void CircuitBreaker::clearFailures()
{
    if (m_data.state == CircuitBreakerState::Closed)
        m_data.failureCount = 0;
}

void CircuitBreaker::reset()
{
    m_data.isolated = false;
    m_data.failureCount = 0;
    close();
}

void CircuitBreaker::isolate()
{
    m_data.isolated = true;
    outdateResults();
}

void CircuitBreaker::release()
{
    m_data.isolated = false;
    outdateResults();
}

// The result of the trial still counts, because nothing else ends half-open.
void CircuitBreaker::outdateResults()
{
    if (m_data.state != CircuitBreakerState::HalfOpen)
        ++m_generation;
}

CircuitBreakerSnapshot CircuitBreaker::snapshot() const
{
    CircuitBreakerSnapshot snapshot = m_data;
    if (m_data.state == CircuitBreakerState::Closed)
        snapshot.openedAt = snapshot.resetAt = {};
    return snapshot;
}

void CircuitBreaker::restore(const CircuitBreakerSnapshot &snapshot, Instant now)
{
    m_data = snapshot;
    m_data.failureCount = std::max(snapshot.failureCount, 0);
    m_data.reopened = std::max(snapshot.reopened, 0);
    // A breaker that is off does not open by itself, so that an open one must be closed.
    if (m_off) {
        m_data.state = CircuitBreakerState::Closed;
        m_data.reopened = 0;
    }
    m_data.openedAt = std::min(snapshot.openedAt, now);
    m_data.resetAt = std::min(snapshot.resetAt, now + openDuration());
    // An empty optional is less than any instant.
    m_data.lastSuccessAt = std::min(snapshot.lastSuccessAt, std::optional(now));
    m_data.lastFailureAt = std::min(snapshot.lastFailureAt, std::optional(now));
    ++m_generation;
    recordIgnored(m_generation, now);
}

CircuitBreakerInfo CircuitBreaker::info(Instant now, UtcTime utcNow) const
{
    const auto utc = [&](Instant instant) {
        return utcNow + std::chrono::round<std::chrono::milliseconds>(instant - now);
    };
    CircuitBreakerInfo info{
        .state = state(), .failureCount = m_data.failureCount, .isolated = m_data.isolated};
    if (m_data.state == CircuitBreakerState::Open) {
        info.openedAt = utc(m_data.openedAt);
        if (!m_data.isolated)
            info.resetAt = utc(m_data.resetAt);
    }
    if (m_data.lastSuccessAt)
        info.lastSuccessAt = utc(*m_data.lastSuccessAt);
    if (m_data.lastFailureAt)
        info.lastFailureAt = utc(*m_data.lastFailureAt);
    return info;
}

} // namespace Rekindle
