// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "simulatedagents_p.h"

#include <rekindle/lifecycle/agentmonitor.h>

#include <utility>

namespace Rekindle {

namespace {

// The namespace of ids, so that an agent has the same id in each run of a seed.
const QUuid idNamespace(QStringLiteral("6f0d4c1e-3b0e-4a59-9d0c-0c2f6f1a7b55"));

} // namespace

SimulatedAgents::SimulatedAgents(SimulationWork &work, const SimulationOptions &options,
                                 const Outages &endpoints, QString stream,
                                 std::function<void(const QUuid &)> startedTwice)
    : m_work(work)
    , m_options(options)
    , m_endpoints(endpoints)
    , m_stream(std::move(stream))
    , m_startedTwice(std::move(startedTwice))
    , m_supervisor(work.scheduler(), {}, [this](const QUuid &id) { return draw(id); })
{
}

QUuid SimulatedAgents::idOf(const SimulationOptions &options, const QString &name)
{
    return QUuid::createUuidV5(idNamespace, QString::number(options.seed) + u'/' + name);
}

SimulatedAgent *SimulatedAgents::agent(const QUuid &id) const
{
    return qobject_cast<SimulatedAgent *>(m_supervisor.agent(id));
}

double SimulatedAgents::draw(const QUuid &id)
{
    const SimulatedAgent *const found = agent(id);
    if (const auto recorded = found ? found->recordedDraw() : std::nullopt)
        return *recorded;
    const auto random = m_random.find(id);
    return random == m_random.end() ? 0.5 : random->next();
}

std::unique_ptr<Agent> SimulatedAgents::make(const AgentDefinition &definition,
                                             Scheduler &scheduler)
{
    const QString stream = m_stream + definition.name;
    auto agent = std::make_unique<SimulatedAgent>(definition, m_options.models.of(definition.name),
                                                  CounterRandom(m_options.seed, stream), scheduler);
    agent->setEndpoints(m_endpoints);
    const QUuid id = idOf(definition.name);
    QObject::connect(agent.get(), &SimulatedAgent::startedTwice, agent.get(),
                     [this, id] { m_startedTwice(id); });
    // The streams of the model and of the jitter differ.
    m_random.insert(id, CounterRandom(m_options.seed, QString(stream + u'/')));
    return agent;
}

AgentDefinition SimulatedAgents::definitionOf(const Agent &agent) const
{
    return static_cast<const SimulatedAgent &>(agent).definition();
}

void SimulatedAgents::setDefinition(Agent &agent, const AgentDefinition &definition) const
{
    static_cast<SimulatedAgent &>(agent).setDefinition(definition);
}

HealthCheck SimulatedAgents::makeSharedCheck(const QString &breaker,
                                             const SharedBreakerProbe &probe, Scheduler &) const
{
    return probe.probe.kind ? m_endpoints.check(breaker, probe.probe.schedule) : HealthCheck();
}

QList<Fault> SimulatedAgents::addAll(Configuration configuration)
{
    for (AgentDefinition &each : configuration.agents)
        each.dependsOn.clear();
    return m_configured.addAll(configuration);
}

void SimulatedAgents::setDependencies(const Configuration &configuration)
{
    for (const AgentDefinition &each : configuration.agents) {
        if (!each.dependsOn.isEmpty())
            (void)m_configured.dependencies().setDependencies(each.name, each.dependsOn);
    }
}

QList<Fault> SimulatedAgents::reload(const Configuration &configuration)
{
    m_work.add(m_supervisor.ids().size() + configuration.agents.size());
    return m_configured.apply(configuration).faults;
}

void SimulatedAgents::setProbed(const QUuid &id, bool probed)
{
    SimulatedAgent *const found = agent(id);
    if (found && found->setProbed(probed))
        (void)m_supervisor.monitor().setHealth(id, {});
}

void SimulatedAgents::loseEndpoint(const QString &endpoint)
{
    const QList<QUuid> ids = m_configured.sharedBreakers().agents(endpoint);
    m_work.add(ids.size());
    for (const QUuid &id : ids)
        agent(id)->loseEndpoint();
}

} // namespace Rekindle
