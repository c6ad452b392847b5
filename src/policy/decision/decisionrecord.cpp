// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/decisionrecord.h"

#include "json/jsonwriter.h"

#include <QJsonArray>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

/// Builds the object that a JsonWriter would write. Values of arrays are texts or objects.
class JsonObjectBuilder
{
public:
    void member(JsonName name, const auto &content) { m_object.insert(name.text, of(content)); }
    void value(QStringView text) { m_array.append(of(text)); }
    void object(const auto &write) { m_array.append(objectOf(write)); }
    void object(JsonName name, const auto &write) { m_object.insert(name.text, objectOf(write)); }
    void array(JsonName name, const auto &items, const auto &write)
    {
        std::for_each(items.begin(), items.end(), write);
        m_object.insert(name.text, std::exchange(m_array, {}));
    }

    /// The object whose members `write` writes.
    [[nodiscard]] QJsonObject objectOf(const auto &write)
    {
        QJsonObject outer = std::exchange(m_object, {});
        write();
        return std::exchange(m_object, std::move(outer));
    }

private:
    static QJsonValue of(bool truth) { return truth; }
    static QJsonValue of(double number) { return number; }
    static QJsonValue of(std::integral auto number) { return static_cast<qint64>(number); }
    static QJsonValue of(QLatin1String text) { return text; }
    static QJsonValue of(QStringView text) { return text.toString(); }
    static QJsonValue of(Duration duration)
    {
        return std::chrono::duration<double, std::milli>(duration).count();
    }
    static QJsonValue of(const std::optional<int> &number)
    {
        return number ? QJsonValue(*number) : QJsonValue();
    }

    QJsonObject m_object;
    QJsonArray m_array; ///< the innermost one; an array of objects with arrays is not supported
};

constexpr QLatin1String unlimited("unlimited");
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

void writeInputs(auto &json, const DecisionInputs &inputs, bool withJitter)
{
    json.member("policyType", toText(inputs.policyType));
    json.member("reason", toText(inputs.reason));
    json.member("exitCode", inputs.exitCode);
    json.member("attemptsMade", inputs.attemptsMade);
    if (inputs.maxRetries)
        json.member("maxRetries", *inputs.maxRetries);
    else
        json.member("maxRetries", unlimited);
    json.member("breakerState", toText(inputs.breakerState));
    json.member("breakerFailures", inputs.breakerFailures);
    json.member("calculatedDelayMs", inputs.calculatedDelay);
    json.member("draw", inputs.draw);
    if (withJitter)
        json.member("jitter", toText(inputs.jitter));
}

void writeFailure(auto &json, const FailureDetail &detail)
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

void writeHealth(auto &json, const AgentHealthStatus &health)
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

void writeBudgetLeft(auto &json, const RestartDecision &decision)
{
    if (!decision.inputs.maxRetries) {
        json.member("budgetLeft", unlimited);
        return;
    }
    const int used = decision.inputs.attemptsMade + (decision.shouldRestart ? 1 : 0);
    json.member("budgetLeft", std::max(0, *decision.inputs.maxRetries - used));
}

void writeDecision(auto &json, const RestartDecision &decision, bool withJitter)
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

void writeRecord(auto &json, const DecisionRecord &record)
{
    writeDecision(json, record.decision, true);
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
}

} // namespace

QString toText(DecisionRule rule) { return nameOf(ruleNames, rule); }

void writeMembers(JsonWriter &json, const RestartDecision &decision)
{
    writeDecision(json, decision, false);
}

QByteArray toJson(const DecisionRecord &record)
{
    return jsonObject([&](JsonWriter &json) { writeRecord(json, record); });
}

QJsonObject toJsonObject(const DecisionRecord &record)
{
    JsonObjectBuilder json;
    return json.objectOf([&] { writeRecord(json, record); });
}

} // namespace Rekindle
