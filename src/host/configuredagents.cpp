// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/internal/runintent.h"

#include <rekindle/config/configurationdiff.h>
#include <rekindle/groups/startgate.h>
#include <rekindle/host/configuredagents.h>
#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/mcp/mcpagent.h>
#include <rekindle/process/healthchecks.h>
#include <rekindle/process/processagent.h>

#include <QHash>

#include <utility>

namespace Rekindle {

namespace {

std::unique_ptr<Agent> makeAgent(const AgentDefinition &definition, Scheduler &scheduler)
{
    if (definition.kind == AgentDefinition::Kind::Process)
        return std::make_unique<ProcessAgent>(definition.process, scheduler);
    // Only the policy's startTimeout applies, because it does not count the time in which this host
    // did not run.
    McpClientOptions options;
    options.handshakeTimeout = std::chrono::hours(24);
    return std::make_unique<McpAgent>(definition.process, scheduler, options);
}

bool isReadyAtOnce(const AgentDefinition &definition)
{
    return definition.kind == AgentDefinition::Kind::Process
        && definition.process.readiness.kind == Readiness::Kind::Now;
}

void setOptions(AgentSupervisor &supervisor, const QUuid &id, const AgentDefinition &definition)
{
    supervisor.setTags(id, definition.tags);
    supervisor.setManualStart(id, definition.start == AgentDefinition::Start::Manual);
    supervisor.monitor().setOutputEvents(id, definition.outputEvents);
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

using Definitions = QHash<QString, const AgentDefinition *>;

Definitions byName(const Configuration &configuration)
{
    Definitions definitions;
    for (const AgentDefinition &each : configuration.agents)
        definitions.insert(each.name, &each);
    return definitions;
}

} // namespace

namespace {

AgentSupervisor::Added addTo(AgentSupervisor &supervisor, const AgentDefinition &definition)
{
    AgentSupervisor::Added added =
        supervisor.add(definition.name, makeAgent(definition, supervisor.scheduler()),
                       definition.policy, isReadyAtOnce(definition));
    if (added)
        setOptions(supervisor, added.id, definition);
    added.faults = atEntry(added.faults, definition);
    return added;
}

} // namespace

AgentSupervisor::Added addAgent(AgentSupervisor &supervisor, const AgentDefinition &definition)
{
    QList<Fault> faults;
    if (!definition.dependsOn.isEmpty())
        faults.append({QStringLiteral("/dependsOn"),
                       QStringLiteral("dependencies need ConfiguredAgents or AgentHost")});
    if (!definition.requiredBreakers.isEmpty())
        faults.append({QStringLiteral("/requires"),
                       QStringLiteral("shared breakers need ConfiguredAgents or AgentHost")});
    if (faults.isEmpty())
        return addTo(supervisor, definition);
    return {{}, atEntry(faults, definition)};
}

QList<Fault> addAll(AgentSupervisor &supervisor, const Configuration &configuration)
{
    QList<Fault> faults;
    if (!configuration.groups.isEmpty())
        faults.append({QStringLiteral("/groups"),
                       QStringLiteral("groups need ConfiguredAgents or AgentHost")});
    for (const AgentDefinition &definition : configuration.agents)
        faults += addAgent(supervisor, definition).faults;
    return faults;
}

ConfiguredAgents::ConfiguredAgents(AgentSupervisor &supervisor, StartGate *gate, QObject *parent)
    : QObject(parent)
    , m_supervisor(supervisor)
    , m_dependencies(supervisor)
    , m_gate(gate)
    , m_breakers(supervisor, gate)
{
    connect(&supervisor, &AgentSupervisor::agentRemoved, this, [this](const QUuid &id) {
        m_ids.remove(id);
        m_watch.remove(id);
        releaseAdded(id);
    });
    // It cannot be stopped, and the host cannot know whether it uses anything that others need.
    connect(&supervisor, &AgentSupervisor::agentStuck, this,
            [this](const QUuid &id) { releaseAdded(id); });
    supervisor.policyEvaluator().setHoldCauseSource(Hold::Removal, [this](const QUuid &) {
        QStringList names;
        for (const QUuid &id : std::as_const(m_leaving))
            names.append(m_supervisor.policyEvaluator().name(id));
        names.sort();
        return HoldCause{
            .text =
                QStringLiteral("the exit of %1 (removed)").arg(names.join(QLatin1String(", ")))};
    });
}

ConfiguredAgents::~ConfiguredAgents()
{
    m_supervisor.policyEvaluator().setHoldCauseSource(Hold::Removal, {});
}

AgentSupervisor::Added ConfiguredAgents::add(const AgentDefinition &definition)
{
    AgentSupervisor::Added added = addTo(m_supervisor, definition);
    if (added) {
        if (!definition.dependsOn.isEmpty())
            (void)m_dependencies.setDependencies(definition.name, definition.dependsOn);
        m_ids.insert(added.id);
        setGate(added.id, definition);
        setWatch(added.id, definition);
        m_breakers.setRequired(definition.name, definition.requiredBreakers);
    }
    return added;
}

void ConfiguredAgents::setGroups(const QList<GroupDefinition> &groups)
{
    (void)m_groups.setGroups(groups); // the configuration has no faults
}

void ConfiguredAgents::setSharedBreakers(const Configuration &configuration)
{
    (void)m_breakers.setBreakers(configuration.sharedBreakers); // the configuration has no faults
    // A probe that remains may be running.
    const auto before = std::exchange(m_breakerProbes, configuration.sharedBreakerProbes);
    for (const SharedBreakerPolicy &each : configuration.sharedBreakers) {
        const SharedBreakerProbe probe = m_breakerProbes.value(each.name);
        if (probe != before.value(each.name))
            m_breakers.setProbe(
                each.name, makeSharedCheck(probe.probe, probe.folder, m_supervisor.scheduler()));
    }
}

void ConfiguredAgents::setGate(const QUuid &id, const AgentDefinition &definition)
{
    if (!m_gate)
        return;
    m_gate->setPriority(id, definition.priority);
    m_gate->setReadyByTimer(id, definition.isReadyByTimer());
}

void ConfiguredAgents::setWatch(const QUuid &id, const AgentDefinition &definition)
{
    if (definition.watch.isEmpty())
        m_watch.remove(id);
    else
        m_watch.insert(id, definition.watch);
}

// Read from the agent, so that no second copy of the configuration is kept.
AgentDefinition ConfiguredAgents::definitionOf(const QUuid &id) const
{
    AgentDefinition definition;
    Agent *const agent = m_supervisor.agent(id);
    definition.name = m_supervisor.snapshot(id).value_or(AgentSnapshot()).name;
    if (const auto *server = qobject_cast<McpAgent *>(agent)) {
        definition.kind = AgentDefinition::Kind::McpServer;
        definition.process = server->definition();
    } else if (const auto *process = qobject_cast<ProcessAgent *>(agent)) {
        definition.process = process->definition();
    }
    definition.policy = m_supervisor.requestedPolicy(id);
    definition.tags = m_supervisor.tags(id);
    definition.dependsOn = m_dependencies.graph().dependencies(definition.name);
    definition.requiredBreakers = m_breakers.required(definition.name);
    definition.watch = m_watch.value(id);
    if (m_gate)
        definition.priority = m_gate->priority(id);
    definition.outputEvents = m_supervisor.monitor().hasOutputEvents(id);
    if (m_supervisor.hasManualStart(id))
        definition.start = AgentDefinition::Start::Manual;
    return definition;
}

QStringList ConfiguredAgents::changedSections(const Configuration &configuration) const
{
    QStringList sections;
    if (m_gate != nullptr && m_gate->limits() != configuration.governor)
        sections.append(QStringLiteral("governor"));
    if (m_groups.groups() != configuration.groups)
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
        if (after && after->kind != each.kind)
            result.faults += atEntry(
                {{{},
                  QStringLiteral("a running host cannot change an agent from a program to an MCP "
                                 "server or back; use another name")}},
                *after);
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
    Result result = changesTo(configuration);
    if (result)
        result.faults += addNew(configuration, result.changes);
    if (!result)
        return result;
    if (m_gate)
        m_gate->setLimits(configuration.governor);
    setOrder(configuration);
    setDependencies(configuration, result.changes);
    setSharedBreakers(configuration);
    const Definitions wanted = byName(configuration);
    for (const ChangedAgent &each : std::as_const(result.changes.changed))
        update(*wanted.value(each.agent), each);
    for (const QString &name : std::as_const(result.changes.removed))
        retire(m_supervisor.idOf(name));
    for (const QString &name : std::as_const(result.changes.added)) {
        announce(m_supervisor.idOf(name), ConfigurationApplied::Change::Added, {});
        const QUuid id = m_supervisor.idOf(name); // a slot may have removed it
        if (!id.isNull())
            startAdded(id);
    }
    return result;
}

// A removed agent may use the same port or file as an added one, for example if it was renamed.
void ConfiguredAgents::startAdded(const QUuid &id)
{
    if (!m_leaving.isEmpty()) {
        m_added.append(id);
        m_supervisor.policyEvaluator().addHolds(id, Hold::Removal);
    }
    if (!m_supervisor.hasManualStart(id) && !m_supervisor.isStopping())
        m_supervisor.start(id, true);
}

// Ends the wait for this agent.
void ConfiguredAgents::releaseAdded(const QUuid &removed)
{
    if (!m_leaving.remove(removed) || !m_leaving.isEmpty())
        return;
    for (const QUuid &id : std::exchange(m_added, {}))
        m_supervisor.policyEvaluator().liftHolds(id, Hold::Removal);
}

void ConfiguredAgents::setOrder(const Configuration &configuration)
{
    QList<QUuid> order;
    order.reserve(configuration.agents.size());
    for (const AgentDefinition &each : configuration.agents)
        order.append(m_supervisor.idOf(each.name));
    m_supervisor.setOrder(order);
}

void ConfiguredAgents::setDependencies(const Configuration &configuration,
                                       const ConfigurationChanges &changes)
{
    DependencyGraph graph = m_dependencies.graph();
    for (const QString &name : changes.removed)
        graph.setDependencies(name, {});
    for (const AgentDefinition &each : configuration.agents)
        graph.setDependencies(each.name, each.dependsOn);
    // The order of the previous groups could form a cycle with the new dependencies.
    (void)m_dependencies.setOrders({});
    (void)m_dependencies.setGraph(graph); // the configuration has no cycle
    setGroups(configuration.groups);
}

// The steps that can fail. They are taken back if one does.
QList<Fault> ConfiguredAgents::addNew(const Configuration &configuration,
                                      const ConfigurationChanges &changes)
{
    QList<Fault> faults;
    QList<QUuid> ids;
    const Definitions wanted = byName(configuration);
    for (const QString &name : changes.added) {
        const AgentSupervisor::Added added = add(*wanted.value(name));
        faults += added.faults;
        if (added)
            ids.append(added.id);
    }
    if (!hasErrors(faults))
        faults += setPolicies(configuration, changes);
    if (hasErrors(faults)) {
        for (const QUuid &id : std::as_const(ids))
            m_supervisor.remove(id);
    }
    return faults;
}

QList<Fault> ConfiguredAgents::setPolicies(const Configuration &configuration,
                                           const ConfigurationChanges &changes)
{
    struct Step
    {
        QUuid id;
        RestartPolicy policy;
        bool readyAtOnce = false;
    };
    QList<Fault> faults;
    QList<Step> taken;
    const Definitions wanted = byName(configuration);
    for (const ChangedAgent &each : changes.changed) {
        // What a policy permits depends on the readiness of the process.
        if (!(each.parts & (DefinitionPart::Policy | DefinitionPart::Process)))
            continue;
        const QUuid id = m_supervisor.idOf(each.agent);
        const AgentDefinition &definition = *wanted.value(each.agent);
        const Step before{id, m_supervisor.requestedPolicy(id), isReadyAtOnce(definitionOf(id))};
        const QList<Fault> found =
            m_supervisor.setPolicy(id, definition.policy, isReadyAtOnce(definition));
        for (Fault fault : found) {
            if (!fault.isError())
                continue; // the configuration has reported the warning, at its place
            fault.path.prepend(QLatin1String("/policy"));
            faults += atEntry({fault}, definition);
        }
        if (!hasErrors(found))
            taken.append(before);
    }
    if (hasErrors(faults)) {
        for (const Step &step : std::as_const(taken))
            (void)m_supervisor.setPolicy(step.id, step.policy, step.readyAtOnce);
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
    setOptions(m_supervisor, id, definition);
    setGate(id, definition);
    setWatch(id, definition);
    m_breakers.setRequired(definition.name, definition.requiredBreakers);
    if (auto *server = qobject_cast<McpAgent *>(agent))
        server->setDefinition(definition.process);
    else if (auto *process = qobject_cast<ProcessAgent *>(agent))
        process->setDefinition(definition.process);
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
    announce(id, ConfigurationApplied::Change::Removed, {});
    if (!m_supervisor.agent(id)) // removed by a slot
        return;
    const RestartPolicyEvaluator &evaluator = m_supervisor.policyEvaluator();
    const bool isAlive = evaluator.status(id).value_or(InstanceStatus()).alive;
    if (isAlive && !m_supervisor.isStuck(id)) // it would not be reported again
        m_leaving.insert(id);
    const QString name = evaluator.name(id);
    m_breakers.setRequired(name, {}); // another agent can have this name later
    m_supervisor.retire(id, QStringLiteral("removed from the configuration"));
}

} // namespace Rekindle
