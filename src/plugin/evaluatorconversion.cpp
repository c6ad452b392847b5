// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "evaluatorconversion_p.h"

namespace Rekindle {

EvaluatorQuestion toQuestion(const EvaluatorRequest &request)
{
    const RestartContext &context = request.context;
    const RestartDecision &builtIn = request.builtIn;
    EvaluatorQuestion question;
    question.instanceId = context.instanceId;
    question.agent = request.agent;
    question.generation = request.generation;
    question.currentAttempt = context.currentAttempt;
    question.reason = toText(context.reason);
    question.message = context.detail.message;
    question.exitCode = context.detail.exitCode;
    question.signal = context.detail.signal;
    question.stderrTail = context.detail.stderrTail;
    question.beforeReady = request.beforeReady;
    question.onceReady = context.onceReady;
    question.failedAt = request.failedAt.time_since_epoch();
    question.failedAtUtc = context.lastFailureAt.time_since_epoch();
    question.builtInDelay = builtIn.delay;
    question.attemptNumber = builtIn.attemptNumber;
    question.isFinalAttempt = builtIn.isFinalAttempt;
    question.health = toText(context.healthStatus.state).toLower();
    question.consecutiveMisses = context.healthStatus.consecutiveMisses;
    for (const ProbeResult &result : context.healthStatus.history) {
        question.healthHistory.append(
            {result.at.time_since_epoch(), result.ok, result.took, result.text, result.probe});
    }
    return question;
}

EvaluatorVerdict toVerdict(const EvaluatorAnswer &answer)
{
    switch (answer.kind) {
    case EvaluatorAnswer::Kind::Delay:
        return {EvaluatorVerdict::Kind::Delay, answer.delay};
    case EvaluatorAnswer::Kind::Refuse:
        return {EvaluatorVerdict::Kind::Refuse};
    case EvaluatorAnswer::Kind::OpenBreaker:
        return {EvaluatorVerdict::Kind::OpenBreaker};
    case EvaluatorAnswer::Kind::Accept:
        break;
    }
    return {};
}

} // namespace Rekindle
