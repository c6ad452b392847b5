// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/circuitbreakerpolicy.h>
#include <rekindle/policy/enums.h>
#include <rekindle/policy/failure.h>
#include <rekindle/policy/qmlvalue.h>
#include <rekindle/policy/timepoint.h>

#include <QObject>

#include <cstdint>
#include <optional>

namespace Rekindle {

/// The visible state of a circuit breaker.
struct CircuitBreakerInfo
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(Rekindle::CircuitBreakerState state MEMBER state)
    Q_PROPERTY(int failureCount MEMBER failureCount)
    Q_PROPERTY(bool isolated MEMBER isolated)
    REKINDLE_QML_PROPERTY(QVariant, openedAt)
    REKINDLE_QML_PROPERTY(QVariant, resetAt)
    REKINDLE_QML_PROPERTY(QVariant, lastSuccessAt)
    REKINDLE_QML_PROPERTY(QVariant, lastFailureAt)

public:
    CircuitBreakerState state = CircuitBreakerState::Closed;
    int failureCount = 0;  ///< since the last success, or the last start by an operator if closed
    bool isolated = false; ///< held open by an operator until released
    std::optional<UtcTime> openedAt{}; ///< while open
    std::optional<UtcTime> resetAt{};  ///< when it becomes half-open; empty while isolated
    std::optional<UtcTime> lastSuccessAt{};
    std::optional<UtcTime> lastFailureAt{};

    /// The state of a new circuit breaker.
    [[nodiscard]] static CircuitBreakerInfo closed() { return {}; }

    bool operator==(const CircuitBreakerInfo &) const = default;
};

/// The complete state of a circuit breaker without its policy, which must survive an exit of the
/// host.
struct CircuitBreakerSnapshot
{
    CircuitBreakerState state = CircuitBreakerState::Closed; ///< without the isolation
    bool isolated = false;
    int failureCount = 0; ///< as in CircuitBreakerInfo
    int reopened = 0;     ///< failed trials since it was last closed
    Instant openedAt{};   ///< if Open
    Instant resetAt{};    ///< when it becomes half-open
    std::optional<Instant> lastSuccessAt{};
    std::optional<Instant> lastFailureAt{};

    /// The same on a clock that is ahead by `shift`.
    [[nodiscard]] REKINDLE_POLICY_EXPORT CircuitBreakerSnapshot shiftedBy(Duration shift) const;

    bool operator==(const CircuitBreakerSnapshot &) const = default;
};

/// A circuit breaker as a value, without clock, timer, lock and allocation: the caller passes the
/// time. It guards restarts of an instance and calls of a tool.
///
/// A result carries the generation that admit() or beginTrial() returned. The generation changes
/// with every transition, so that a late result changes nothing. Reentrant; not thread-safe.
class REKINDLE_POLICY_EXPORT CircuitBreaker
{
public:
    using Generation = std::uint32_t;

    /// The result of admit().
    struct Admission
    {
        bool admitted = true;
        Generation generation = 0; ///< pass it with the result
    };

    /// Without a policy the breaker is off: it counts failures, but does not open by itself.
    explicit CircuitBreaker(const std::optional<CircuitBreakerPolicy> &policy = {});

    /// Sets the policy for the next transition. The state and its reset time stay.
    void setPolicy(const std::optional<CircuitBreakerPolicy> &policy);

    /// The visible state; an isolated breaker is Open.
    [[nodiscard]] CircuitBreakerState state() const
    {
        return m_data.isolated ? CircuitBreakerState::Open : m_data.state;
    }
    [[nodiscard]] bool isIsolated() const { return m_data.isolated; }
    [[nodiscard]] Generation generation() const { return m_generation; }
    [[nodiscard]] int failureCount() const { return m_data.failureCount; }

    /// When an open breaker becomes half-open; undefined in other states.
    [[nodiscard]] Instant resetAt() const { return m_data.resetAt; }

    /// Time until it becomes half-open; empty if it is not open or is isolated.
    [[nodiscard]] std::optional<Duration> openFor(Instant now) const;

    /// Requests admission of one call. If the breaker is open and its reset time has passed, it
    /// becomes half-open and the call is the trial. While half-open it refuses all other calls.
    [[nodiscard]] Admission admit(Instant now)
    {
        if (m_data.state == CircuitBreakerState::Closed && !m_data.isolated) [[likely]]
            return {true, m_generation};
        return admitSlowly(now);
    }

    /// Makes an open breaker half-open and ends an isolation: the start that follows is the trial.
    Generation beginTrial();

    /// Records a success: a half-open breaker closes, a closed one clears its failures, an open one
    /// ignores it. Returns false if the result was late.
    bool recordSuccess(Generation generation, Instant now)
    {
        if (generation != m_generation || m_data.state == CircuitBreakerState::Open) [[unlikely]]
            return false;
        m_data.lastSuccessAt = now;
        m_data.failureCount = 0;
        if (m_data.state == CircuitBreakerState::HalfOpen) [[unlikely]]
            close();
        return true;
    }

    /// Records a failure: enough consecutive failures open it, a failed trial opens it again. The
    /// reset time of an open breaker does not change. Returns false if the result was late.
    bool recordFailure(Generation generation, Instant now);

    /// Records a result that is neither a success nor a failure (canceled, stopped, exit code 0).
    /// If it was the trial, the breaker is open with its reset time now, so that the next start is
    /// the trial. Returns false if the result was late.
    bool recordIgnored(Generation generation, Instant now);

    /// Takes back the last failure, which was recorded in state `before`. If it opened the breaker,
    /// the breaker is closed again; if it was the trial, it ends as with recordIgnored().
    void forgetFailure(CircuitBreakerState before, Instant now);

    /// Opens a closed breaker regardless of its count, on behalf of a custom evaluator.
    void trip(Instant now);

    /// Clears the failure count if it is closed, because an operator begins a fresh sequence. An
    /// isolation stays.
    void clearFailures();

    /// Closes it, clears its counters and ends an isolation.
    void reset();
    /// Holds it open without a reset time until release(), reset() or beginTrial().
    void isolate();
    /// Ends an isolation; the earlier state and its reset time apply again.
    void release();

    [[nodiscard]] CircuitBreakerSnapshot snapshot() const;

    /// Restores the state of an earlier host, with the current policy. If a trial was in flight,
    /// the breaker is open with its reset time now. Reset times are limited to the policy's timeout
    /// for that many failed trials, past times to `now`.
    void restore(const CircuitBreakerSnapshot &snapshot, Instant now);

    /// For people; `now` and `utcNow` are the same instant on the two clocks.
    [[nodiscard]] CircuitBreakerInfo info(Instant now, UtcTime utcNow) const;

private:
    [[nodiscard]] Admission admitSlowly(Instant now);
    /// How long it would stay open after a failure.
    [[nodiscard]] Duration openDuration() const;
    void open(Instant now);
    void close();
    void outdateResults();

    CircuitBreakerPolicy m_policy;
    CircuitBreakerSnapshot m_data;
    Generation m_generation = 1;
    bool m_off = false;
};

} // namespace Rekindle
