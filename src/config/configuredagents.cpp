// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "config/internal/agentfactory.h"
#include "groups/internal/holdset.h"

#include <rekindle/config/configurationdiff.h>
#include <rekindle/config/configuredagents.h>
#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/process/healthchecks.h>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

// Whether a new definition of the agent's process leads to a restart. An agent that has failed is
// to run, and the new definition may be the correction. One that was stopped or isolated is not to
// run.
bool isToRun(const RestartPolicyEvaluator &evaluator, const QUuid &id)
{
    switch (evaluator.state(id).value_or(InstanceState::Stopped)) {
    case InstanceState::Starting:
    case InstanceState::Running:
        return true;
    case InstanceState::Waiting:
    case InstanceState::Evaluating:
    case InstanceState::CircuitOpen:
    case InstanceState::Exhausted:
    case InstanceState::Failed:
        return !evaluator.circuitBreakerState(id).isolated;
    default:
        return false;
    }
}

QList<Fault> atEntry(QList<Fault> faults, const AgentDefinition &definition)
{
    for (Fault &fault : faults) {
        fault.path.prepend(definition.pointer);
        fault.line = definition.line;
        fault.column = definition.column;
        fault.file = definition.file;
    }
    return faults;
}

QHash<QString, const AgentDefinition *> byName(const Configuration &configuration)
{
    QHash<QString, const AgentDefinition *> definitions;
    for (const AgentDefinition &each : configuration.agents)
        definitions.insert(each.name, &each);
    return definitions;
}

// AgentGroups lists a group before those that it contains.
QList<GroupDefinition> sortedByName(QList<GroupDefinition> groups)
{
    std::sort(groups.begin(), groups.end(),
              [](const auto &one, const auto &other) { return one.name < other.name; });
    return groups;
}

} // namespace

AgentFactory::~AgentFactory() = default;

QUuid AgentFactory::idOf(const QString &) const { return QUuid::createUuid(); }

HealthCheck AgentFactory::makeSharedCheck(const QString &, const SharedBreakerProbe &probe,
                                          Scheduler &scheduler) const
{
    return Rekindle::makeSharedCheck(probe.probe, probe.folder, scheduler);
}

ConfiguredAgents::ConfiguredAgents(AgentSupervisor &supervisor, AgentFactory &factory,
                                   QObject *parent)
    : QObject(parent)
    , m_supervisor(supervisor)
    , m_factory(factory)
    , m_gate(supervisor)
    , m_dependencies(supervisor)
    , m_breakers(supervisor, &m_gate)
{
    connect(&supervisor, &AgentSupervisor::agentRemoved, this, [this](const QUuid &id) {
        m_ids.remove(id);
        m_watch.remove(id);
        m_placements.remove(id);
        releaseAdded(id);
    });
    // It cannot be stopped, and the host cannot know whether it uses anything that others need.
    connect(&supervisor, &AgentSupervisor::agentStuck, this,
            [this](const QUuid &id) { releaseAdded(id); });
    m_added = std::make_unique<HoldSet>(supervisor, Hold::Removal, [this](const QUuid &) {
        if (m_exits.isEmpty()) {
            QStringList names;
            for (const QUuid &id : std::as_const(m_leaving))
                names.append(m_supervisor.policyEvaluator().name(id));
            names.sort();
            m_exits =
                QStringLiteral("the exit of %1 (removed)").arg(names.join(QLatin1String(", ")));
        }
        return HoldCause{.text = m_exits};
    });
}

ConfiguredAgents::~ConfiguredAgents() = default;

QList<Fault> ConfiguredAgents::addAll(const Configuration &configuration)
{
    QList<Fault> faults;
    for (const AgentDefinition &each : configuration.agents)
        faults += add(each).faults;
    setRelations(configuration);
    return faults;
}

AgentSupervisor::Added ConfiguredAgents::add(const AgentDefinition &definition)
{
    AgentSupervisor::Added added = m_supervisor.add(
        definition.name, m_factory.make(definition, m_supervisor.scheduler()), definition.policy,
        definition.isReadyAtOnce(), m_factory.idOf(definition.name));
    if (added) {
        m_ids.insert(added.id);
        setOptions(added.id, definition);
    }
    // The reader reports missing files, with their place.
    added.faults.removeIf([](const Fault &fault) {
        return !fault.isError()
            && (fault.path == QLatin1String("/program")
                || fault.path == QLatin1String("/workingDirectory"));
    });
    added.faults = atEntry(added.faults, definition);
    return added;
}

void ConfiguredAgents::setOptions(const QUuid &id, const AgentDefinition &definition)
{
    m_supervisor.setTags(id, definition.tags);
    m_supervisor.setManualStart(id, definition.start == AgentDefinition::Start::Manual);
    m_supervisor.monitor().setOutputEvents(id, definition.outputEvents);
    m_gate.setPriority(id, definition.priority);
    m_gate.setReadyByTimer(id, definition.isReadyByTimer());
    if (definition.watch.isEmpty())
        m_watch.remove(id);
    else
        m_watch.insert(id, definition.watch);
    m_breakers.setRequired(definition.name, definition.requiredBreakers);
    if (definition.placement) {
        m_placements.insert(id, *definition.placement);
        Q_EMIT placed(id, *definition.placement);
    }
}

// The configuration has neither a cycle nor other faults in these parts.
void ConfiguredAgents::setRelations(const Configuration &configuration, const QStringList &removed)
{
    m_gate.setLimits(configuration.governor);
    DependencyGraph graph = m_dependencies.graph();
    for (const QString &name : removed)
        graph.setDependencies(name, {});
    for (const AgentDefinition &each : configuration.agents)
        graph.setDependencies(each.name, each.dependsOn);
    // The order of the previous groups could form a cycle with the new dependencies.
    (void)m_dependencies.setOrders({});
    (void)m_dependencies.setGraph(graph);
    (void)m_groups.setGroups(configuration.groups);
    setSharedBreakers(configuration);
}

void ConfiguredAgents::setSharedBreakers(const Configuration &configuration)
{
    (void)m_breakers.setBreakers(configuration.sharedBreakers);
    // A probe that remains may be running.
    const auto before = std::exchange(m_breakerProbes, configuration.sharedBreakerProbes);
    for (const SharedBreakerPolicy &each : configuration.sharedBreakers) {
        const SharedBreakerProbe probe = m_breakerProbes.value(each.name);
        if (probe != before.value(each.name))
            m_breakers.setProbe(
                each.name, m_factory.makeSharedCheck(each.name, probe, m_supervisor.scheduler()));
    }
}

// Read from the agent, so that no second copy of the configuration is kept.
AgentDefinition ConfiguredAgents::definitionOf(const QUuid &id) const
{
    const Agent *const agent = m_supervisor.agent(id); // a slot may have removed it
    AgentDefinition definition = agent ? m_factory.definitionOf(*agent) : AgentDefinition();
    definition.name = m_supervisor.policyEvaluator().name(id);
    definition.policy = m_supervisor.requestedPolicy(id);
    definition.start = m_supervisor.hasManualStart(id) ? AgentDefinition::Start::Manual
                                                       : AgentDefinition::Start::Auto;
    definition.tags = m_supervisor.tags(id);
    definition.dependsOn = m_dependencies.graph().dependencies(definition.name);
    definition.requiredBreakers = m_breakers.required(definition.name);
    definition.watch = m_watch.value(id);
    if (const auto found = m_placements.constFind(id); found != m_placements.cend())
        definition.placement = *found;
    definition.priority = m_gate.priority(id);
    definition.outputEvents = m_supervisor.monitor().hasOutputEvents(id);
    return definition;
}

QStringList ConfiguredAgents::changedSections(const Configuration &configuration) const
{
    QStringList sections;
    if (m_gate.limits() != configuration.governor)
        sections.append(QStringLiteral("governor"));
    if (sortedByName(m_groups.groups()) != sortedByName(configuration.groups))
        sections.append(QStringLiteral("groups"));
    if (m_breakers.breakers() != configuration.sharedBreakers
        || m_breakerProbes != configuration.sharedBreakerProbes)
        sections.append(QStringLiteral("sharedBreakers"));
    return sections;
}

ConfiguredAgents::Result ConfiguredAgents::changesTo(const Configuration &configuration) const
{
    QList<AgentDefinition> present;
    for (const QUuid &id : m_supervisor.ids()) {
        if (m_ids.contains(id) && !m_supervisor.isRetired(id))
            present.append(definitionOf(id));
    }
    Result result{{}, difference(present, configuration.agents)};
    result.changes.sections = changedSections(configuration);
    const Definitions wanted = byName(configuration);
    for (ChangedAgent &each : result.changes.changed) {
        const QUuid id = m_supervisor.idOf(each.agent);
        each.isRestarted = each.isRestarted && isToRun(m_supervisor.policyEvaluator(), id);
        each.keys = changedKeys(definitionOf(id), *wanted.value(each.agent));
    }
    for (const AgentDefinition &each : std::as_const(present)) {
        const AgentDefinition *const after = wanted.value(each.name);
        if (const QString text = after ? changeRefusal(each, *after) : QString(); !text.isEmpty())
            result.faults += atEntry({{{}, text}}, *after);
    }
    for (const QString &name : std::as_const(result.changes.added)) {
        const QUuid id = m_supervisor.idOf(name);
        if (id.isNull())
            continue;
        const QString text = m_supervisor.isRetired(id)
            ? QStringLiteral("%1 was removed and is still stopping; reload again when it has "
                             "stopped")
            : QStringLiteral("the host has another agent named %1");
        result.faults += atEntry({{{}, text.arg(name)}}, *wanted.value(name));
    }
    return result;
}

ConfiguredAgents::Result ConfiguredAgents::apply(const Configuration &configuration)
{
    const Definitions wanted = byName(configuration);
    Result result = changesTo(configuration);
    if (result)
        result.faults += addNew(wanted, result.changes);
    if (!result)
        return result;
    setOrder(configuration);
    setRelations(configuration, result.changes.removed);
    for (const ChangedAgent &each : std::as_const(result.changes.changed))
        update(*wanted.value(each.agent), each);
    for (const QString &name : std::as_const(result.changes.removed))
        retire(m_supervisor.idOf(name));
    for (const QString &name : std::as_const(result.changes.added)) {
        announce(m_supervisor.idOf(name), ConfigurationApplied::Change::Added);
        const QUuid id = m_supervisor.idOf(name); // a slot may have removed it
        if (!id.isNull())
            startAdded(id);
    }
    return result;
}

// A removed agent may use the same port or file as an added one, for example if it was renamed.
void ConfiguredAgents::startAdded(const QUuid &id)
{
    if (!m_leaving.isEmpty())
        m_added->set(id, true);
    if (!m_supervisor.hasManualStart(id) && !m_supervisor.isStopping())
        m_supervisor.start(id, true);
}

// Ends the wait for this agent.
void ConfiguredAgents::releaseAdded(const QUuid &removed)
{
    if (!m_leaving.remove(removed))
        return;
    m_exits.clear();
    if (m_leaving.isEmpty())
        m_added->clear();
}

void ConfiguredAgents::setOrder(const Configuration &configuration)
{
    QList<QUuid> order;
    order.reserve(configuration.agents.size());
    for (const AgentDefinition &each : configuration.agents)
        order.append(m_supervisor.idOf(each.name));
    m_supervisor.setOrder(order);
}

// The steps that can fail. They are taken back if one does.
QList<Fault> ConfiguredAgents::addNew(const Definitions &wanted,
                                      const ConfigurationChanges &changes)
{
    QList<Fault> faults;
    QList<QUuid> ids;
    for (const QString &name : changes.added) {
        const AgentSupervisor::Added added = add(*wanted.value(name));
        faults += added.faults;
        if (added)
            ids.append(added.id);
    }
    if (!hasErrors(faults))
        faults += setPolicies(wanted, changes);
    if (hasErrors(faults)) {
        for (const QUuid &id : std::as_const(ids))
            m_supervisor.remove(id);
    }
    return faults;
}

QList<Fault> ConfiguredAgents::setPolicies(const Definitions &wanted,
                                           const ConfigurationChanges &changes)
{
    QList<Fault> faults;
    QList<AgentDefinition> replaced;
    for (const ChangedAgent &each : changes.changed) {
        // What a policy permits depends on the readiness of the process.
        if (!(each.parts & (DefinitionPart::Policy | DefinitionPart::Process)))
            continue;
        const QUuid id = m_supervisor.idOf(each.agent);
        const AgentDefinition &definition = *wanted.value(each.agent);
        const AgentDefinition before = definitionOf(id);
        const QList<Fault> found =
            m_supervisor.setPolicy(id, definition.policy, definition.isReadyAtOnce());
        for (Fault fault : found) {
            if (!fault.isError())
                continue; // the configuration has reported the warning, at its place
            fault.path.prepend(QLatin1String("/policy"));
            faults += atEntry({fault}, definition);
        }
        if (!hasErrors(found))
            replaced.append(before);
    }
    if (hasErrors(faults)) {
        for (const AgentDefinition &each : std::as_const(replaced))
            (void)m_supervisor.setPolicy(m_supervisor.idOf(each.name), each.policy,
                                         each.isReadyAtOnce());
    }
    return faults;
}

void ConfiguredAgents::announce(const QUuid &id, ConfigurationApplied::Change change,
                                const QStringList &parts)
{
    ConfigurationApplied event;
    event.change = change;
    event.parts = parts;
    m_supervisor.policyEvaluator().announce(id, std::move(event));
}

void ConfiguredAgents::update(const AgentDefinition &definition, const ChangedAgent &change)
{
    using Change = ConfigurationApplied::Change;
    const QUuid id = m_supervisor.idOf(definition.name);
    announce(id, change.isRestarted ? Change::Restarted : Change::Updated, toTexts(change.parts));
    Agent *const agent = m_supervisor.agent(id);
    if (!agent) // removed by a slot
        return;
    setOptions(id, definition);
    m_factory.setDefinition(*agent, definition);
    if (!(change.parts & (DefinitionPart::Process | DefinitionPart::Health)))
        return;
    AgentMonitor &monitor = m_supervisor.monitor();
    if (change.isRestarted)
        monitor.endHealth(id); // the new probes are for the next process
    (void)monitor.setHealth(id, {});
    if (change.isRestarted)
        m_supervisor.restart(id, QStringLiteral("configuration"), true);
}

void ConfiguredAgents::retire(const QUuid &id)
{
    announce(id, ConfigurationApplied::Change::Removed);
    if (!m_supervisor.agent(id)) // removed by a slot
        return;
    const RestartPolicyEvaluator &evaluator = m_supervisor.policyEvaluator();
    const bool isAlive = evaluator.status(id).value_or(InstanceStatus()).alive;
    if (isAlive && !m_supervisor.isStuck(id)) { // it would not be reported again
        m_leaving.insert(id);
        m_exits.clear();
    }
    const QString name = evaluator.name(id);
    m_breakers.setRequired(name, {}); // another agent can have this name later
    m_supervisor.retire(id, QStringLiteral("removed from the configuration"));
}

} // namespace Rekindle
