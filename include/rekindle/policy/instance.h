// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/circuitbreaker.h>
#include <rekindle/policy/enums.h>
#include <rekindle/policy/failure.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/policy/slidingwindow.h>
#include <rekindle/policy/timepoint.h>

#include <memory>
#include <optional>

namespace Rekindle {

/// The part of an instance that continues unchanged in a restarted host.
struct InstanceProgress
{
    int attempt = 0;         ///< automatic restarts begun in this sequence
    bool inSequence = false; ///< there was a failure since it was last stable
    bool onceReady = false;
    bool stoppedByOperator = false; ///< and not started since; a restarted host does not start it
    bool givenUpByGroup = false;    ///< and not started since; the same
    std::optional<Instant> lastStartAt{};

    // Of a sequence.
    Instant firstFailureAt{};
    Instant lastFailureAt{};
    FailureReason lastReason = FailureReason::Unknown;
    std::optional<int> lastExitCode{};
    bool lastPermanent = false;
    double draw = 0;           ///< the random number of the last failure, in [0, 1)
    Duration plannedDelay{0};  ///< the last delay of this sequence
    Duration previousDelay{0}; ///< the one before the last failure

    bool operator==(const InstanceProgress &) const = default;
};

/// The data of one instance that decisions need. Plain data; only InstanceTable changes it.
struct REKINDLE_POLICY_EXPORT Instance : InstanceProgress
{
    explicit Instance(std::shared_ptr<const RestartPolicy> thePolicy);

    /// The current policy; never null. Agents with the same policy share it.
    std::shared_ptr<const RestartPolicy> policy;
    CircuitBreaker breaker;
    SlidingWindow restarts; ///< automatic ones, for RestartPolicy::window
    SlidingWindow requests; ///< requested ones, for RestartPolicy::requestLimit

    InstanceState state = InstanceState::Stopped;
    PlannedStart planned = PlannedStart::None;
    quint64 generation = 0;   ///< grows by one at every start
    quint64 staleReports = 0; ///< ignored reports of an older generation

    int openAttempt = 0;   ///< the attempt that has begun and not ended; 0 if none
    bool startDue = false; ///< the planned start happens when the old process has exited and no
                           ///< hold is left
    Holds holds{};
    bool processAlive = false; ///< the exit of this generation's process was not reported
    bool launching = false; ///< launched, but AgentStarted has not been emitted for this generation
    bool completed = false; ///< the newest generation exited by itself without a failure
    // Of the last failure, for Refund.
    bool failedAttempt = false; ///< of an automatic restart
    CircuitBreakerState breakerAtFailure =
        CircuitBreakerState::Closed; ///< before; without the isolation

    bool gated = false;              ///< the license, not the policy, permits no restart
    bool evaluatorAvailable = false; ///< an evaluator for a policy of type custom is loaded

    std::optional<Instant> deadline; ///< the meaning depends on the state
    Instant dueAt;                   ///< when the planned start was due
    Instant readyAt;

    /// Whether the agent runs or has a planned start.
    [[nodiscard]] bool isActive() const
    {
        return processAlive || deadline || planned != PlannedStart::None;
    }
    /// What its newest generation has reached, for agents that depend on it.
    [[nodiscard]] DependencyLevels levels() const;
};

} // namespace Rekindle
