// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/agenthistory.h"

#include <rekindle/telemetry/historyreader.h>

#include <QJsonDocument>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace Rekindle {

namespace {

using Decisions = QList<AgentHistory::Decision>;

AgentHistory::Event explained(const StoredEvent &event)
{
    return {event.row, event.run, event.type, event.monotonicTime, event.time, event.data};
}

QJsonObject objectIn(const QByteArray &json) { return QJsonDocument::fromJson(json).object(); }

Decisions explained(const QList<StoredDecision> &decisions)
{
    Decisions found;
    for (const StoredDecision &each : decisions)
        found.append({.instanceId = each.instanceId,
                      .agent = each.agent,
                      .time = each.time,
                      .object = objectIn(each.data),
                      .row = each.row,
                      .run = each.run,
                      .monotonicTime = each.monotonicTime,
                      .data = each.data,
                      .hash = each.hash});
    return found;
}

QList<AgentHistory::Run> explained(const QList<StoredRun> &runs)
{
    QList<AgentHistory::Run> found;
    for (const StoredRun &each : runs)
        found.append({each.run, each.processId, each.ended, each.firstEvent, each.hasExited()});
    return found;
}

// The draw identifies a failure. The evaluation belongs to the first decision about it.
void addShadows(Decisions &decisions, const Decisions &shadows)
{
    const auto failureOf = [](const AgentHistory::Decision &decision) {
        const double draw = decision.object[u"inputs"][u"draw"].toDouble();
        return std::tuple(decision.run, decision.instanceId, draw);
    };
    std::map<std::tuple<QString, QString, double>, AgentHistory::Decision *> first;
    for (AgentHistory::Decision &decision : decisions)
        first.emplace(failureOf(decision), &decision);
    for (const AgentHistory::Decision &shadow : shadows) {
        const auto made = first.find(failureOf(shadow));
        if (made != first.end() && made->second->row <= shadow.row)
            made->second->shadow = AgentHistory::shadowOf(shadow.object);
    }
}

// The decision of a canceled restart is the last one before the event. At the exit of a host, the
// event is the last one.
void addCanceled(AgentHistory &found, const QList<StoredEvent> &events)
{
    Decisions &decisions = found.decisions;
    for (const StoredEvent &event : events) {
        const auto lastOfRun = found.lastOfRun.constFind(event.run);
        if (lastOfRun != found.lastOfRun.constEnd() && lastOfRun->row == event.row
            && found.runOf(event.run).hasExited)
            continue;
        const auto isBefore = [&event](const AgentHistory::Decision &decision) {
            return decision.run == event.run && decision.monotonicTime <= event.monotonicTime;
        };
        const auto last = std::find_if(decisions.rbegin(), decisions.rend(), isBefore);
        if (last == decisions.rend())
            continue;
        const QJsonValue number = objectIn(event.data)[u"attemptNumber"];
        if (last->object[u"shouldRestart"].toBool() && last->object[u"attemptNumber"] == number)
            last->isCanceled = true;
    }
}

} // namespace

AgentExplanation HistoryReader::explain(const QString &agent, int limit)
{
    AgentHistory found{.agent = agent,
                       .decisions = explained(decisions({.agent = agent, .limit = limit}))};
    if (error().isEmpty())
        addShadows(found.decisions, explained(shadowDecisions({.agent = agent, .limit = limit})));
    const auto read = [&](std::optional<AgentHistory::Event> &event, const char *type) {
        if (!error().isEmpty())
            return;
        for (const StoredEvent &newest :
             events({.agent = agent, .limit = 1, .type = QLatin1String(type)}))
            event = explained(newest);
    };
    read(found.started, "agent.started");
    read(found.stopped, "agent.stopped");
    read(found.failed, "agent.failed");
    read(found.latest, "");
    for (const AgentHistory::Decision &decision : std::as_const(found.decisions)) {
        if (!error().isEmpty() || found.lastOfRun.contains(decision.run))
            continue;
        for (const StoredEvent &event : events({.agent = agent, .limit = 1, .run = decision.run}))
            found.lastOfRun.insert(decision.run, explained(event));
    }
    if (error().isEmpty())
        found.runs = explained(runs());
    if (error().isEmpty()) {
        addCanceled(
            found,
            events({.agent = agent, .limit = limit, .type = QLatin1String("restart.cancelled")}));
    }
    return AgentExplanation(std::move(found));
}

} // namespace Rekindle
