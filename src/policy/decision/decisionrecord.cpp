// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/decisionrecord.h"

#include "json/jsonwriter.h"

#include <algorithm>

namespace Rekindle {

namespace {

constexpr qsizetype maxLines = 20;
constexpr qsizetype maxLineLength = 1000;

constexpr std::array<EnumName<DecisionRule>, 7> ruleNames = {{
    {DecisionRule::PolicyNone, QLatin1String("PolicyNone")},
    {DecisionRule::PermanentFailure, QLatin1String("PermanentFailure")},
    {DecisionRule::AttemptsExhausted, QLatin1String("AttemptsExhausted")},
    {DecisionRule::WindowExhausted, QLatin1String("WindowExhausted")},
    {DecisionRule::CircuitOpen, QLatin1String("CircuitOpen")},
    {DecisionRule::EvaluatorRefused, QLatin1String("EvaluatorRefused")},
    {DecisionRule::Restart, QLatin1String("Restart")},
}};

QStringView shortened(const QString &text) { return QStringView(text).left(maxLineLength); }

void writeInputs(JsonWriter &json, const DecisionInputs &inputs, bool withJitter)
{
    json.member("policyType", toText(inputs.policyType));
    json.member("reason", toText(inputs.reason));
    json.member("exitCode", inputs.exitCode);
    json.member("attemptsMade", inputs.attemptsMade);
    if (inputs.maxRetries)
        json.member("maxRetries", *inputs.maxRetries);
    else
        json.member("maxRetries", "unlimited");
    json.member("breakerState", toText(inputs.breakerState));
    json.member("breakerFailures", inputs.breakerFailures);
    json.member("calculatedDelayMs", inputs.calculatedDelay);
    json.member("draw", inputs.draw);
    if (withJitter)
        json.member("jitter", toText(inputs.jitter));
}

void writeFailure(JsonWriter &json, const FailureDetail &detail)
{
    json.member("detail", shortened(detail.message));
    json.member("pid", detail.processId);
    if (detail.exitCode)
        json.member("exitCode", *detail.exitCode);
    if (detail.signal)
        json.member("signal", *detail.signal);
    const QStringList &lines = detail.stderrTail;
    json.array("stderrTail", lines.mid(std::max<qsizetype>(0, lines.size() - maxLines)),
               [&json](const QString &line) { json.value(shortened(line)); });
}

void writeHealth(JsonWriter &json, const AgentHealthStatus &health)
{
    json.member("state", toText(health.state));
    json.member("consecutiveMisses", health.consecutiveMisses);
    json.array("history", health.history, [&json](const ProbeResult &result) {
        json.object([&] {
            json.member("at", toRfc3339(result.at));
            json.member("probe", shortened(result.probe));
            json.member("ok", result.ok);
            json.member("tookMs", result.took);
            json.member("text", shortened(result.text));
        });
    });
}

void writeBudgetLeft(JsonWriter &json, const RestartDecision &decision)
{
    if (!decision.inputs.maxRetries) {
        json.member("budgetLeft", "unlimited");
        return;
    }
    const int used = decision.inputs.attemptsMade + (decision.shouldRestart ? 1 : 0);
    json.member("budgetLeft", std::max(0, *decision.inputs.maxRetries - used));
}

} // namespace

QString toText(DecisionRule rule) { return nameOf(ruleNames, rule); }

void writeMembers(JsonWriter &json, const RestartDecision &decision, bool withJitter)
{
    json.member("shouldRestart", decision.shouldRestart);
    json.member("delayMs", decision.delay);
    json.member("rule", toText(decision.rule));
    json.member("reason", decision.reason());
    json.member("attemptNumber", decision.attemptNumber);
    json.member("isFinalAttempt", decision.isFinalAttempt);
    json.member("circuitBreakerTripped", decision.circuitBreakerTripped);
    json.member("restartAtMonoNs", decision.restartAt.time_since_epoch().count());
    json.object("inputs", [&] { writeInputs(json, decision.inputs, withJitter); });
    if (!decision.evaluator)
        return;
    json.object("evaluator", [&, &opinion = *decision.evaluator] {
        json.member("id", opinion.id);
        json.member("answer", opinion.answerText());
        json.member("reason", opinion.reason);
        json.member("builtInDelayMs", opinion.builtInDelay);
    });
}

QByteArray toJson(const DecisionRecord &record)
{
    return jsonObject([&](JsonWriter &json) {
        writeMembers(json, record.decision, true);
        writeBudgetLeft(json, record.decision);
        if (record.kind == DecisionRecord::Kind::Made) {
            json.object("failure", [&] { writeFailure(json, record.detail); });
            json.object("health", [&] { writeHealth(json, record.health); });
        }
        if (!record.downgraded)
            return;
        json.object("downgraded", [&, &event = *record.downgraded] {
            json.member("tier", event.tier);
            json.member("requestedType", toText(event.requestedType));
            json.member("effectiveType", toText(event.effectiveType));
        });
    });
}

} // namespace Rekindle
