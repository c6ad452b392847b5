// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/circuitbreaker.h>
#include <rekindle/policy/enums.h>
#include <rekindle/policy/evaluatorverdict.h>
#include <rekindle/policy/failure.h>
#include <rekindle/policy/qmlvalue.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/policy/slidingwindow.h>
#include <rekindle/policy/timepoint.h>

#include <QObject>
#include <QString>

#include <optional>

namespace Rekindle {

/// The inputs of a decision, which explain it later.
struct DecisionInputs
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(Rekindle::RestartPolicyType policyType MEMBER policyType)
    Q_PROPERTY(Rekindle::FailureReason reason MEMBER reason)
    REKINDLE_QML_PROPERTY(QVariant, exitCode)
    Q_PROPERTY(int attemptsMade MEMBER attemptsMade)
    REKINDLE_QML_PROPERTY(QVariant, maxRetries)
    Q_PROPERTY(Rekindle::CircuitBreakerState breakerState MEMBER breakerState)
    Q_PROPERTY(int breakerFailures MEMBER breakerFailures)
    REKINDLE_QML_PROPERTY(double, calculatedDelay)
    Q_PROPERTY(Rekindle::JitterKind jitter MEMBER jitter)
    Q_PROPERTY(double draw MEMBER draw)

public:
    RestartPolicyType policyType = RestartPolicyType::None;
    FailureReason reason = FailureReason::Unknown;
    std::optional<int> exitCode{};
    int attemptsMade = 0;
    std::optional<int> maxRetries{};
    CircuitBreakerState breakerState = CircuitBreakerState::Closed; ///< after this failure
    int breakerFailures = 0;
    Duration calculatedDelay{0}; ///< before jitter
    JitterKind jitter = JitterKind::None;
    double draw = 0; ///< the random number

    bool operator==(const DecisionInputs &) const = default;
};

/// Whether, when and why an agent is restarted. The reason is a code; reason() formats it.
struct REKINDLE_POLICY_EXPORT RestartDecision
{
    Q_GADGET
    Q_PROPERTY(bool shouldRestart MEMBER shouldRestart)
    REKINDLE_QML_PROPERTY(double, delay)
    Q_PROPERTY(Rekindle::DecisionRule rule MEMBER rule)
    Q_PROPERTY(int attemptNumber MEMBER attemptNumber)
    Q_PROPERTY(bool isFinalAttempt MEMBER isFinalAttempt)
    Q_PROPERTY(bool circuitBreakerTripped MEMBER circuitBreakerTripped)
    REKINDLE_QML_PROPERTY(double, restartAt)
    Q_PROPERTY(Rekindle::DecisionInputs inputs MEMBER inputs)
    REKINDLE_QML_PROPERTY(QVariant, evaluator)

public:
    bool shouldRestart = false;
    Duration delay{0}; ///< until the restart, or until an open breaker becomes half-open
    DecisionRule rule = DecisionRule::PolicyNone;
    int attemptNumber = 0; ///< of the restart, from 1; 0 without a restart
    bool isFinalAttempt = false;
    bool circuitBreakerTripped = false;
    Instant restartAt{}; ///< now + delay, if there is a restart; set by decide()
    DecisionInputs inputs{};
    /// The answer of the custom evaluator, or why there is none. Empty without an evaluator, in
    /// shadow mode, if the built-in rules permit no restart, and if another policy or an operator
    /// caused the decision.
    std::optional<EvaluatorOpinion> evaluator{};

    [[nodiscard]] static RestartDecision restart(Duration delay, int attemptNumber,
                                                 bool isFinalAttempt = false);
    [[nodiscard]] static RestartDecision noRestart(DecisionRule rule);
    [[nodiscard]] static RestartDecision circuitOpen(Duration reopenDelay);

    /// The reason as text, for example "Restart attempt 3" or "Circuit breaker open".
    [[nodiscard]] QString reason() const;

    /// Whether both have the same rule and the same delay.
    [[nodiscard]] bool agreesWith(const RestartDecision &other) const
    {
        return rule == other.rule && delay == other.delay;
    }

    bool operator==(const RestartDecision &) const = default;
};

/// The arguments of decide(). The breaker has already counted the failure.
struct DecisionQuestion
{
    const RestartPolicy &policy;
    const CircuitBreaker &breaker;
    const SlidingWindow *window = nullptr; ///< of earlier automatic restarts, if they are limited
    int attemptsMade = 0;
    FailureReason reason = FailureReason::Unknown;
    std::optional<int> exitCode{};
    bool permanent = false; ///< reported by the agent
    bool onceReady = false; ///< then no failure is permanent
    Instant failedAt{};
    Instant notBefore = Instant::min(); ///< the earliest time of a restart
    double draw = 0.5;                  ///< uniform in [0, 1)
    Duration previousDelay{0};
};

/// After a failed launch (the agent failed before it was started), the next automatic start waits
/// at least this long, regardless of the policy. Otherwise a start that cannot succeed could use a
/// whole core.
inline constexpr Duration failedLaunchPause = std::chrono::milliseconds(100);

/// Applies the rules in the order of DecisionRule. Pure: no clock and no allocation.
[[nodiscard]] REKINDLE_POLICY_EXPORT RestartDecision decide(const DecisionQuestion &question);

} // namespace Rekindle
