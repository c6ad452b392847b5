// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agenthistory_p.h"

#include "policy/internal/texthelpers.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace Rekindle {

namespace {

std::optional<StoredEvent> newest(HistoryReader &reader, const QString &agent, const char *type)
{
    const QList<StoredEvent> events =
        reader.events({.agent = agent, .limit = 1, .type = QLatin1String(type)});
    return events.isEmpty() ? std::optional<StoredEvent>() : events.front();
}

// The draw identifies a failure. The evaluation belongs to the first decision about it.
QHash<qint64, QJsonObject> shadowsOf(const QList<StoredDecision> &decisions,
                                     const QList<StoredDecision> &shadows)
{
    const auto failureOf = [](const StoredDecision &decision, const QJsonObject &data) {
        const double draw = data[QLatin1String("inputs")][QLatin1String("draw")].toDouble();
        return std::tuple(decision.run, decision.instanceId, draw);
    };
    std::map<std::tuple<QString, QString, double>, qint64> rows;
    for (const StoredDecision &decision : shadows.isEmpty() ? QList<StoredDecision>() : decisions)
        rows.emplace(failureOf(decision, QJsonDocument::fromJson(decision.data).object()),
                     decision.row);
    QHash<qint64, QJsonObject> found;
    for (const StoredDecision &shadow : shadows) {
        const QJsonObject data = QJsonDocument::fromJson(shadow.data).object();
        const auto row = rows.find(failureOf(shadow, data));
        if (row == rows.end() || row->second > shadow.row)
            continue;
        QJsonObject effect = data[QLatin1String("evaluator")].toObject();
        for (const char *key : {"rule", "delayMs"})
            effect.insert(QLatin1String(key), data[QLatin1String(key)]);
        found.insert(row->second, effect);
    }
    return found;
}

// The decision of a canceled restart is the last one before the event. At the exit of a host, the
// event is the last one.
QSet<qint64> canceledOf(const AgentHistory &found, const QList<StoredEvent> &events)
{
    const QList<StoredDecision> &decisions = found.decisions;
    QSet<qint64> rows;
    for (const StoredEvent &event : events) {
        const auto lastOfRun = found.lastOfRun.constFind(event.run);
        if (lastOfRun != found.lastOfRun.constEnd() && lastOfRun->row == event.row
            && found.runOf(event.run).hasExited())
            continue;
        const auto isBefore = [&event](const StoredDecision &decision) {
            return decision.run == event.run && decision.monotonicTime <= event.monotonicTime;
        };
        const auto last = std::find_if(decisions.rbegin(), decisions.rend(), isBefore);
        if (last == decisions.rend())
            continue;
        const QJsonObject decision = QJsonDocument::fromJson(last->data).object();
        const QJsonValue number =
            QJsonDocument::fromJson(event.data)[QLatin1String("attemptNumber")];
        if (decision[QLatin1String("shouldRestart")].toBool()
            && decision[QLatin1String("attemptNumber")] == number)
            rows.insert(last->row);
    }
    return rows;
}

} // namespace

AgentHistory AgentHistory::from(HistoryReader &reader, const QString &agent, int limit)
{
    AgentHistory found;
    found.decisions = reader.decisions({.agent = agent, .limit = limit});
    if (reader.error().isEmpty())
        found.shadows =
            shadowsOf(found.decisions, reader.shadowDecisions({.agent = agent, .limit = limit}));
    const auto read = [&](std::optional<StoredEvent> &event, const char *type) {
        if (reader.error().isEmpty())
            event = newest(reader, agent, type);
    };
    read(found.started, "agent.started");
    read(found.stopped, "agent.stopped");
    read(found.failed, "agent.failed");
    read(found.latest, "");
    for (const StoredDecision &decision : std::as_const(found.decisions)) {
        if (!reader.error().isEmpty() || found.lastOfRun.contains(decision.run))
            continue;
        for (const StoredEvent &event :
             reader.events({.agent = agent, .limit = 1, .run = decision.run}))
            found.lastOfRun.insert(decision.run, event);
    }
    if (reader.error().isEmpty())
        found.runs = reader.runs();
    if (reader.error().isEmpty()) {
        found.canceled = canceledOf(
            found,
            reader.events(
                {.agent = agent, .limit = limit, .type = QLatin1String("restart.cancelled")}));
    }
    return found;
}

AgentHistory AgentHistory::from(const QJsonObject &response)
{
    AgentHistory found;
    found.now = textIn(response[QLatin1String("agent")].toObject(), "state") + QLatin1String("; ")
        + textIn(response, "next");
    for (const auto &each : response[QLatin1String("actions")].toArray())
        found.actions.append(textIn(each.toObject(), "time") + QLatin1String("  ")
                             + textIn(each.toObject(), "text"));
    for (const auto &each : response[QLatin1String("decisions")].toArray()) {
        const QJsonObject decision = each.toObject();
        const qint64 row = found.decisions.size() + 1;
        found.decisions.append(
            {.row = row,
             .instanceId = textIn(decision, "instanceId"),
             .agent = textIn(decision, "agent"),
             .monotonicTime = Instant(Duration(decision[QLatin1String("monoNs")].toInteger())),
             .time = utcTimeFromRfc3339(textIn(decision, "time")).value_or(UtcTime()),
             .data = QJsonDocument(decision[QLatin1String("decision")].toObject())
                         .toJson(QJsonDocument::Compact)});
        if (decision[QLatin1String("canceled")].toBool())
            found.canceled.insert(row);
        if (decision.contains(QLatin1String("shadow")))
            found.shadows.insert(row, decision[QLatin1String("shadow")].toObject());
    }
    return found;
}

StoredRun AgentHistory::runOf(const QString &run) const
{
    const auto found = std::find_if(runs.begin(), runs.end(),
                                    [&run](const StoredRun &each) { return each.run == run; });
    return found == runs.end() ? StoredRun() : *found;
}

} // namespace Rekindle
