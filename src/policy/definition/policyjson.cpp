// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/policykeys.h"
#include "policyfields_p.h"
#include "json/jsonobjectreader.h"
#include "json/jsonparser.h"

#include <rekindle/policy/policyjson.h>
#include <rekindle/policy/validation.h>

#include <algorithm>
#include <type_traits>

namespace Rekindle {

using namespace PolicyFields;

namespace {

template<typename Owner, typename Fields>
void readFields(JsonObjectReader &object, Owner &owner, const Fields &fields);

QString orText(QLatin1String empty)
{
    return empty.isEmpty() ? QString() : QStringLiteral(" or \"%1\"").arg(empty);
}

// Each returns whether the value was read. validate() checks the ranges of other numbers.
bool read(const JsonPlace &place, auto &value, const auto &, QLatin1String)
{
    return place.to(value);
}

bool read(const JsonPlace &place, int &value, const Range<int> &range, QLatin1String empty)
{
    return place.to(value, range.least, range.greatest, orText(empty));
}

template<typename Enum, typename Rows>
bool read(const JsonPlace &place, Enum &value, const Choice<Rows> &choice, QLatin1String)
{
    return place.to(value, choice.rows);
}

bool read(const JsonPlace &place, QJsonObject &value, const AnyObject &, QLatin1String)
{
    value = place.node().toJsonValue().toObject();
    return place.wantObject();
}

bool read(const JsonPlace &place, QList<Duration> &value, const DurationList &, QLatin1String)
{
    const auto items = place.items();
    if (!items)
        return false;
    value.clear();
    // A faulty item keeps its place in the list, so that later items keep their pointers.
    for (const JsonPlace &item : *items)
        value.append(item.duration().value_or(Duration::zero()));
    return true;
}

template<typename T, typename Fields>
bool read(const JsonPlace &place, T &value, const Object<T, Fields> &type, QLatin1String empty)
{
    if (!place.isObject()) {
        place.mismatch(QStringLiteral("an object") + orText(empty));
        return false;
    }
    value = T();
    readObject(place, [&](JsonObjectReader &reader) { readFields(reader, value, type.fields); });
    return true;
}

void readPermanent(const JsonPlace &place, const Permanent &type, RestartPolicy &policy)
{
    const auto items = place.items();
    if (!items)
        return;
    policy.permanentExitCodes.clear();
    policy.permanentReasons.clear();
    for (const JsonPlace &item : *items) {
        if (item.isString()) {
            if (const auto reason = item.choice(failureReasons))
                policy.permanentReasons.append(*reason);
        } else if (item.isNumber()) {
            const auto [least, greatest] = type.code;
            const QString except =
                QStringLiteral(" except %1, which requests a restart").arg(type.never);
            const std::optional<int> code = item.integer(least, greatest, except);
            if (code == type.never)
                item.mismatch(
                    QStringLiteral("a whole number from %1 to %2").arg(least).arg(greatest)
                    + except);
            else if (code)
                policy.permanentExitCodes.append(*code);
        } else {
            item.mismatch(QStringLiteral("an exit code or the name of a failure reason"));
        }
    }
}

template<typename Owner, typename Value, typename Type>
void readField(JsonObjectReader &object, Owner &owner, const Field<Owner, Value, Type> &field)
{
    const std::optional<JsonPlace> place =
        field.required ? object.required(field.key) : object.member(field.key);
    if (!place)
        return;
    if (!field.empty.isEmpty() && place->isText(field.empty))
        owner.*field.member = Value(); // an empty optional
    else if constexpr (std::is_same_v<Type, Permanent>)
        readPermanent(*place, field.type, owner);
    else if constexpr (requires { (owner.*field.member).has_value(); }) {
        typename Value::value_type present{};
        if (read(*place, present, field.type, field.empty))
            owner.*field.member = present;
    } else
        read(*place, owner.*field.member, field.type, field.empty);
}

template<typename Owner, typename Fields>
void readFields(JsonObjectReader &object, Owner &owner, const Fields &fields)
{
    forEach(fields, [&](const auto &field) { readField(object, owner, field); });
}

// Defaults that depend on another key.
void deriveDefaults(const JsonNode &node, RestartPolicy &policy)
{
    // No step is limited by default. A step that is out of range is reported as a step, not here.
    if (policy.effectiveType() == RestartPolicyType::Stepped && !policy.steps.isEmpty()
        && !node.member(u"maxDelay"))
        policy.maxDelay =
            std::min(week, *std::max_element(policy.steps.begin(), policy.steps.end()));
    // A default must not contradict a value that was written.
    const JsonNode *breaker = node.member(u"circuitBreaker");
    if (breaker && policy.circuitBreaker && !breaker->member(u"maxTimeout"))
        policy.circuitBreaker->maxTimeout =
            std::clamp(policy.circuitBreaker->timeout, policy.circuitBreaker->maxTimeout, week);
}

void warnOfUnusedSteps(JsonObjectReader &object, const RestartPolicy &policy)
{
    const std::optional<JsonPlace> steps = object.member("steps");
    if (steps && !policy.steps.isEmpty() && policy.effectiveType() != RestartPolicyType::Stepped)
        steps->warn(QStringLiteral("no effect: steps are for type \"stepped\", found \"%1\"")
                        .arg(toText(policy.effectiveType())));
}

// Adds the places in the text to the faults of validate(), which have pointers within the policy.
void addFindings(const JsonPlace &place, const RestartPolicy &policy)
{
    for (Fault fault : validate(policy)) {
        const JsonNode &node = place.node().nearest(fault.path);
        fault.path.prepend(place.pointer());
        if (!place.faults().hasErrorAt(fault.path))
            place.faults().add(fault, node.position);
    }
}

} // namespace

RestartPolicy readPolicy(const JsonPlace &place, Duration startTimeout)
{
    RestartPolicy policy{.startTimeout = startTimeout};
    if (!place.wantObject())
        return policy;
    JsonObjectReader object(place);
    readFields(object, policy, policyFields);
    warnOfUnusedSteps(object, policy);
    deriveDefaults(place.node(), policy);
    object.finish();
    addFindings(place, policy);
    return policy;
}

Parsed<RestartPolicy> restartPolicyFromJson(const QByteArray &json)
{
    return readParsed(parseJson(json), [](const JsonPlace &place) { return readPolicy(place); });
}

} // namespace Rekindle
