// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/json/enumnames.h>
#include <rekindle/policy/circuitbreaker.h>
#include <rekindle/policy/failure.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/policy/slidingwindow.h>
#include <rekindle/policy/timepoint.h>

#include <memory>
#include <optional>

namespace Rekindle {

/// The states of an instance.
enum class InstanceState {
    Stopped,     ///< not running, no start planned
    Starting,    ///< started, not ready yet; deadline: the start timeout
    Running,     ///< ready; deadline: when it becomes stable
    Waiting,     ///< a start is planned; deadline: that start
    CircuitOpen, ///< the breaker is open; deadline: the half-open trial, none while isolated
    Evaluating,  ///< an evaluation request is in flight; deadline: its timeout
    Stopping,    ///< a stop was requested, and it has not exited yet
    Exhausted,   ///< given up; deadline: the re-arming, if configured
    Failed,      ///< failed and not restarted
    Gated,       ///< the license does not permit a restart
};
inline constexpr int instanceStateCount = 10;

inline constexpr std::array<EnumName<InstanceState>, instanceStateCount> instanceStates = {{
    {InstanceState::Stopped, QLatin1String("Stopped")},
    {InstanceState::Starting, QLatin1String("Starting")},
    {InstanceState::Running, QLatin1String("Running")},
    {InstanceState::Waiting, QLatin1String("Waiting")},
    {InstanceState::CircuitOpen, QLatin1String("CircuitOpen")},
    {InstanceState::Evaluating, QLatin1String("Evaluating")},
    {InstanceState::Stopping, QLatin1String("Stopping")},
    {InstanceState::Exhausted, QLatin1String("Exhausted")},
    {InstanceState::Failed, QLatin1String("Failed")},
    {InstanceState::Gated, QLatin1String("Gated")},
}};

[[nodiscard]] inline QString toText(InstanceState state) { return nameOf(instanceStates, state); }

/// Why a start is planned.
enum class PlannedStart {
    None,
    Operator,  ///< by an operator: a new sequence, no attempt, no limit
    Attempt,   ///< an automatic restart
    Requested, ///< requested by the agent: no attempt
};

/// The part of an instance that continues unchanged in a restarted host.
struct InstanceProgress
{
    int attempt = 0;         ///< automatic restarts begun in this sequence
    bool inSequence = false; ///< there was a failure since it was last stable
    bool onceReady = false;
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
    SlidingWindow requests; ///< requested ones, at most ten per minute

    InstanceState state = InstanceState::Stopped;
    PlannedStart planned = PlannedStart::None;
    quint64 generation = 0;   ///< grows by one at every start
    quint64 staleReports = 0; ///< ignored reports of an older generation

    int openAttempt = 0;       ///< the attempt that has begun and not ended; 0 if none
    bool startDue = false;     ///< the planned start happens as soon as the old process has exited
    bool processAlive = false; ///< the exit of this generation's process was not reported
    bool startedSeen = false;  ///< AgentStarted was emitted for this generation
    bool gated = false;        ///< the license, not the policy, permits no restart
    bool evaluatorAvailable = false; ///< an evaluator for a policy of type custom is loaded

    std::optional<Instant> deadline; ///< the meaning depends on the state
    Instant dueAt;                   ///< when the planned start was due
    Instant readyAt;
};

} // namespace Rekindle
