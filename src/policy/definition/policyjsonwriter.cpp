// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policyfields_p.h"

#include <rekindle/policy/policyjson.h>

#include <QJsonDocument>

#include <nlohmann/json.hpp>

namespace Rekindle {

using namespace PolicyFields;

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

template<typename Owner, typename Fields>
Json fieldsJson(const Owner &owner, const Fields &fields);

template<typename Value>
Json valueJson(const Value &value, const auto &)
{
    return value;
}

Json valueJson(const QString &value, Text) { return text(value); }

Json valueJson(Duration value, const Range<Duration> &) { return text(value); }

Json valueJson(const QJsonObject &value, AnyObject)
{
    const QByteArray json = QJsonDocument(value).toJson(QJsonDocument::Compact);
    return Json::parse(json.begin(), json.end(), nullptr, false);
}

Json valueJson(const QList<Duration> &value, const DurationList &)
{
    Json list = Json::array();
    for (const Duration item : value)
        list.push_back(text(item));
    return list;
}

template<typename Enum, std::size_t size>
Json valueJson(Enum value, const Choice<std::array<EnumName<Enum>, size>> &choice)
{
    return text(nameOf(choice.rows, value));
}

template<typename Enum, std::size_t size>
Json valueJson(Enum value, const Choice<std::array<Enum, size>> &)
{
    return text(toText(value));
}

template<typename T, typename Fields>
Json valueJson(const T &value, const Object<T, Fields> &type)
{
    return fieldsJson(value, type.fields);
}

Json permanentJson(const RestartPolicy &policy)
{
    Json list = Json::array();
    for (const int code : policy.permanentExitCodes)
        list.push_back(code);
    for (const FailureReason reason : policy.permanentReasons)
        list.push_back(text(toText(reason)));
    return list;
}

template<typename Owner, typename Value, typename Type>
void writeField(Json &json, const Owner &owner, const Field<Owner, Value, Type> &field)
{
    const Value &value = owner.*field.member;
    Json &written = json[field.key.data()];
    if constexpr (std::is_same_v<Type, Permanent>)
        written = permanentJson(owner);
    else if constexpr (requires { value.has_value(); })
        written = value ? valueJson(*value, field.type) : Json(field.empty.data());
    else
        written = valueJson(value, field.type);
}

template<typename Owner, typename Fields>
Json fieldsJson(const Owner &owner, const Fields &fields)
{
    Json json = Json::object();
    forEach(fields, [&](const auto &field) { writeField(json, owner, field); });
    return json;
}

Json asJson(const RestartPolicy &policy)
{
    Json json = fieldsJson(policy, policyFields);
    if (policy.steps.isEmpty())
        json.erase("steps");
    if (!policy.evaluator)
        json.erase("evaluator");
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
