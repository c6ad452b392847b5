// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/decisionrecord.h"

#include "policy/internal/decisionjson.h"

#include <algorithm>

namespace Rekindle {

namespace {

constexpr qsizetype maxLines = 20;
constexpr qsizetype maxLineLength = 1000;

QStringView shortened(const QString &text) { return QStringView(text).left(maxLineLength); }

void write(JsonWriter &json, const FailureDetail &detail)
{
    json.beginObject();
    json.member(QLatin1String("detail"), shortened(detail.message));
    json.member(QLatin1String("pid"), detail.processId);
    if (detail.exitCode)
        json.member(QLatin1String("exitCode"), *detail.exitCode);
    if (detail.signal)
        json.member(QLatin1String("signal"), *detail.signal);
    json.key(QLatin1String("stderrTail"));
    json.beginArray();
    const qsizetype first = std::max<qsizetype>(0, detail.stderrTail.size() - maxLines);
    for (qsizetype i = first; i < detail.stderrTail.size(); ++i)
        json.value(shortened(detail.stderrTail[i]));
    json.endArray();
    json.endObject();
}

void write(JsonWriter &json, const AgentHealthStatus &health)
{
    json.beginObject();
    json.member(QLatin1String("state"), toText(health.state));
    json.member(QLatin1String("consecutiveMisses"), health.consecutiveMisses);
    json.key(QLatin1String("history"));
    json.beginArray();
    for (const ProbeResult &result : health.history) {
        json.beginObject();
        json.member(QLatin1String("at"), toRfc3339(result.at));
        json.member(QLatin1String("probe"), shortened(result.probe));
        json.member(QLatin1String("ok"), result.ok);
        json.member(QLatin1String("tookMs"), result.took);
        json.member(QLatin1String("text"), shortened(result.text));
        json.endObject();
    }
    json.endArray();
    json.endObject();
}

void write(JsonWriter &json, const PolicyDowngraded &event)
{
    json.beginObject();
    json.member(QLatin1String("tier"), event.tier);
    json.member(QLatin1String("requestedType"), toText(event.requestedType));
    json.member(QLatin1String("effectiveType"), toText(event.effectiveType));
    json.endObject();
}

void writeBudgetLeft(JsonWriter &json, const RestartDecision &decision)
{
    if (!decision.inputs.maxRetries) {
        json.member(QLatin1String("budgetLeft"), QLatin1String("unlimited"));
        return;
    }
    const int used = decision.inputs.attemptsMade + (decision.shouldRestart ? 1 : 0);
    json.member(QLatin1String("budgetLeft"), std::max(0, *decision.inputs.maxRetries - used));
}

} // namespace

QByteArray toJson(const DecisionRecord &record)
{
    QByteArray text;
    JsonWriter json(text);
    json.beginObject();
    writeMembers(json, record.decision, true);
    writeBudgetLeft(json, record.decision);
    if (record.kind == DecisionRecord::Kind::Made) {
        json.key(QLatin1String("failure"));
        write(json, record.detail);
        json.key(QLatin1String("health"));
        write(json, record.health);
    }
    if (record.downgraded) {
        json.key(QLatin1String("downgraded"));
        write(json, *record.downgraded);
    }
    json.endObject();
    return text;
}

} // namespace Rekindle
