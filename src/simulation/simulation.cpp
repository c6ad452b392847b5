// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/simulation/simulation.h>

#include "simulationrun_p.h"
#include "json/jsonnode.h"
#include "json/nearestname.h"

#include <QSet>

namespace Rekindle {

namespace {

QStringList namesOf(const Configuration &configuration)
{
    QStringList names;
    for (const AgentDefinition &each : configuration.agents)
        names.append(each.name);
    return names;
}

QString unknownAgent(const QString &name, const QStringList &known)
{
    constexpr qsizetype shown = 20;
    QString names = known.mid(0, shown).join(QLatin1String(", "));
    if (known.size() > shown)
        names += QStringLiteral(" and %1 more").arg(known.size() - shown);
    return QStringLiteral("no agent named \"%1\" (the configuration has %2)%3")
        .arg(name, known.isEmpty() ? QStringLiteral("no agents") : names, didYouMean(name, known));
}

// Nothing if the configuration has it.
std::optional<QString> unknownBreaker(const Configuration &configuration, const QString &name)
{
    QStringList known;
    for (const SharedBreakerPolicy &each : configuration.sharedBreakers)
        known.append(each.name);
    if (known.contains(name))
        return {};
    return QStringLiteral("no shared breaker named \"%1\"%2").arg(name, didYouMean(name, known));
}

} // namespace

SimulationResult simulate(const Configuration &configuration, const SimulationOptions &options)
{
    RunFigures figures(options.recordsSpans);
    for (const AgentDefinition &each : configuration.agents)
        (void)figures.addAgent(each.name);
    return SimulationRun(configuration, options, figures).execute();
}

QList<Fault> unknownAgents(const Configuration &configuration, const QList<SimulationStep> &trace)
{
    const QStringList known = namesOf(configuration);
    const QSet<QString> names(known.begin(), known.end());
    QList<Fault> faults;
    for (const SimulationStep &each : trace) {
        if (each.kind == SimulationStep::Kind::Down) {
            if (const auto text = unknownBreaker(configuration, each.shared))
                faults.append({.path = QStringLiteral("/shared"),
                               .message = *text,
                               .line = each.line,
                               .column = each.column});
            continue;
        }
        if (!names.contains(each.agent))
            faults.append({.path = QStringLiteral("/agent"),
                           .message = unknownAgent(each.agent, known),
                           .line = each.line,
                           .column = each.column});
    }
    return faults;
}

QList<Fault> unknownAgents(const Configuration &configuration, const FailureModels &models)
{
    const QStringList known = namesOf(configuration);
    QList<Fault> faults;
    for (auto each = models.agents.keyBegin(); each != models.agents.keyEnd(); ++each) {
        if (!known.contains(*each))
            faults.append({.path = QLatin1String("/agents") + pointerToken(*each),
                           .message = unknownAgent(*each, known)});
    }
    for (qsizetype i = 0; i < models.outages.size(); ++i) {
        if (const auto text = unknownBreaker(configuration, models.outages.at(i).shared))
            faults.append({.path = QStringLiteral("/outages/%1/shared").arg(i), .message = *text});
    }
    return faults;
}

} // namespace Rekindle
