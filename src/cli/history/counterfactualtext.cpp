// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "counterfactualtext_p.h"

#include "cli/output/texthelpers_p.h"
#include "cli/simulate/simulationtext_p.h"
#include "policy/internal/texthelpers.h"
#include "json/jsontext.h"

namespace Rekindle {

namespace {

QString namesText(const char *title, const QStringList &names)
{
    return names.isEmpty() ? QString() : QLatin1String(title) + listed(names) + u'\n';
}

QString differenceText(const CounterfactualReplay::Difference &difference, const QString &cursor)
{
    return QStringLiteral("Exact before input %1 (%2 of %3, after %4), cursor %5\n"
                          "Assumed from there on: each process exits in the same way at the same "
                          "age\n")
        .arg(difference.number)
        .arg(difference.input, difference.agent, readable(difference.at), cursor);
}

Json namesJson(const QStringList &names)
{
    Json json = Json::array();
    for (const QString &each : names)
        json.push_back(each.toStdString());
    return json;
}

// Seeds and traces exist only in simulations.
Json figuresJson(const SimulationResult &result)
{
    Json json = Json::parse(toJson(result).toStdString());
    json.erase("seed");
    json.erase("unusedSteps");
    return json;
}

} // namespace

QByteArray counterfactualText(const CounterfactualReplay &replay, const QString &cursor)
{
    const auto &difference = replay.difference();
    const QString text = (difference ? differenceText(*difference, cursor)
                                     : QStringLiteral("The settings make no difference\n"))
        + namesText("Started more often than recorded, repeating the recorded processes in order: ",
                    replay.repeated())
        + namesText("Not in the configuration: ", replay.notConfigured())
        + namesText("Not in the run, and not simulated: ", replay.notRecorded()) + u'\n';
    return text.toLocal8Bit() + comparisonText(replay.recorded(), replay.changed());
}

QByteArray counterfactualJson(const CounterfactualReplay &replay, const QString &run,
                              const QString &cursor)
{
    Json json;
    json["run"] = run.toStdString();
    json["difference"] = nullptr;
    if (const auto &difference = replay.difference())
        json["difference"] = {{"n", difference->number},
                              {"agent", difference->agent.toStdString()},
                              {"input", difference->input.toStdString()},
                              {"atMs", toMilliseconds(difference->at)},
                              {"cursor", cursor.toStdString()}};
    json["repeated"] = namesJson(replay.repeated());
    json["notConfigured"] = namesJson(replay.notConfigured());
    json["notRecorded"] = namesJson(replay.notRecorded());
    json["recorded"] = figuresJson(replay.recorded());
    json["changed"] = figuresJson(replay.changed());
    return compactJson(json);
}

} // namespace Rekindle
