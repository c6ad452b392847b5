// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "explained_p.h"

#include "historytext_p.h"

#include <QJsonDocument>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

constexpr int manyChanges = 1000;

std::optional<StoredEvent> newest(HistoryReader &reader, const QString &agent, const char *type)
{
    const QList<StoredEvent> events =
        reader.events({.agent = agent, .limit = 1, .type = QLatin1String(type)});
    return events.isEmpty() ? std::optional<StoredEvent>() : events.front();
}

QJsonObject dataOf(const StoredEvent &event)
{
    return QJsonDocument::fromJson(event.data).object();
}

} // namespace

Explained Explained::from(HistoryReader &reader, const QString &agent, int limit)
{
    Explained found;
    found.decisions = reader.decisions({.agent = agent, .limit = limit});
    if (reader.error().isEmpty()) {
        found.downgrades = reader.events(
            {.agent = agent, .limit = manyChanges, .type = QStringLiteral("policy.downgraded")});
    }
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
    return found;
}

StoredRun Explained::runOf(const QString &run) const
{
    const auto found = std::find_if(runs.begin(), runs.end(),
                                    [&run](const StoredRun &each) { return each.run == run; });
    return found == runs.end() ? StoredRun() : *found;
}

QJsonObject Explained::downgradeOf(const StoredDecision &decision) const
{
    const QJsonObject data = QJsonDocument::fromJson(decision.data).object();
    if (data.contains(QLatin1String("downgraded")))
        return data[QLatin1String("downgraded")].toObject();
    // Of a version that did not write it there: from the events, as long as they are kept.
    // The newest one before it, in the same life of the same host. Where the tier has all again,
    // nobody tells: then the decision was made by another type.
    const auto isBefore = [&decision](const StoredEvent &event) {
        return event.run == decision.run && event.instanceId == decision.instanceId
            && event.monotonicTime <= decision.monotonicTime;
    };
    const auto last = std::find_if(downgrades.rbegin(), downgrades.rend(), isBefore);
    if (last == downgrades.rend())
        return {};
    const QJsonObject event = dataOf(*last);
    const QJsonValue inForce = data[QLatin1String("inputs")][QLatin1String("policyType")];
    if (event[QLatin1String("effectiveType")] != inForce)
        return {};
    QJsonObject downgrade;
    for (const char *key : {"tier", "requestedType", "effectiveType"})
        downgrade.insert(QLatin1String(key), event[QLatin1String(key)]);
    return downgrade;
}

QString noDecisionText(const QString &agent, const Explained &found)
{
    if (found.failed) {
        return QStringLiteral("%1 failed at %2, and no decision about it was kept")
            .arg(agent, toRfc3339(found.failed->time));
    }
    const QString text = agent + QLatin1String(" has not failed; ");
    if (!found.started)
        return text + QLatin1String("no start of it was kept either");
    const QString generation =
        dataOf(*found.started)[QLatin1String("generation")].toVariant().toString();
    const bool hasStopped = found.stopped && found.stopped->row > found.started->row;
    const StoredRun run = found.runOf(found.started->run);
    return text
        + QStringLiteral("%1 at %2, generation %3%4")
              .arg(hasStopped ? QStringLiteral("stopped") : QStringLiteral("started"),
                   toRfc3339(hasStopped ? found.stopped->time : found.started->time), generation,
                   run.isOver() && !hasStopped ? QLatin1String("; ") + endText(run) : QString());
}

} // namespace Rekindle
