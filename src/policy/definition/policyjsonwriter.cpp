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

template<typename Enum, typename Rows>
Json valueJson(Enum value, const Choice<Rows> &choice)
{
    if constexpr (requires { toText(value); })
        return text(toText(value));
    else
        return text(nameOf(choice.rows, value));
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

Json asJson(const EvaluatorOpinion &opinion)
{
    return {{"id", text(opinion.id)},
            {"answer", text(opinion.answerText())},
            {"reason", text(opinion.reason)},
            {"builtInDelayMs", toMilliseconds(opinion.builtInDelay)}};
}

constexpr std::array<EnumName<DecisionRule>, 7> ruleNames = {{
    {DecisionRule::PolicyNone, QLatin1String("PolicyNone")},
    {DecisionRule::PermanentFailure, QLatin1String("PermanentFailure")},
    {DecisionRule::AttemptsExhausted, QLatin1String("AttemptsExhausted")},
    {DecisionRule::WindowExhausted, QLatin1String("WindowExhausted")},
    {DecisionRule::CircuitOpen, QLatin1String("CircuitOpen")},
    {DecisionRule::EvaluatorRefused, QLatin1String("EvaluatorRefused")},
    {DecisionRule::Restart, QLatin1String("Restart")},
}};

} // namespace

QByteArray toJson(const RestartPolicy &policy) { return dump(asJson(policy), 2); }

QByteArray toJson(const RestartDecision &decision)
{
    const DecisionInputs &inputs = decision.inputs;
    Json json = {{"shouldRestart", decision.shouldRestart},
                 {"delayMs", toMilliseconds(decision.delay)},
                 {"rule", text(nameOf(ruleNames, decision.rule))},
                 {"reason", text(decision.reason())},
                 {"attemptNumber", decision.attemptNumber},
                 {"isFinalAttempt", decision.isFinalAttempt},
                 {"circuitBreakerTripped", decision.circuitBreakerTripped},
                 {"restartAtMonoNs", decision.restartAt.time_since_epoch().count()},
                 {"inputs",
                  {{"policyType", text(toText(inputs.policyType))},
                   {"reason", text(toText(inputs.reason))},
                   {"exitCode", inputs.exitCode ? Json(*inputs.exitCode) : Json(nullptr)},
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
