// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "policynames_p.h"

#include <tuple>

// The keys of a policy. The reader, the writer and the range check of policies follow these tables;
// a test compares the schema with them, and another one the table in docs/configuration.md with the
// schema. Rules across several keys are in validation.cpp.

namespace Rekindle::PolicyFields {

/// true or false.
struct Flag
{
};
/// A text that is not empty.
struct Text
{
};
/// An object whose keys are not checked here.
struct AnyObject
{
};
template<typename T>
struct Range
{
    T least;
    T greatest;
};
/// One of a list of values or of EnumName rows.
template<typename Rows>
struct Choice
{
    const Rows &rows;
};
template<typename Rows>
Choice(const Rows &) -> Choice<Rows>; // Clang 14 deduces nothing for aggregates
struct DurationList
{
    qsizetype most;
    Range<Duration> each;
};
/// Exit codes and failure reasons in one list; they have two members of the policy.
struct Permanent
{
    Range<int> code;
    int never; ///< a code within the range that is not permitted
};
template<typename T, typename Fields>
struct Object
{
    const Fields &fields;
};

/// One key of `Owner`.
template<typename Owner, typename Value, typename Type>
struct Field
{
    QLatin1String key;
    Value Owner::*member;
    Type type;
    QLatin1String empty; ///< the text for an empty optional; "": the key is left out
    bool required = false;
};

template<typename Owner, typename Value, typename Type>
constexpr Field<Owner, Value, Type> field(const char *key, Value Owner::*member, Type type,
                                          const char *empty = "")
{
    return {QLatin1String(key), member, type, QLatin1String(empty), false};
}

template<typename Owner, typename Value, typename Type>
constexpr Field<Owner, Value, Type> required(const char *key, Value Owner::*member, Type type)
{
    return {QLatin1String(key), member, type, {}, true};
}

template<typename T, typename Fields>
constexpr Object<T, Fields> object(const Fields &fields)
{
    return {fields};
}

inline constexpr Duration tick = std::chrono::milliseconds(1);
inline constexpr Duration day = std::chrono::days(1);
inline constexpr Duration week = std::chrono::days(7);
inline constexpr Duration none{0};
using Times = Range<Duration>;

inline constexpr std::tuple windowFields{
    required("restarts", &RestartWindow::restarts, Range<int>{1, 10'000}),
    required("period", &RestartWindow::period, Times{tick, week}),
};

inline constexpr std::tuple jitterFields{
    field("kind", &Jitter::kind, Choice{jitterKinds}),
    field("ratio", &Jitter::ratio, Range<double>{0, 1}),
    field("withinMax", &Jitter::withinMax, Flag{}),
};

inline constexpr std::tuple breakerFields{
    field("threshold", &CircuitBreakerPolicy::threshold, Range<int>{1, 1000}),
    field("timeout", &CircuitBreakerPolicy::timeout, Times{tick, week}),
    field("growth", &CircuitBreakerPolicy::growth, Range<double>{1, 100}),
    field("maxTimeout", &CircuitBreakerPolicy::maxTimeout, Times{tick, week}),
};

inline constexpr std::tuple evaluatorFields{
    required("id", &EvaluatorReference::id, Text{}),
    field("parameters", &EvaluatorReference::parameters, AnyObject{}),
    field("base", &EvaluatorReference::base, Choice{baseTypes}),
    field("mode", &EvaluatorReference::shadow, Choice{evaluatorModes}),
};

/// In the order in which they are written.
inline constexpr std::tuple policyFields{
    field("type", &RestartPolicy::type, Choice{policyTypes}),
    field("maxRetries", &RestartPolicy::maxRetries, Range<int>{0, 1'000'000}, "unlimited"),
    field("window", &RestartPolicy::window, object<RestartWindow>(windowFields), "off"),
    field("restartOn", &RestartPolicy::restartOn, Choice{restartOnNames}),
    field("immediateFirst", &RestartPolicy::immediateFirst, Flag{}),
    field("initialDelay", &RestartPolicy::initialDelay, Times{none, day}),
    field("multiplier", &RestartPolicy::multiplier, Range<double>{1, 100}),
    field("maxDelay", &RestartPolicy::maxDelay, Times{none, week}),
    field("steps", &RestartPolicy::steps, DurationList{1000, {none, week}}),
    field("jitter", &RestartPolicy::jitter, object<Jitter>(jitterFields)),
    field("stableAfter", &RestartPolicy::stableAfter, Times{none, day}),
    field("startTimeout", &RestartPolicy::startTimeout, Times{tick, day}),
    field("minInterval", &RestartPolicy::minInterval, Times{none, day}),
    field("requestedDelay", &RestartPolicy::requestedDelay, Times{none, day}),
    field("circuitBreaker", &RestartPolicy::circuitBreaker,
          object<CircuitBreakerPolicy>(breakerFields), "off"),
    field("permanent", &RestartPolicy::permanentExitCodes, Permanent{{1, 255}, 42}),
    field("rearmAfter", &RestartPolicy::rearmAfter, Times{tick, week}, "off"),
    field("evaluator", &RestartPolicy::evaluator, object<EvaluatorReference>(evaluatorFields)),
};

/// Calls `visit` with each field of a table.
template<typename Fields, typename Visit>
void forEach(const Fields &fields, Visit visit)
{
    std::apply([&](const auto &...each) { (visit(each), ...); }, fields);
}

} // namespace Rekindle::PolicyFields
