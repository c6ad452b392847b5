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

QJsonObject objectIn(const QByteArray &json) { return QJsonDocument::fromJson(json).object(); }

QList<ExplainedDecision> explained(const QList<StoredDecision> &decisions)
{
    QList<ExplainedDecision> found;
    for (const StoredDecision &each : decisions)
        found.append({each, objectIn(each.data)});
    return found;
}

// The draw identifies a failure. The evaluation belongs to the first decision about it.
QHash<qint64, QJsonObject> shadowsOf(const QList<ExplainedDecision> &decisions,
                                     const QList<ExplainedDecision> &shadows)
{
    const auto failureOf = [](const ExplainedDecision &decision) {
        const double draw = decision.object[u"inputs"][u"draw"].toDouble();
        return std::tuple(decision.run, decision.instanceId, draw);
    };
    std::map<std::tuple<QString, QString, double>, qint64> rows;
    for (const ExplainedDecision &decision : decisions)
        rows.emplace(failureOf(decision), decision.row);
    QHash<qint64, QJsonObject> found;
    for (const ExplainedDecision &shadow : shadows) {
        const auto row = rows.find(failureOf(shadow));
        if (row == rows.end() || row->second > shadow.row)
            continue;
        QJsonObject effect = shadow.object[u"evaluator"].toObject();
        for (const char *key : {"rule", "delayMs"})
            effect.insert(QLatin1String(key), shadow.object[QLatin1String(key)]);
        found.insert(row->second, effect);
    }
    return found;
}

// The decision of a canceled restart is the last one before the event. At the exit of a host, the
// event is the last one.
QSet<qint64> canceledOf(const AgentHistory &found, const QList<StoredEvent> &events)
{
    const QList<ExplainedDecision> &decisions = found.decisions;
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
        const QJsonValue number = objectIn(event.data)[u"attemptNumber"];
        if (last->object[u"shouldRestart"].toBool() && last->object[u"attemptNumber"] == number)
            rows.insert(last->row);
    }
    return rows;
}

} // namespace

AgentHistory AgentHistory::from(HistoryReader &reader, const QString &agent, int limit)
{
    AgentHistory found;
    found.decisions = explained(reader.decisions({.agent = agent, .limit = limit}));
    if (reader.error().isEmpty())
        found.shadows = shadowsOf(
            found.decisions, explained(reader.shadowDecisions({.agent = agent, .limit = limit})));
    const auto read = [&](std::optional<StoredEvent> &event, const char *type) {
        if (reader.error().isEmpty())
            event = newest(reader, agent, type);
    };
    read(found.started, "agent.started");
    read(found.stopped, "agent.stopped");
    read(found.failed, "agent.failed");
    read(found.latest, "");
    for (const ExplainedDecision &decision : std::as_const(found.decisions)) {
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
    found.now = textIn(response[u"agent"].toObject(), "state") + QLatin1String("; ")
        + textIn(response, "next");
    for (const auto &each : response[u"actions"].toArray())
        found.actions.append(textIn(each.toObject(), "time") + QLatin1String("  ")
                             + textIn(each.toObject(), "text"));
    for (const auto &each : response[u"decisions"].toArray()) {
        const QJsonObject decision = each.toObject();
        const qint64 row = found.decisions.size() + 1;
        found.decisions.append(
            {{.row = row,
              .instanceId = textIn(decision, "instanceId"),
              .agent = textIn(decision, "agent"),
              .monotonicTime = Instant(Duration(decision[u"monoNs"].toInteger())),
              .time = utcTimeFromRfc3339(textIn(decision, "time")).value_or(UtcTime())},
             decision[u"decision"].toObject()});
        if (decision[u"canceled"].toBool())
            found.canceled.insert(row);
        if (decision.contains(u"shadow"))
            found.shadows.insert(row, decision[u"shadow"].toObject());
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
