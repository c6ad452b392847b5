// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/circuitbreaker.h>
#include <rekindle/policy/export.h>
#include <rekindle/policy/timepoint.h>

#include <QList>
#include <QString>
#include <QStringList>
#include <QUuid>

namespace Rekindle {

/// When a breaker opens that several agents share, and for how long.
struct SharedBreakerPolicy
{
    static constexpr int highestThreshold = 1000;
    static constexpr Duration longestWindow = std::chrono::hours(24);
    static constexpr Duration longestTimeout = std::chrono::days(7);

    QString name{};
    int threshold = 3; ///< votes that open it; 1 to 1,000
    int agents = 2;    ///< the least number of different agents among them; 1 to `threshold`
    Duration window = std::chrono::seconds(30);     ///< for these votes; 1 ms to 24 h
    Duration timeout = std::chrono::seconds(30);    ///< from open to half-open; 1 ms to 7 days
    double growth = 2.0;                            ///< of the timeout per failed trial; 1 to 100
    Duration maxTimeout = std::chrono::minutes(10); ///< at least `timeout`, at most 7 days
    /// How long the trial must be ready; 0 to 24 h.
    Duration provenAfter = std::chrono::seconds(5);
    /// The hosts of a fleet share its state; without a fleet, it has no effect.
    bool isFleetWide = false;

    /// Each fault begins with the name of the breaker.
    [[nodiscard]] REKINDLE_POLICY_EXPORT QStringList faults() const;

    bool operator==(const SharedBreakerPolicy &) const = default;
};

/// A circuit breaker that several agents share. A value without clock and timer. While it is open
/// or half-open, no agent starts but the trial.
class REKINDLE_POLICY_EXPORT SharedBreaker
{
public:
    /// A failure that counts.
    struct Vote
    {
        QUuid agent;
        quint64 generation = 0; ///< the start that has failed
        Instant at{};

        bool operator==(const Vote &) const = default;
    };

    explicit SharedBreaker(const SharedBreakerPolicy &policy);

    [[nodiscard]] const SharedBreakerPolicy &policy() const { return m_policy; }
    /// Sets the policy for the next transition.
    void setPolicy(const SharedBreakerPolicy &policy);

    [[nodiscard]] const CircuitBreaker &breaker() const { return m_breaker; }
    [[nodiscard]] CircuitBreakerState state() const { return m_breaker.state(); }

    /// Records a vote, unless the breaker is open or half-open. Returns the votes that have opened
    /// it; empty if it stays as it is.
    [[nodiscard]] QList<Vote> vote(const Vote &vote);
    /// The votes that count now, oldest first.
    [[nodiscard]] QList<Vote> votes(Instant now) const;

    /// Whether it is open and a trial may begin now.
    [[nodiscard]] bool isTrialDue(Instant now) const;
    /// The agent whose start is the trial; null if none is.
    [[nodiscard]] QUuid trial() const { return m_trial; }
    void beginTrial(const QUuid &agent);

    /// The trial has stayed ready for `provenAfter`.
    void trialSucceeded(Instant now);
    void trialFailed(Instant now);
    /// The trial was stopped, or has exited without a failure: the next start is the trial.
    void trialEnded(Instant now);

    /// Another host has opened or closed it, after so many failed trials. A trial ends without
    /// evidence. If it opens, the open time begins now. An isolation stays. Returns the votes that
    /// opening it refunds.
    [[nodiscard]] QList<Vote> follow(CircuitBreakerState state, int reopened, Instant now);

    void reset();
    void isolate();
    void release();

    [[nodiscard]] CircuitBreakerSnapshot snapshot() const { return m_breaker.snapshot(); }
    void restore(const CircuitBreakerSnapshot &snapshot, Instant now);

private:
    void endTrial() { m_trial = {}; }

    SharedBreakerPolicy m_policy;
    CircuitBreaker m_breaker;
    QList<Vote> m_votes; // within the window, oldest first
    QUuid m_trial;
};

} // namespace Rekindle
