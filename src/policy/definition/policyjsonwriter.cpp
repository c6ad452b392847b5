// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policynames_p.h"

#include <rekindle/policy/policyjson.h>

#include <QJsonDocument>

#include <nlohmann/json.hpp>

namespace Rekindle {

namespace {

using Json = nlohmann::ordered_json;

std::string text(const QString &string) { return string.toStdString(); }
Json text(Duration duration) { return text(durationToString(duration)); }

Json orNull(const std::optional<UtcTime> &time)
{
    return time ? Json(text(toRfc3339(*time))) : Json(nullptr);
}

Json orNull(const std::optional<int> &number) { return number ? Json(*number) : Json(nullptr); }

QByteArray dump(const Json &json, int indent)
{
    return QByteArray::fromStdString(json.dump(indent, ' ', false, Json::error_handler_t::replace));
}

Json window(const RestartPolicy &policy)
{
    if (!policy.window)
        return "off";
    return {{"restarts", policy.window->restarts}, {"period", text(policy.window->period)}};
}

Json jitter(const Jitter &jitter)
{
    return {{"kind", text(toText(jitter.kind))},
            {"ratio", jitter.ratio},
            {"withinMax", jitter.withinMax}};
}

Json breaker(const std::optional<CircuitBreakerPolicy> &breaker)
{
    if (!breaker)
        return "off";
    return {{"threshold", breaker->threshold},
            {"timeout", text(breaker->timeout)},
            {"growth", breaker->growth},
            {"maxTimeout", text(breaker->maxTimeout)}};
}

Json permanent(const RestartPolicy &policy)
{
    Json list = Json::array();
    for (const int code : policy.permanentExitCodes)
        list.push_back(code);
    for (const FailureReason reason : policy.permanentReasons)
        list.push_back(text(toText(reason)));
    return list;
}

Json evaluator(const EvaluatorReference &evaluator)
{
    const QByteArray parameters =
        QJsonDocument(evaluator.parameters).toJson(QJsonDocument::Compact);
    return {{"id", text(evaluator.id)},
            {"parameters", Json::parse(parameters.begin(), parameters.end(), nullptr, false)},
            {"base", text(toText(evaluator.base))},
            {"mode", text(nameOf(evaluatorModes, evaluator.shadow))}};
}

Json asJson(const RestartPolicy &policy)
{
    Json json;
    json["type"] = text(toText(policy.type));
    json["maxRetries"] = policy.maxRetries ? Json(*policy.maxRetries) : Json("unlimited");
    json["window"] = window(policy);
    json["restartOn"] = text(nameOf(restartOnNames, policy.restartOn));
    json["immediateFirst"] = policy.immediateFirst;
    json["initialDelay"] = text(policy.initialDelay);
    json["multiplier"] = policy.multiplier;
    json["maxDelay"] = text(policy.maxDelay);
    if (!policy.steps.isEmpty()) {
        json["steps"] = Json::array();
        for (const Duration step : policy.steps)
            json["steps"].push_back(text(step));
    }
    json["jitter"] = jitter(policy.jitter);
    json["stableAfter"] = text(policy.stableAfter);
    json["startTimeout"] = text(policy.startTimeout);
    json["minInterval"] = text(policy.minInterval);
    json["requestedDelay"] = text(policy.requestedDelay);
    json["circuitBreaker"] = breaker(policy.circuitBreaker);
    json["permanent"] = permanent(policy);
    json["rearmAfter"] = policy.rearmAfter ? text(*policy.rearmAfter) : Json("off");
    if (policy.evaluator)
        json["evaluator"] = evaluator(*policy.evaluator);
    return json;
}

Json asJson(const FailureDetail &detail)
{
    Json tail = Json::array();
    for (const QString &line : detail.stderrTail)
        tail.push_back(text(line));
    return {{"message", text(detail.message)}, {"exitCode", orNull(detail.exitCode)},
            {"signal", orNull(detail.signal)}, {"pid", detail.processId},
            {"stderrTail", std::move(tail)},   {"permanent", detail.permanent}};
}

Json asJson(const AgentHealthStatus &status)
{
    Json history = Json::array();
    for (const ProbeResult &result : status.history) {
        history.push_back({{"at", text(toRfc3339(result.at))},
                           {"probe", text(result.probe)},
                           {"ok", result.ok},
                           {"tookMs", toMilliseconds(result.took)},
                           {"text", text(result.text)}});
    }
    return {{"state", text(toText(status.state))},
            {"consecutiveMisses", status.consecutiveMisses},
            {"detail", text(status.detail)},
            {"history", std::move(history)}};
}

Json asJson(const EvaluatorOpinion &opinion)
{
    return {{"id", text(opinion.id)},
            {"answer", text(opinion.answerText())},
            {"reason", text(opinion.reason)},
            {"builtInDelayMs", toMilliseconds(opinion.builtInDelay)}};
}

const char *nameOf(DecisionRule rule)
{
    switch (rule) {
    case DecisionRule::PolicyNone:
        return "PolicyNone";
    case DecisionRule::PermanentFailure:
        return "PermanentFailure";
    case DecisionRule::AttemptsExhausted:
        return "AttemptsExhausted";
    case DecisionRule::WindowExhausted:
        return "WindowExhausted";
    case DecisionRule::CircuitOpen:
        return "CircuitOpen";
    case DecisionRule::EvaluatorRefused:
        return "EvaluatorRefused";
    case DecisionRule::Restart:
        break;
    }
    return "Restart";
}

} // namespace

QByteArray toJson(const RestartPolicy &policy) { return dump(asJson(policy), 2); }

QByteArray toJson(const CircuitBreakerInfo &info)
{
    return dump({{"state", text(toText(info.state))},
                 {"failureCount", info.failureCount},
                 {"isolated", info.isolated},
                 {"openedAt", orNull(info.openedAt)},
                 {"resetAt", orNull(info.resetAt)},
                 {"lastSuccessAt", orNull(info.lastSuccessAt)},
                 {"lastFailureAt", orNull(info.lastFailureAt)}},
                -1);
}

QByteArray toJson(const RestartContext &context)
{
    return dump({{"instanceId", text(context.instanceId.toString(QUuid::WithoutBraces))},
                 {"policy", asJson(context.policy)},
                 {"currentAttempt", context.currentAttempt},
                 {"firstFailureAt", text(toRfc3339(context.firstFailureAt))},
                 {"lastFailureAt", text(toRfc3339(context.lastFailureAt))},
                 {"reason", text(toText(context.reason))},
                 {"detail", asJson(context.detail)},
                 {"healthStatus", asJson(context.healthStatus)},
                 {"circuitBreakerOpen", context.circuitBreakerOpen},
                 {"onceReady", context.onceReady}},
                -1);
}

QByteArray toJson(const RestartDecision &decision)
{
    const DecisionInputs &inputs = decision.inputs;
    Json json = {{"shouldRestart", decision.shouldRestart},
                 {"delayMs", toMilliseconds(decision.delay)},
                 {"rule", nameOf(decision.rule)},
                 {"reason", text(decision.reason())},
                 {"attemptNumber", decision.attemptNumber},
                 {"isFinalAttempt", decision.isFinalAttempt},
                 {"circuitBreakerTripped", decision.circuitBreakerTripped},
                 {"restartAtMonoNs", decision.restartAt.time_since_epoch().count()},
                 {"inputs",
                  {{"policyType", text(toText(inputs.policyType))},
                   {"reason", text(toText(inputs.reason))},
                   {"exitCode", orNull(inputs.exitCode)},
                   {"attemptsMade", inputs.attemptsMade},
                   {"maxRetries", inputs.maxRetries ? Json(*inputs.maxRetries) : Json("unlimited")},
                   {"breakerState", text(toText(inputs.breakerState))},
                   {"breakerFailures", inputs.breakerFailures},
                   {"calculatedDelayMs", toMilliseconds(inputs.calculatedDelay)},
                   {"draw", inputs.draw}}}};
    if (decision.evaluator)
        json["evaluator"] = asJson(*decision.evaluator);
    return dump(json, -1);
}

} // namespace Rekindle
