// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/circuitbreaker.h>
#include <rekindle/policy/failure.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/policy/slidingwindow.h>
#include <rekindle/policy/timepoint.h>

#include <memory>
#include <optional>

namespace Rekindle {

/// The states of an instance (spec 3).
enum class InstanceState {
    Stopped,     ///< nothing runs, nothing is planned
    Starting,    ///< started, not ready yet; its deadline is the start timeout
    Running,     ///< ready; its deadline is the moment from which it is stable
    Waiting,     ///< a start is planned; its deadline is that start
    CircuitOpen, ///< the breaker is open; its deadline is the probe, none while isolated
    Evaluating,  ///< a custom evaluator thinks; its deadline is the time budget
    Stopping,    ///< it was asked to end and has not ended yet
    Exhausted,   ///< given up; its deadline is the re-arming, if there is one
    Failed,      ///< it will not be restarted
    Gated,       ///< the licence does not allow a restart
};
inline constexpr int instanceStateCount = 10;

[[nodiscard]] REKINDLE_POLICY_EXPORT QString toText(InstanceState state);

/// Why a start is planned.
enum class PlannedStart {
    None,
    Operator,  ///< somebody wants it: a fresh sequence, no attempt, no limit
    Attempt,   ///< an automatic restart
    Requested, ///< the agent asked for it: no attempt
};

/// All that is known about one instance for deciding: plain data, changed by InstanceTable only.
struct REKINDLE_POLICY_EXPORT Instance
{
    explicit Instance(std::shared_ptr<const RestartPolicy> thePolicy);

    /// In force; never null. Shared: a thousand agents of one policy hold one copy.
    std::shared_ptr<const RestartPolicy> policy;
    CircuitBreaker breaker;
    SlidingWindow restarts; ///< automatic ones, for RestartPolicy::window
    SlidingWindow requests; ///< requested ones: ten a minute

    InstanceState state = InstanceState::Stopped;
    PlannedStart planned = PlannedStart::None;
    quint64 generation = 0;   ///< grows by one at every start
    quint64 staleReports = 0; ///< reports of an older generation, ignored

    int attempt = 0;           ///< automatic restarts begun in this sequence
    int openAttempt = 0;       ///< the one that has begun and not ended; 0 if none
    bool startDue = false;     ///< the planned start may happen as soon as the old process is gone
    bool processAlive = false; ///< the process of this generation has not been seen to end
    bool startedSeen = false;  ///< AgentStarted was told for this generation
    bool onceReady = false;
    bool inSequence = false;         ///< there was a failure since it was last stable
    bool gated = false;              ///< the licence, not the policy's author, allows no restart
    bool evaluatorAvailable = false; ///< somebody answers for a policy of type custom

    std::optional<Instant> deadline; ///< the one moment it waits for, by state
    Instant dueAt;                   ///< when the planned start was due
    std::optional<Instant> lastStartAt;
    Instant readyAt;
    Instant firstFailureAt; ///< of the sequence
    Instant lastFailureAt;

    FailureReason lastReason = FailureReason::Unknown;
    std::optional<int> lastExitCode;
    bool lastPermanent = false;
    double draw = 0;           ///< the random number of the last failure
    Duration plannedDelay{0};  ///< the last delay of this sequence
    Duration previousDelay{0}; ///< the one before the last failure
};

} // namespace Rekindle
