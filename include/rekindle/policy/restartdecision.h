// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/circuitbreaker.h>
#include <rekindle/policy/evaluatorverdict.h>
#include <rekindle/policy/failure.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/policy/slidingwindow.h>
#include <rekindle/policy/timepoint.h>

#include <QMetaType>
#include <QString>

#include <optional>

namespace Rekindle {

/// The rule that a decision came from, in the order in which they are asked (spec 3).
enum class DecisionRule {
    PolicyNone,        ///< the policy restarts nothing
    PermanentFailure,  ///< trying again is useless
    AttemptsExhausted, ///< maxRetries restarts were made
    WindowExhausted,   ///< too many restarts in the sliding period
    CircuitOpen,       ///< the circuit breaker is open
    EvaluatorRefused,  ///< a custom evaluator said no
    Restart,           ///< restart after the delay
};

/// The inputs that a decision was made from, so that it can be explained later.
struct DecisionInputs
{
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

/// Whether, when and why an agent is restarted (S1 4.3). The reason is a code; its text is made
/// when somebody reads it.
struct REKINDLE_POLICY_EXPORT RestartDecision
{
    bool shouldRestart = false;
    Duration delay{0}; ///< until the restart, or until an open breaker may be asked again
    DecisionRule rule = DecisionRule::PolicyNone;
    int attemptNumber = 0; ///< of the restart, from 1; 0 where there is none
    bool isFinalAttempt = false;
    bool circuitBreakerTripped = false;
    Instant restartAt{}; ///< now + delay, where a restart is to come
    DecisionInputs inputs{};
    /// The custom evaluator's part in it, or why it had none. Nothing where there is no evaluator,
    /// where it is in shadow mode, where the built-in rules allow no restart and so ask nobody, and
    /// where it is another policy or an operator that led to the decision.
    std::optional<EvaluatorOpinion> evaluator{};

    [[nodiscard]] static RestartDecision restart(Duration delay, int attemptNumber,
                                                 bool isFinalAttempt = false);
    [[nodiscard]] static RestartDecision noRestart(DecisionRule rule);
    [[nodiscard]] static RestartDecision circuitOpen(Duration reopenDelay);

    /// The reason in words, for example "Restart attempt 3" or "Circuit breaker open".
    [[nodiscard]] QString reason() const;

    /// Whether the same follows from both: by the same rule, after the same delay.
    [[nodiscard]] bool agreesWith(const RestartDecision &other) const
    {
        return rule == other.rule && delay == other.delay;
    }

    bool operator==(const RestartDecision &) const = default;
};

/// What decide() is asked. The breaker has already counted the failure.
struct DecisionQuestion
{
    const RestartPolicy &policy;
    const CircuitBreaker &breaker;
    const SlidingWindow *window = nullptr; ///< of earlier automatic restarts, if it is limited
    int attemptsMade = 0;
    FailureReason reason = FailureReason::Unknown;
    std::optional<int> exitCode{};
    bool permanent = false; ///< the agent said so
    bool onceReady = false; ///< then nothing is permanent
    Instant failedAt{};
    std::optional<Instant> lastStartAt{};
    double draw = 0.5; ///< uniform in [0, 1)
    Duration previousDelay{0};
};

/// Applies the rules of spec 3 in their order. Pure: no clock, no allocation, under a microsecond.
[[nodiscard]] REKINDLE_POLICY_EXPORT RestartDecision decide(const DecisionQuestion &question);

} // namespace Rekindle

Q_DECLARE_METATYPE(Rekindle::RestartDecision)
