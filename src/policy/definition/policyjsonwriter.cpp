// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/decisionjson.h"
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

void write(JsonWriter &json, const EvaluatorOpinion &opinion)
{
    json.beginObject();
    json.member(QLatin1String("id"), opinion.id);
    json.member(QLatin1String("answer"), opinion.answerText());
    json.member(QLatin1String("reason"), opinion.reason);
    json.member(QLatin1String("builtInDelayMs"), opinion.builtInDelay);
    json.endObject();
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

QByteArray toJson(const RestartPolicy &policy)
{
    return QByteArray::fromStdString(
        asJson(policy).dump(2, ' ', false, Json::error_handler_t::replace));
}

QString toText(DecisionRule rule) { return nameOf(ruleNames, rule); }

void writeMembers(JsonWriter &json, const RestartDecision &decision, bool withJitter)
{
    const DecisionInputs &inputs = decision.inputs;
    json.member(QLatin1String("shouldRestart"), decision.shouldRestart);
    json.member(QLatin1String("delayMs"), decision.delay);
    json.member(QLatin1String("rule"), toText(decision.rule));
    json.member(QLatin1String("reason"), decision.reason());
    json.member(QLatin1String("attemptNumber"), decision.attemptNumber);
    json.member(QLatin1String("isFinalAttempt"), decision.isFinalAttempt);
    json.member(QLatin1String("circuitBreakerTripped"), decision.circuitBreakerTripped);
    json.member(QLatin1String("restartAtMonoNs"), decision.restartAt.time_since_epoch().count());
    json.key(QLatin1String("inputs"));
    json.beginObject();
    json.member(QLatin1String("policyType"), toText(inputs.policyType));
    json.member(QLatin1String("reason"), toText(inputs.reason));
    json.member(QLatin1String("exitCode"), inputs.exitCode);
    json.member(QLatin1String("attemptsMade"), inputs.attemptsMade);
    if (inputs.maxRetries)
        json.member(QLatin1String("maxRetries"), *inputs.maxRetries);
    else
        json.member(QLatin1String("maxRetries"), QLatin1String("unlimited"));
    json.member(QLatin1String("breakerState"), toText(inputs.breakerState));
    json.member(QLatin1String("breakerFailures"), inputs.breakerFailures);
    json.member(QLatin1String("calculatedDelayMs"), inputs.calculatedDelay);
    json.member(QLatin1String("draw"), inputs.draw);
    if (withJitter)
        json.member(QLatin1String("jitter"), toText(inputs.jitter));
    json.endObject();
    if (decision.evaluator) {
        json.key(QLatin1String("evaluator"));
        write(json, *decision.evaluator);
    }
}

QByteArray toJson(const RestartDecision &decision)
{
    QByteArray text;
    JsonWriter json(text);
    json.beginObject();
    writeMembers(json, decision, false);
    json.endObject();
    return text;
}

} // namespace Rekindle
