// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/failure.h>
#include <rekindle/policy/timepoint.h>

#include <cstdint>
#include <optional>

namespace Rekindle {

/// State of a circuit breaker. Names and numbers are a contract (S1 4.4).
enum class CircuitBreakerState {
    Closed = 0,   ///< restarts are allowed, consecutive failures are counted
    Open = 1,     ///< restarts are refused until the timeout has elapsed
    HalfOpen = 2, ///< exactly one restart is under way as a probe
};

[[nodiscard]] REKINDLE_POLICY_EXPORT QString toText(CircuitBreakerState state);

/// How a circuit breaker behaves (spec 2 and 4).
struct CircuitBreakerPolicy
{
    /// Opens on this many consecutive failures; 1 to 1000. The threshold-th failure opens it.
    int threshold = 5;

    /// From opening to half-open; more than 0, at most 7 days.
    Duration timeout = std::chrono::minutes(5);

    /// Each probe that fails multiplies the timeout by this; 1 to 100.
    double growth = 1.0;

    /// Where growth ends; at least `timeout`, at most 7 days. Left out in JSON, it is 1 h, or
    /// `timeout` where that is longer.
    Duration maxTimeout = std::chrono::hours(1);

    bool operator==(const CircuitBreakerPolicy &) const = default;
};

/// What a circuit breaker tells about itself (S1 4.4).
struct CircuitBreakerInfo
{
    CircuitBreakerState state = CircuitBreakerState::Closed;
    int failureCount = 0;              ///< since the last success
    bool isolated = false;             ///< held open by hand, until released
    std::optional<UtcTime> openedAt{}; ///< while open
    std::optional<UtcTime> resetAt{};  ///< when it becomes half-open; nothing while isolated
    std::optional<UtcTime> lastSuccessAt{};
    std::optional<UtcTime> lastFailureAt{};

    /// A circuit breaker that has never seen anything.
    [[nodiscard]] static CircuitBreakerInfo closed() { return {}; }

    bool operator==(const CircuitBreakerInfo &) const = default;
};

/// All that a circuit breaker knows besides its policy: what must survive the end of its process
/// (spec 11).
struct CircuitBreakerSnapshot
{
    CircuitBreakerState state = CircuitBreakerState::Closed; ///< beneath an isolation
    bool isolated = false;
    int failureCount = 0; ///< since the last success
    int reopened = 0;     ///< probes that have failed since it was last closed
    Instant openedAt{};   ///< of Open; as resetAt
    Instant resetAt{};    ///< when it becomes half-open
    std::optional<Instant> lastSuccessAt{};
    std::optional<Instant> lastFailureAt{};

    bool operator==(const CircuitBreakerSnapshot &) const = default;
};

/// A circuit breaker as a value: no clock, no timer, no lock, no allocation. The caller says what
/// time it is. It guards restarts of an instance and calls of a tool alike (spec 4 and 9).
///
/// Results carry the generation that admit() or beginProbe() gave out; it changes with every
/// transition, so a result that comes late changes nothing. Reentrant; not thread-safe.
class REKINDLE_POLICY_EXPORT CircuitBreaker
{
public:
    using Generation = std::uint32_t;

    /// The answer to admit().
    struct Admission
    {
        bool admitted = true;
        Generation generation = 0; ///< hand it back with the result
        Duration retryAfter{0};    ///< where refused: until it may be worth asking; zero if unknown
    };

    /// Without a policy the breaker is off: it counts, and never opens by itself.
    explicit CircuitBreaker(const std::optional<CircuitBreakerPolicy> &policy = {});

    /// A new policy for the next transition; the state and its reset time stay (spec 3).
    void setPolicy(const std::optional<CircuitBreakerPolicy> &policy);

    /// The state that others see; an isolated breaker is Open.
    [[nodiscard]] CircuitBreakerState state() const
    {
        return m_isolated ? CircuitBreakerState::Open : m_state;
    }
    [[nodiscard]] bool isIsolated() const { return m_isolated; }
    [[nodiscard]] bool isOff() const { return m_off; }
    [[nodiscard]] Generation generation() const { return m_generation; }
    [[nodiscard]] int failureCount() const { return m_failureCount; }

    /// When an open breaker becomes half-open; meaningless in other states.
    [[nodiscard]] Instant resetAt() const { return m_resetAt; }

    /// Until it becomes half-open; nothing while it is not open or is isolated.
    [[nodiscard]] std::optional<Duration> openFor(Instant now) const;

    /// How long it stays open from a failure now on.
    [[nodiscard]] Duration openDuration() const;

    /// May one call pass? Open and past its reset time it becomes half-open and this call is the
    /// probe; half-open it refuses all but the probe.
    [[nodiscard]] Admission admit(Instant now)
    {
        if (m_state == CircuitBreakerState::Closed && !m_isolated) [[likely]]
            return {true, m_generation, Duration{0}};
        return admitSlowly(now);
    }

    /// Open becomes half-open at once, isolation is lifted: the start that follows is the probe.
    Generation beginProbe();

    /// A success: half-open closes, closed forgets its failures, open ignores it. False if it
    /// came too late.
    bool recordSuccess(Generation generation, Instant now)
    {
        if (generation != m_generation || m_state == CircuitBreakerState::Open) [[unlikely]]
            return false;
        m_lastSuccessAt = now;
        m_hasSuccess = true;
        m_failureCount = 0;
        if (m_state == CircuitBreakerState::HalfOpen) [[unlikely]]
            close();
        return true;
    }

    /// A failure: the threshold-th in a row opens it, a failed probe opens it again for longer.
    /// An open breaker's reset time is not pushed back. False if it came too late.
    bool recordFailure(Generation generation, Instant now);

    /// Neither (cancelled, stopped, ended with 0): no evidence. A probe's slot is given back: open
    /// with its reset time now, so that the next start is the probe. False if it came too late.
    bool recordIgnored(Generation generation, Instant now);

    /// Opens a closed breaker now, whatever its count: a custom evaluator may do that.
    void trip(Instant now);

    /// Closed, counters zero, not isolated, by hand.
    void reset();
    /// Held open by hand: nothing passes, no reset time, until release(), reset() or beginProbe().
    void isolate();
    /// Ends an isolation; the state from before, with its reset time, holds again.
    void release();

    [[nodiscard]] CircuitBreakerSnapshot snapshot() const;

    /// Becomes what a breaker was in a life before, under its own policy. A probe that was under
    /// way then has no result any more: open, with its reset time now. No reset time lies further
    /// ahead than the policy's timeout for that many failed probes, no time of the past after
    /// `now`.
    void restore(const CircuitBreakerSnapshot &snapshot, Instant now);

    /// For people; `now` and `utcNow` are the same moment on the two clocks.
    [[nodiscard]] CircuitBreakerInfo info(Instant now, UtcTime utcNow) const;

private:
    [[nodiscard]] Admission admitSlowly(Instant now);
    void open(Instant now);
    void close();
    void outdateResults();

    CircuitBreakerPolicy m_policy;
    Instant m_openedAt;
    Instant m_resetAt;
    Instant m_lastSuccessAt;
    Instant m_lastFailureAt;
    Generation m_generation = 1;
    int m_failureCount = 0;
    int m_reopened = 0;
    CircuitBreakerState m_state = CircuitBreakerState::Closed;
    bool m_off = false;
    bool m_isolated = false;
    bool m_hasSuccess = false;
    bool m_hasFailure = false;
};

} // namespace Rekindle

Q_DECLARE_METATYPE(Rekindle::CircuitBreakerInfo)
