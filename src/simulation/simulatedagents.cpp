// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "simulatedagents_p.h"

#include "lifecycle/internal/runintent.h"

#include <rekindle/config/configurationdiff.h>
#include <rekindle/lifecycle/agentmonitor.h>

#include <utility>

namespace Rekindle {

namespace {

// The namespace of ids, so that an agent has the same id in each run of a seed.
const QUuid idNamespace(QStringLiteral("6f0d4c1e-3b0e-4a59-9d0c-0c2f6f1a7b55"));

bool isReadyAtOnce(const AgentDefinition &definition)
{
    return definition.kind == AgentDefinition::Kind::Process
        && definition.process.readiness.kind == Readiness::Kind::Now;
}

} // namespace

SimulatedAgents::SimulatedAgents(SimulationWork &work, const SimulationOptions &options,
                                 const SharedEndpoints &endpoints,
                                 std::function<void(const QUuid &)> startedTwice)
    : m_work(work)
    , m_options(options)
    , m_endpoints(endpoints)
    , m_startedTwice(std::move(startedTwice))
    , m_supervisor(work.scheduler(), {}, [this](const QUuid &id) { return draw(id); })
    , m_dependencies(m_supervisor)
{
}

QUuid SimulatedAgents::idOf(const QString &name) const
{
    return QUuid::createUuidV5(idNamespace, QString::number(m_options.seed) + u'/' + name);
}

SimulatedAgent *SimulatedAgents::agent(const QUuid &id) const
{
    const auto found = m_members.constFind(id);
    return found == m_members.cend() ? nullptr : (*found)->agent;
}

double SimulatedAgents::draw(const QUuid &id)
{
    const auto found = m_members.constFind(id);
    if (found == m_members.cend())
        return 0.5;
    const std::optional<double> recorded = (*found)->agent->recordedDraw();
    return recorded ? *recorded : (*found)->random.next();
}

QStringList SimulatedAgents::addAll(const Configuration &configuration)
{
    m_configuration = &configuration;
    m_gate.setLimits(configuration.governor);
    QStringList rejected;
    for (const AgentDefinition &each : configuration.agents) {
        if (!add(each))
            rejected.append(each.name);
    }
    // The configuration has no faults.
    (void)m_groups.setGroups(configuration.groups);
    setBreakers(configuration);
    return rejected;
}

void SimulatedAgents::setBreakers(const Configuration &configuration)
{
    (void)m_breakers.setBreakers(configuration.sharedBreakers); // the configuration has no faults
    for (const SharedBreakerPolicy &each : configuration.sharedBreakers) {
        const auto probe = configuration.sharedBreakerProbes.constFind(each.name);
        m_breakers.setProbe(each.name,
                            probe == configuration.sharedBreakerProbes.cend()
                                ? HealthCheck()
                                : m_endpoints.check(each.name, probe->probe.schedule));
    }
}

bool SimulatedAgents::add(const AgentDefinition &definition)
{
    auto agent = std::make_unique<SimulatedAgent>(definition, m_options.models.of(definition.name),
                                                  m_options.seed, m_work.scheduler());
    agent->setEndpoints(m_endpoints);
    const QUuid id = idOf(definition.name);
    QObject::connect(agent.get(), &SimulatedAgent::startedTwice, agent.get(),
                     [this, id] { m_startedTwice(id); });
    // The streams of the model and of the jitter differ.
    m_members.insert(
        id,
        std::make_shared<Member>(
            Member{agent.get(), CounterRandom(m_options.seed, QString(definition.name + u'/'))}));
    if (!m_supervisor.add(definition.name, std::move(agent), definition.policy,
                          isReadyAtOnce(definition), id)) {
        m_members.remove(id);
        return false;
    }
    setOptions(id, definition);
    return true;
}

void SimulatedAgents::setOptions(const QUuid &id, const AgentDefinition &definition)
{
    m_gate.setPriority(id, definition.priority);
    m_gate.setReadyByTimer(id, definition.isReadyByTimer());
    m_breakers.setRequired(definition.name, definition.requiredBreakers);
    m_supervisor.setManualStart(id, definition.start == AgentDefinition::Start::Manual);
}

void SimulatedAgents::setDependencies()
{
    for (const AgentDefinition &each : m_configuration->agents) {
        if (!each.dependsOn.isEmpty())
            (void)m_dependencies.setDependencies(each.name, each.dependsOn);
    }
}

// In the order of ConfiguredAgents::apply().
QStringList SimulatedAgents::reload(const Configuration &configuration)
{
    m_work.add(m_configuration->agents.size() + configuration.agents.size());
    ConfigurationChanges changes = difference(m_configuration->agents, configuration.agents);
    m_configuration = &configuration;
    QHash<QString, const AgentDefinition *> wanted;
    for (const AgentDefinition &each : configuration.agents)
        wanted.insert(each.name, &each);
    for (ChangedAgent &each : changes.changed)
        each.isRestarted = each.isRestarted && isToRun(evaluator(), idOf(each.agent));
    QStringList rejected;
    for (const QString &name : std::as_const(changes.added)) {
        if (!add(*wanted.value(name)))
            rejected.append(name);
    }
    for (const ChangedAgent &each : std::as_const(changes.changed)) {
        const AgentDefinition &definition = *wanted.value(each.agent);
        if (each.parts.testAnyFlags(DefinitionPart::Policy | DefinitionPart::Process))
            (void)m_supervisor.setPolicy(idOf(each.agent), definition.policy,
                                         isReadyAtOnce(definition));
    }
    m_gate.setLimits(configuration.governor);
    replaceDependencies(configuration);
    setBreakers(configuration);
    for (const ChangedAgent &each : std::as_const(changes.changed))
        update(*wanted.value(each.agent), each);
    removeAll(changes.removed);
    for (const QString &name : std::as_const(changes.added)) {
        const QUuid id = idOf(name);
        if (agent(id) && !m_supervisor.hasManualStart(id))
            m_supervisor.start(id, true);
    }
    return rejected;
}

void SimulatedAgents::replaceDependencies(const Configuration &configuration)
{
    DependencyGraph graph;
    for (const AgentDefinition &each : configuration.agents)
        graph.setDependencies(each.name, each.dependsOn);
    // The order of the previous groups could form a cycle with the new dependencies.
    (void)m_dependencies.setOrders({});
    (void)m_dependencies.setGraph(graph);
    (void)m_groups.setGroups(configuration.groups);
}

void SimulatedAgents::update(const AgentDefinition &definition, const ChangedAgent &change)
{
    const QUuid id = idOf(definition.name);
    const std::shared_ptr<Member> member = m_members.value(id);
    if (!member)
        return;
    setOptions(id, definition);
    member->agent->setDefinition(definition);
    if (change.isRestarted)
        m_supervisor.restart(id, QStringLiteral("configuration"), true);
    else if (change.parts.testFlag(DefinitionPart::Health) && member->hasProbes)
        (void)m_supervisor.monitor().setHealth(id, member->agent->healthChecks());
}

void SimulatedAgents::removeAll(const QStringList &names)
{
    for (const QString &name : names)
        evaluator().stop(idOf(name), true);
    m_work.advance(Duration{0}); // a simulated stop takes no time
    for (const QString &name : names) {
        const QUuid id = idOf(name);
        if (m_members.remove(id))
            m_supervisor.remove(id);
    }
}

void SimulatedAgents::attachProbes(const QUuid &id)
{
    const std::shared_ptr<Member> member = m_members.value(id);
    if (member && member->agent->isAlive() && !std::exchange(member->hasProbes, true))
        (void)m_supervisor.monitor().setHealth(id, member->agent->healthChecks());
}

void SimulatedAgents::detachProbes(const QUuid &id)
{
    const std::shared_ptr<Member> member = m_members.value(id);
    if (member && std::exchange(member->hasProbes, false))
        (void)m_supervisor.monitor().setHealth(id, {});
}

void SimulatedAgents::loseEndpoint(const QString &endpoint)
{
    const QList<QUuid> ids = m_breakers.agents(endpoint);
    m_work.add(ids.size());
    for (const QUuid &id : ids)
        m_members[id]->agent->loseEndpoint();
}

} // namespace Rekindle
