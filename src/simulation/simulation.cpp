// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/config/configurationdiff.h>
#include <rekindle/simulation/simulation.h>

#include "simulationrun_p.h"
#include "json/jsonfaults.h"
#include "json/jsonnode.h"
#include "json/nearestname.h"

#include <QHash>
#include <QSet>

#include <utility>

namespace Rekindle {

namespace {

using Reloads = QMap<QString, Configuration>;

/// What the steps of a trace can name: everything of the configuration and of those that replace
/// it.
struct KnownNames
{
    KnownNames(const Configuration &configuration, const Reloads &reloads)
    {
        add(configuration);
        for (const Configuration &each : reloads)
            add(each);
        agents.removeDuplicates();
        breakers.removeDuplicates();
        agentSet = {agents.begin(), agents.end()};
        breakerSet = {breakers.begin(), breakers.end()};
    }

    QStringList agents;
    QStringList breakers;
    QSet<QString> agentSet;
    QSet<QString> breakerSet;

private:
    void add(const Configuration &configuration)
    {
        for (const AgentDefinition &each : configuration.agents)
            agents.append(each.name);
        for (const SharedBreakerPolicy &each : configuration.sharedBreakers)
            breakers.append(each.name);
    }
};

QString unknownAgent(const QString &name, const QStringList &known)
{
    constexpr qsizetype shown = 20;
    QString names = known.mid(0, shown).join(QLatin1String(", "));
    if (known.size() > shown)
        names += QStringLiteral(" and %1 more").arg(known.size() - shown);
    return QStringLiteral("no agent named \"%1\" (the configuration has %2)%3")
        .arg(name, known.isEmpty() ? QStringLiteral("no agents") : names, didYouMean(name, known));
}

QString unknownBreaker(const QString &name, const QStringList &known)
{
    return QStringLiteral("no shared breaker named \"%1\"%2").arg(name, didYouMean(name, known));
}

QString unknownNode(const QString &name, const Configuration &configuration,
                    const QStringList &nodes)
{
    if (!configuration.fleet)
        return QStringLiteral("the configuration has no \"fleet\"");
    return QStringLiteral("no node named \"%1\" (the fleet has %2)%3")
        .arg(name, nodes.join(QLatin1String(", ")), didYouMean(name, nodes));
}

void addFault(JsonFaults &faults, const SimulationStep &step, const QString &path,
              const QString &message)
{
    faults.add({.path = path, .message = message}, {.line = step.line, .column = step.column});
}

} // namespace

SimulationResult simulate(const Configuration &configuration, const SimulationOptions &options)
{
    RunFigures figures(options.recordsSpans);
    QSet<QString> known;
    const auto add = [&](const Configuration &added) {
        for (const AgentDefinition &each : added.agents) {
            if (!known.contains(each.name))
                (void)figures.addAgent(each.name);
            known.insert(each.name);
        }
    };
    add(configuration);
    QSet<QString> added;
    for (const SimulationStep &each : options.trace) {
        if (each.kind != SimulationStep::Kind::Reload || added.contains(each.file))
            continue;
        added.insert(each.file);
        add(options.reloads.value(each.file));
    }
    return SimulationRun(configuration, options, figures).execute();
}

QList<Fault> unknownAgents(const Configuration &configuration, const QList<SimulationStep> &trace,
                           const Reloads &reloads, const FailureModels &models)
{
    using Kind = SimulationStep::Kind;
    const KnownNames known(configuration, reloads);
    const QStringList nodes = fleetNodes(configuration, models);
    JsonFaults faults;
    for (const SimulationStep &each : trace) {
        if (each.kind == Kind::Reload || faults.isFull())
            continue;
        if (each.kind == Kind::Down) {
            if (!known.breakerSet.contains(each.shared))
                addFault(faults, each, QStringLiteral("/shared"),
                         unknownBreaker(each.shared, known.breakers));
        } else if (each.kind == Kind::Partition || each.kind == Kind::Crash) {
            if (!configuration.fleet || !nodes.contains(each.node))
                addFault(faults, each, QStringLiteral("/node"),
                         unknownNode(each.node, configuration, nodes));
        } else if (!known.agentSet.contains(each.agent)) {
            addFault(faults, each, QStringLiteral("/agent"),
                     unknownAgent(each.agent, known.agents));
        }
    }
    return faults.result(true).faults;
}

QList<Fault> unknownAgents(const Configuration &configuration, const FailureModels &models,
                           const Reloads &reloads)
{
    const KnownNames known(configuration, reloads);
    JsonFaults faults;
    const auto add = [&faults](const QString &path, const QString &message) {
        if (!faults.isFull())
            faults.add({.path = path, .message = message}, {.line = 0, .column = 0});
    };
    for (auto each = models.agents.keyBegin(); each != models.agents.keyEnd(); ++each) {
        if (!known.agentSet.contains(*each))
            add(QLatin1String("/agents") + pointerToken(*each), unknownAgent(*each, known.agents));
    }
    const auto addOutages = [&add](const QList<Outage> &outages, const QString &path,
                                   const QStringList &names, const auto &messageOf) {
        for (qsizetype i = 0; i < outages.size(); ++i) {
            if (!names.contains(outages.at(i).name))
                add(path.arg(i), messageOf(outages.at(i).name));
        }
    };
    addOutages(models.outages, QStringLiteral("/outages/%1/shared"), known.breakers,
               [&known](const QString &name) { return unknownBreaker(name, known.breakers); });
    const QStringList nodes = fleetNodes(configuration, models);
    const auto nodeText = [&](const QString &name) {
        return unknownNode(name, configuration, nodes);
    };
    if (models.fleet && !configuration.fleet)
        add(QStringLiteral("/fleet"), nodeText({}));
    if (!models.fleet || !configuration.fleet)
        return faults.result(true).faults;
    addOutages(models.fleet->partitions, QStringLiteral("/fleet/partitions/%1/node"), nodes,
               nodeText);
    addOutages(models.fleet->crashes, QStringLiteral("/fleet/crashes/%1/node"), nodes, nodeText);
    return faults.result(true).faults;
}

QList<Fault> rejectedReloads(const Configuration &configuration, const QList<SimulationStep> &trace,
                             const Reloads &reloads)
{
    JsonFaults faults;
    using Pair = std::pair<const Configuration *, const Configuration *>;
    const Configuration *before = &configuration;
    QSet<Pair> permitted; // a trace may repeat a reload many times
    for (const SimulationStep &step : trace) {
        const auto reload = reloads.constFind(step.file);
        if (step.kind != SimulationStep::Kind::Reload || reload == reloads.cend()
            || faults.isFull())
            continue;
        const Pair change(std::exchange(before, &*reload), &*reload);
        if (permitted.contains(change))
            continue;
        QHash<QString, const AgentDefinition *> present;
        for (const AgentDefinition &each : change.first->agents)
            present.insert(each.name, &each);
        const qsizetype errors = faults.errorCount();
        for (const AgentDefinition &each : reload->agents) {
            const QString refusal = each.placement && !configuration.fleet
                ? QStringLiteral("the host is in no fleet")
                : changeRefusal(*present.value(each.name, &each), each);
            if (!refusal.isEmpty())
                addFault(faults, step, QStringLiteral("/reload"),
                         each.name + QLatin1String(": ") + refusal);
        }
        if (faults.errorCount() == errors)
            permitted.insert(change);
    }
    return faults.result(true).faults;
}

} // namespace Rekindle
