// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/fieldtable.h"

#include <rekindle/policy/restartpolicy.h>

#include <span>

// The keys of a policy. The reader, the writer and the range check of policies follow these tables;
// a test compares the schema with them, and another one the table in docs/configuration.md with the
// schema. Rules across several keys are in validation.cpp.

namespace Rekindle::PolicyFields {

using namespace FieldTable;

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
inline constexpr Duration tick = std::chrono::milliseconds(1);
inline constexpr Duration hour = std::chrono::hours(1);
inline constexpr Duration day = std::chrono::days(1);
inline constexpr Duration week = std::chrono::days(7);
inline constexpr Duration none{0};
using Times = Range<Duration>;

inline constexpr std::array<EnumName<RestartOn>, 2> restartOnNames = {{
    {RestartOn::Failure, QLatin1String("failure")},
    {RestartOn::Always, QLatin1String("always")},
}};

/// Of EvaluatorReference::shadow.
inline constexpr std::array<EnumName<bool>, 2> evaluatorModes = {{
    {false, QLatin1String("active")},
    {true, QLatin1String("shadow")},
}};

/// The base types of an evaluator: all but custom.
inline constexpr auto baseTypes = std::span(restartPolicyTypes).first<5>();

inline constexpr std::tuple windowFields{
    required("restarts", &RestartWindow::restarts, Range<int>{1, 10'000}),
    required("period", &RestartWindow::period, Times{tick, week}),
};

inline constexpr std::tuple requestLimitFields{
    field("count", &RequestLimit::count, Range<int>{1, 1000}),
    field("period", &RequestLimit::period, Times{tick, week}),
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
    field("type", &RestartPolicy::type, Choice{restartPolicyTypes}),
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
    field("healthWindow", &RestartPolicy::healthWindow, Times{none, day}),
    field("startTimeout", &RestartPolicy::startTimeout, Times{tick, day}),
    field("minInterval", &RestartPolicy::minInterval, Times{none, day}),
    field("requestedDelay", &RestartPolicy::requestedDelay, Times{none, day}),
    field("requestLimit", &RestartPolicy::requestLimit, object<RequestLimit>(requestLimitFields)),
    field("stopTimeout", &RestartPolicy::stopTimeout, Times{none, hour}, "default"),
    field("circuitBreaker", &RestartPolicy::circuitBreaker,
          object<CircuitBreakerPolicy>(breakerFields), "off"),
    field("permanent", &RestartPolicy::permanentExitCodes, Permanent{{1, 255}, 42}),
    field("rearmAfter", &RestartPolicy::rearmAfter, Times{tick, week}, "off"),
    field("evaluator", &RestartPolicy::evaluator, object<EvaluatorReference>(evaluatorFields)),
};

} // namespace Rekindle::PolicyFields
