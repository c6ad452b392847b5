// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/simulation/simulation.h>

#include "simulationrun_p.h"

#include <QSet>

namespace Rekindle {

SimulationResult simulate(const Configuration &configuration, const SimulationOptions &options)
{
    return SimulationRun(configuration, options).execute();
}

QList<Fault> unknownAgents(const Configuration &configuration, const SimulationOptions &options)
{
    QSet<QString> known;
    for (const AgentDefinition &each : configuration.agents)
        known.insert(each.name);
    QStringList names = options.models.agents.keys();
    for (const SimulationStep &each : options.trace)
        names.append(each.agent);
    names.removeDuplicates();
    QList<Fault> faults;
    for (const QString &name : std::as_const(names)) {
        if (!known.contains(name))
            faults.append({{}, QLatin1String("no agent named ") + name});
    }
    return faults;
}

} // namespace Rekindle
