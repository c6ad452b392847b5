// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/policykeys.h"

#include <rekindle/policy/restartplan.h>
#include <rekindle/policy/validation.h>

#include <array>

namespace Rekindle {

namespace {

void writeStep(JsonWriter &json, const RestartPlan::Step &step)
{
    constexpr std::array kinds{QLatin1String("restart"), QLatin1String("breakerOpens"),
                               QLatin1String("probe")}; // of RestartPlan::Step::Kind
    json.member("kind", kinds[static_cast<std::size_t>(step.kind)]);
    json.member("failure", step.failure);
    if (step.attempt > 0)
        json.member("attempt", step.attempt);
    json.member("delayMs", step.delay);
    if (step.kind == RestartPlan::Step::Kind::Restart) {
        json.member("leastMs", step.band.least);
        json.member("greatestMs", step.band.greatest);
    }
    json.member("elapsedMs", step.elapsed);
}

constexpr std::array<EnumName<DecisionRule>, 3> endNames = {{
    {DecisionRule::PolicyNone, QLatin1String("policyNone")},
    {DecisionRule::PermanentFailure, QLatin1String("permanent")},
    {DecisionRule::WindowExhausted, QLatin1String("windowExhausted")},
}};

QString endName(const RestartPlan &plan)
{
    const QString name = plan.end ? nameOf(endNames, *plan.end) : QStringLiteral("goesOn");
    return name.isEmpty() ? QStringLiteral("exhausted") : name;
}

} // namespace

void writePlan(JsonWriter &json, const RestartPlan &plan)
{
    json.member("name", plan.name);
    json.member("tier", toText(plan.tier));
    json.member("requestedType", toText(plan.requestedType));
    if (!plan.requestedEvaluator.isEmpty())
        json.member("requestedEvaluator", plan.requestedEvaluator);
    json.key("policy");
    writePolicy(json, plan.policy);
    json.array("steps", plan.steps, [&json](const RestartPlan::Step &step) {
        json.object([&] { writeStep(json, step); });
    });
    json.member("end", endName(plan));
    json.member("failures", plan.failures);
    json.member("attempts", plan.attempts);
    json.member("elapsedMs", plan.elapsed);
    json.member("attemptsInAll",
                plan.totalElapsed ? std::optional(plan.totalAttempts) : std::nullopt);
    json.member("elapsedInAllMs", plan.totalElapsed);
    json.member("failedLaunchPauseMs", failedLaunchPause);
    json.member("totalRetryTimeMs", Backoff::totalRetryTime(plan.policy));
    json.member("rearmsInMs", plan.rearmsIn);
    json.array("warnings", validate(plan.policy),
               [&json](const Fault &fault) { json.value(fault.toString()); });
}

QByteArray toJson(const RestartPlan &plan)
{
    return onLines(jsonObject([&](JsonWriter &json) { writePlan(json, plan); })) + '\n';
}

} // namespace Rekindle
