// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/backoff.h>
#include <rekindle/policy/restartdecision.h>

#include <algorithm>

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

namespace {

bool isPermanent(const DecisionQuestion &question)
{
    if (question.onceReady)
        return false;
    const RestartPolicy &policy = question.policy;
    return question.permanent || policy.permanentReasons.contains(question.reason)
        || (question.exitCode && policy.permanentExitCodes.contains(*question.exitCode));
}

RestartDecision restartAfterDelay(const DecisionQuestion &question)
{
    const RestartPolicy &policy = question.policy;
    const int attempt = question.attemptsMade + 1;
    const Duration drawn = Backoff::delay(policy, attempt, {question.draw, question.previousDelay});
    const Instant restartAt = std::max(question.failedAt + drawn, question.notBefore);
    RestartDecision decision = RestartDecision::restart(restartAt - question.failedAt, attempt,
                                                        policy.maxRetries == attempt);
    decision.restartAt = restartAt;
    return decision;
}

RestartDecision waitForBreaker(const DecisionQuestion &question)
{
    const CircuitBreaker &breaker = question.breaker;
    const Instant reset = std::max({breaker.resetAt(), question.failedAt, question.notBefore});
    RestartDecision decision = RestartDecision::circuitOpen(
        breaker.isIsolated() ? Duration{0} : reset - question.failedAt);
    decision.restartAt = breaker.isIsolated() ? Instant::max() : reset;
    decision.attemptNumber = question.attemptsMade + 1;
    return decision;
}

RestartDecision byRules(const DecisionQuestion &question)
{
    if (question.policy.effectiveType() == RestartPolicyType::None)
        return RestartDecision::noRestart(DecisionRule::PolicyNone);
    if (isPermanent(question))
        return RestartDecision::noRestart(DecisionRule::PermanentFailure);
    if (const auto &most = question.policy.maxRetries; most && question.attemptsMade >= *most)
        return RestartDecision::noRestart(DecisionRule::AttemptsExhausted);
    const bool open = question.breaker.state() == CircuitBreakerState::Open;
    RestartDecision decision = open ? waitForBreaker(question) : restartAfterDelay(question);
    if (question.window && question.window->isFull(decision.restartAt))
        return RestartDecision::noRestart(DecisionRule::WindowExhausted);
    return decision;
}

} // namespace

RestartDecision decide(const DecisionQuestion &question)
{
    RestartDecision decision = byRules(question);
    DecisionInputs &inputs = decision.inputs;
    inputs.policyType = question.policy.type;
    inputs.reason = question.reason;
    inputs.exitCode = question.exitCode;
    inputs.attemptsMade = question.attemptsMade;
    inputs.maxRetries = question.policy.maxRetries;
    inputs.breakerState = question.breaker.state();
    inputs.breakerFailures = question.breaker.failureCount();
    inputs.jitter = question.policy.jitter.kind;
    inputs.draw = question.draw;
    if (decision.shouldRestart)
        inputs.calculatedDelay = Backoff::baseDelay(question.policy, decision.attemptNumber);
    return decision;
}

} // namespace Rekindle
