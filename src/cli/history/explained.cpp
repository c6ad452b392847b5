// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "explained_p.h"

#include "historytext_p.h"

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

// Each failure has a random number of its own; of the decisions about it the first was asked about.
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
        QJsonObject told = data[QLatin1String("evaluator")].toObject();
        for (const char *key : {"rule", "delayMs"})
            told.insert(QLatin1String(key), data[QLatin1String(key)]);
        found.insert(row->second, told);
    }
    return found;
}

} // namespace

Explained Explained::from(HistoryReader &reader, const QString &agent, int limit)
{
    Explained found;
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
    return found;
}

StoredRun Explained::runOf(const QString &run) const
{
    const auto found = std::find_if(runs.begin(), runs.end(),
                                    [&run](const StoredRun &each) { return each.run == run; });
    return found == runs.end() ? StoredRun() : *found;
}

QString noDecisionText(const QString &agent, const Explained &found)
{
    if (found.failed) {
        return QStringLiteral("%1 failed at %2, and no decision about it was made or kept")
            .arg(agent, toRfc3339(found.failed->time));
    }
    const QString text = agent + QLatin1String(" has not failed; ");
    if (!found.started)
        return text + QLatin1String("no start of it was kept either");
    const QString generation =
        QJsonDocument::fromJson(found.started->data)[QLatin1String("generation")]
            .toVariant()
            .toString();
    const bool hasStopped = found.stopped && found.stopped->row > found.started->row;
    const StoredRun run = found.runOf(found.started->run);
    return text
        + QStringLiteral("%1 at %2, generation %3%4")
              .arg(hasStopped ? QStringLiteral("stopped") : QStringLiteral("started"),
                   toRfc3339(hasStopped ? found.stopped->time : found.started->time), generation,
                   run.hasExited() && !hasStopped ? QLatin1String("; ") + endText(run) : QString());
}

} // namespace Rekindle
