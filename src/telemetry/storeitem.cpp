// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "storeitem_p.h"

#include "json/jsontext.h"

#include <rekindle/policy/policyjson.h>

#include <algorithm>

namespace Rekindle {

namespace {

constexpr qsizetype maxLines = 20;
constexpr qsizetype maxLineLength = 1000;

QByteArray compact(const Json &json)
{
    return QByteArray::fromStdString(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Json failureOf(const FailureDetail &detail)
{
    Json failure;
    failure["detail"] = detail.message.left(maxLineLength).toStdString();
    failure["pid"] = detail.processId;
    if (detail.exitCode)
        failure["exitCode"] = *detail.exitCode;
    if (detail.signal)
        failure["signal"] = *detail.signal;
    Json tail = Json::array();
    const qsizetype first = std::max<qsizetype>(0, detail.stderrTail.size() - maxLines);
    for (qsizetype i = first; i < detail.stderrTail.size(); ++i)
        tail.push_back(detail.stderrTail[i].left(maxLineLength).toStdString());
    failure["stderrTail"] = std::move(tail);
    return failure;
}

Json healthOf(const AgentHealthStatus &health)
{
    Json history = Json::array();
    for (const ProbeResult &result : health.history) {
        history.push_back({{"at", toRfc3339(result.at).toStdString()},
                           {"probe", result.probe.left(maxLineLength).toStdString()},
                           {"ok", result.ok},
                           {"tookMs", toMilliseconds(result.took)},
                           {"text", result.text.left(maxLineLength).toStdString()}});
    }
    return {{"state", toText(health.state).toStdString()},
            {"consecutiveMisses", health.consecutiveMisses},
            {"history", std::move(history)}};
}

Json budgetLeft(const RestartDecision &decision)
{
    if (!decision.inputs.maxRetries)
        return "unlimited";
    const int used = decision.inputs.attemptsMade + (decision.shouldRestart ? 1 : 0);
    return std::max(0, *decision.inputs.maxRetries - used);
}

} // namespace

DecisionText toText(const DecisionRecord &record)
{
    Json data = Json::parse(toJson(record.decision).toStdString(), nullptr, false);
    data["inputs"]["jitter"] = toText(record.decision.inputs.jitter).toStdString();
    data["budgetLeft"] = budgetLeft(record.decision);
    if (record.kind == DecisionRecord::Kind::Made) {
        data["failure"] = failureOf(record.detail);
        data["health"] = healthOf(record.health);
    }
    if (record.downgraded) {
        data["downgraded"] = {
            {"tier", record.downgraded->tier.toStdString()},
            {"requestedType", toText(record.downgraded->requestedType).toStdString()},
            {"effectiveType", toText(record.downgraded->effectiveType).toStdString()}};
    }
    return {QString::fromStdString(data["rule"].get<std::string>()), compact(data)};
}

QByteArray toJson(const CommandRecord &record)
{
    return compact({{"command", toText(record.command).toStdString()},
                    {"state", toText(record.state).toStdString()}});
}

QByteArray toJson(const StoreGap &gap)
{
    Json data;
    data["firstSequence"] = gap.firstSequence;
    data["events"] = gap.events;
    data["decisions"] = gap.decisions;
    if (gap.commands > 0)
        data["commands"] = gap.commands;
    if (gap.calls > 0)
        data["calls"] = gap.calls;
    return compact(data);
}

QString storable(const QString &text)
{
    QString stored = QString::fromUtf8(text.toUtf8());
    stored.replace(QChar(u'\0'), QChar(QChar::ReplacementCharacter));
    return stored;
}

} // namespace Rekindle
