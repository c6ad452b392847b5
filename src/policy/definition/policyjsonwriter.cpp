// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/decisionrecord.h"
#include "policy/internal/policykeys.h"
#include "policyfields_p.h"

#include <rekindle/policy/policyjson.h>

namespace Rekindle {

using namespace PolicyFields;

namespace {

template<typename Owner, typename Fields>
void writeFields(JsonWriter &json, const Owner &owner, const Fields &fields);

void write(JsonWriter &json, const auto &value, const auto &) { json.value(value); }

void write(JsonWriter &json, Duration value, const Range<Duration> &)
{
    json.value(durationToString(value));
}

void write(JsonWriter &json, const QList<Duration> &value, const DurationList &type)
{
    json.beginArray();
    for (const Duration each : value)
        write(json, each, type.each);
    json.endArray();
}

template<typename Enum, typename Rows>
void write(JsonWriter &json, Enum value, const Choice<Rows> &choice)
{
    if constexpr (requires { toText(value); })
        json.value(toText(value));
    else
        json.value(nameOf(choice.rows, value));
}

template<typename T, typename Fields>
void write(JsonWriter &json, const T &value, const Object<T, Fields> &type)
{
    json.object([&] { writeFields(json, value, type.fields); });
}

bool isAbsent(const auto &, const auto &) { return false; }

template<typename Value>
bool isAbsent(const std::optional<Value> &value, const auto &)
{
    return !value;
}

bool isAbsent(const QList<Duration> &value, const DurationList &) { return value.isEmpty(); }

void writePermanent(JsonWriter &json, const RestartPolicy &policy)
{
    json.beginArray();
    for (const int code : policy.permanentExitCodes)
        json.value(code);
    for (const FailureReason reason : policy.permanentReasons)
        json.value(toText(reason));
    json.endArray();
}

// A value that is absent and has no text for this has no key.
template<typename Owner, typename Value, typename Type>
void writeField(JsonWriter &json, const Owner &owner, const Field<Owner, Value, Type> &field)
{
    const Value &value = owner.*field.member;
    if (isAbsent(value, field.type) && field.empty.isEmpty())
        return;
    json.key(field.key);
    if constexpr (std::is_same_v<Type, Permanent>)
        writePermanent(json, owner);
    else if (isAbsent(value, field.type))
        json.value(field.empty);
    else if constexpr (requires { value.has_value(); })
        write(json, *value, field.type);
    else
        write(json, value, field.type);
}

template<typename Owner, typename Fields>
void writeFields(JsonWriter &json, const Owner &owner, const Fields &fields)
{
    forEach(fields, [&](const auto &field) { writeField(json, owner, field); });
}

} // namespace

void writePolicy(JsonWriter &json, const RestartPolicy &policy)
{
    json.object([&] { writeFields(json, policy, policyFields); });
}

void writeBreaker(JsonWriter &json, const RestartPolicy &policy)
{
    if (policy.circuitBreaker)
        json.object([&] { writeFields(json, *policy.circuitBreaker, breakerFields); });
    else
        json.null();
}

QByteArray toJson(const RestartPolicy &policy)
{
    return onLines(jsonObject([&](JsonWriter &json) { writeFields(json, policy, policyFields); }));
}

QByteArray toJson(const RestartDecision &decision)
{
    return jsonObject([&](JsonWriter &json) { writeMembers(json, decision); });
}

QStringList differingKeys(const RestartPolicy &one, const RestartPolicy &other)
{
    QStringList keys;
    forEach(policyFields, [&](const auto &field) {
        constexpr bool isPermanent = std::is_same_v<decltype(field.type), Permanent>;
        if (one.*field.member != other.*field.member
            || (isPermanent && one.permanentReasons != other.permanentReasons))
            keys.append(field.key);
    });
    keys.sort();
    return keys;
}

} // namespace Rekindle
