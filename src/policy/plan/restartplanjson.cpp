// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "json/jsontext.h"

#include <rekindle/policy/policyjson.h>
#include <rekindle/policy/restartplan.h>
#include <rekindle/policy/validation.h>

#include <array>

namespace Rekindle {

namespace {

Json milliseconds(const std::optional<Duration> &duration)
{
    return duration ? Json(toMilliseconds(*duration)) : Json(nullptr);
}

Json stepJson(const RestartPlan::Step &step)
{
    constexpr std::array kinds = {"restart", "breakerOpens", "probe"}; // of RestartPlan::Step::Kind
    Json json{{"kind", kinds[static_cast<std::size_t>(step.kind)]}, {"failure", step.failure}};
    if (step.attempt > 0)
        json["attempt"] = step.attempt;
    json["delayMs"] = milliseconds(step.delay);
    if (step.kind == RestartPlan::Step::Kind::Restart) {
        json["leastMs"] = milliseconds(step.band.least);
        json["greatestMs"] = milliseconds(step.band.greatest);
    }
    json["elapsedMs"] = milliseconds(step.elapsed);
    return json;
}

const char *endName(const std::optional<DecisionRule> &rule)
{
    if (!rule)
        return "goesOn";
    switch (*rule) {
    case DecisionRule::PolicyNone:
        return "policyNone";
    case DecisionRule::PermanentFailure:
        return "permanent";
    case DecisionRule::WindowExhausted:
        return "windowExhausted";
    default:
        return "exhausted";
    }
}

} // namespace

QByteArray toJson(const RestartPlan &plan)
{
    Json json;
    json["name"] = plan.name.toStdString();
    json["tier"] = toText(plan.tier).toStdString();
    json["requestedType"] = toText(plan.requestedType).toStdString();
    if (!plan.requestedEvaluator.isEmpty())
        json["requestedEvaluator"] = plan.requestedEvaluator.toStdString();
    json["policy"] = Json::parse(toJson(plan.policy).toStdString());
    json["steps"] = Json::array();
    for (const RestartPlan::Step &step : plan.steps)
        json["steps"].push_back(stepJson(step));
    json["end"] = endName(plan.end);
    json["failures"] = plan.failures;
    json["attempts"] = plan.attempts;
    json["elapsedMs"] = milliseconds(plan.elapsed);
    json["attemptsInAll"] = plan.totalElapsed ? Json(plan.totalAttempts) : Json(nullptr);
    json["elapsedInAllMs"] = milliseconds(plan.totalElapsed);
    json["failedLaunchPauseMs"] = toMilliseconds(failedLaunchPause);
    json["totalRetryTimeMs"] = milliseconds(Backoff::totalRetryTime(plan.policy));
    json["rearmsInMs"] = milliseconds(plan.rearmsIn);
    json["warnings"] = Json::array();
    for (const Fault &fault : validate(plan.policy))
        json["warnings"].push_back(fault.toString().toStdString());
    return indentedJson(json);
}

} // namespace Rekindle
