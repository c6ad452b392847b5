// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/restartdecision.h>

namespace Rekindle {

RestartDecision RestartDecision::restart(Duration delay, int attemptNumber, bool isFinalAttempt)
{
    return {.shouldRestart = true,
            .delay = delay,
            .rule = DecisionRule::Restart,
            .attemptNumber = attemptNumber,
            .isFinalAttempt = isFinalAttempt};
}

RestartDecision RestartDecision::noRestart(DecisionRule rule) { return {.rule = rule}; }

RestartDecision RestartDecision::circuitOpen(Duration reopenDelay)
{
    return {.delay = reopenDelay, .rule = DecisionRule::CircuitOpen, .circuitBreakerTripped = true};
}

QString RestartDecision::reason() const
{
    switch (rule) {
    case DecisionRule::PolicyNone:
        return QStringLiteral("The policy restarts nothing");
    case DecisionRule::PermanentFailure:
        return QStringLiteral("The failure is permanent: trying again would not help");
    case DecisionRule::AttemptsExhausted:
        return inputs.attemptsMade == 1
            ? QStringLiteral("The only restart is used up")
            : QStringLiteral("All %1 restarts are used up").arg(inputs.attemptsMade);
    case DecisionRule::WindowExhausted:
        return QStringLiteral("Too many restarts within the policy's window");
    case DecisionRule::CircuitOpen:
        return QStringLiteral("Circuit breaker open");
    case DecisionRule::EvaluatorRefused:
        return QStringLiteral("The custom evaluator refused a restart");
    case DecisionRule::Restart:
        return QStringLiteral("Restart attempt %1").arg(attemptNumber);
    }
    return {};
}

} // namespace Rekindle
