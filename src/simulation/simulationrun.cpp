// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "simulationrun_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

// The state of a placed agent is that of its owner, otherwise of the node that is closest to
// running it. An owner that has given it up releases it.
int closeness(InstanceState state, bool isOwner)
{
    const bool isStopped = state == InstanceState::Stopped;
    if (state == InstanceState::Running)
        return 4;
    if (isTerminal(state) && !isStopped)
        return 1;
    if (isOwner)
        return 3;
    return isStopped ? 0 : 2;
}

} // namespace

QStringList fleetNodes(const Configuration &configuration, const FailureModels &models)
{
    if (!configuration.fleet)
        return {QString()};
    QStringList nodes = models.fleet.value_or(FleetModel()).nodes;
    if (nodes.isEmpty()) {
        nodes.append(configuration.fleet->node);
        for (const AgentDefinition &each : configuration.agents)
            nodes += each.placement.value_or(FleetPlacement()).prefer;
        nodes.removeDuplicates();
    }
    nodes.move(std::max<qsizetype>(0, nodes.indexOf(configuration.fleet->node)), 0);
    return nodes;
}

SimulationRun::SimulationRun(const Configuration &configuration, const SimulationOptions &options,
                             RunFigures &figures)
    : m_configuration(&configuration)
    , m_fleet(configuration.fleet)
    , m_options(options)
    , m_figures(figures)
    , m_scheduler(m_clock)
    , m_work(m_scheduler, options.workLimit)
    , m_endpoints(m_scheduler, options.models.outages,
                  [this](const QString &name, bool isDown) {
                      if (isDown)
                          forEachHost(
                              [&name](SimulatedHost &host) { host.agents().loseEndpoint(name); });
                  })
    , m_world{.options = options,
              .figures = figures,
              .work = m_work,
              .endpoints = m_endpoints,
              .placedChanged = [this](const QUuid &id) { followPlaced(id); }}
    , m_server(m_scheduler, options.seed)
    , m_partitions(m_scheduler, options.models.fleet.value_or(FleetModel()).partitions,
                   [this](const QString &name, bool) {
                       for (Node &each : m_nodes) {
                           if (each.name == name)
                               setReachable(each);
                       }
                   })
    , m_storeOutages(m_scheduler, options.models.fleet.value_or(FleetModel()).storeOutages,
                     [this](const QString &, bool) {
                         for (Node &each : m_nodes)
                             setReachable(each);
                     })
    , m_crashes(m_scheduler, options.models.fleet.value_or(FleetModel()).crashes,
                [this](const QString &name, bool isDown) { setDown(name, isDown); })
{
    for (const QString &name : figures.names())
        m_world.positions.insert(SimulatedAgents::idOf(options, name),
                                 static_cast<std::size_t>(m_world.positions.size()));
    addPlaced(configuration);
    for (const Configuration &each : options.reloads)
        addPlaced(each);
    for (const QString &name : fleetNodes(configuration, options.models))
        m_nodes.push_back({.name = name});
    for (std::size_t i = 0; i < m_nodes.size(); ++i)
        boot(i);
}

void SimulationRun::addPlaced(const Configuration &configuration)
{
    if (!m_fleet)
        return;
    for (const AgentDefinition &each : configuration.agents) {
        const QUuid id = SimulatedAgents::idOf(m_options, each.name);
        if (!each.placement || !m_world.positions.contains(id))
            continue;
        m_world.placed.insert(id);
        m_figures.setPlaced(m_world.positions.value(id));
    }
}

// Adds the agents of a node without starting them.
void SimulationRun::boot(std::size_t index)
{
    Node &node = m_nodes[index];
    const int boots = node.boots++;
    // As without a fleet, until the first crash.
    const QString stream =
        index == 0 && boots == 0 ? QString() : QStringLiteral("%1:%2/").arg(node.name).arg(boots);
    node.host = std::make_unique<SimulatedHost>(m_world, static_cast<int>(index), stream);
    if (m_fleet) {
        FleetDefinition fleet = *m_fleet;
        fleet.node = node.name;
        node.host->joinFleet(m_server, fleet, QStringLiteral("%1-%2").arg(node.name).arg(boots));
        setReachable(node);
    }
    node.host->addAll(*m_configuration);
}

void SimulationRun::setDown(const QString &name, bool isDown)
{
    const auto node = std::ranges::find(m_nodes, name, &Node::name);
    if (node == m_nodes.end() || isDown != (node->host != nullptr))
        return;
    if (!isDown) {
        boot(static_cast<std::size_t>(node - m_nodes.begin()));
        node->host->startAll(*m_configuration);
        return;
    }
    node->host->loseAgents();
    node->host.reset();
    for (const QUuid &id : std::as_const(m_world.placed))
        followPlaced(id);
}

void SimulationRun::setReachable(Node &node) const
{
    if (node.host)
        node.host->store().setReachable(!m_partitions.isDown(node.name)
                                        && !m_storeOutages.isDown({}));
}

void SimulationRun::forEachHost(const std::function<void(SimulatedHost &)> &action) const
{
    for (const Node &each : m_nodes) {
        if (each.host)
            action(*each.host);
    }
}

SimulationResult SimulationRun::execute()
{
    forEachHost([this](SimulatedHost &host) { host.startAll(*m_configuration); });
    for (const SimulationStep &step : m_options.trace) {
        if (step.at > m_options.length)
            break;
        m_work.advance(step.at - now());
        if (m_work.isExceeded())
            break;
        m_work.add(1);
        m_figures.onStep();
        execute(step);
    }
    return finish();
}

SimulationResult SimulationRun::continueFrom(const RecordedState &state)
{
    m_world.begin = state.begin;
    m_scheduler.advance(state.now - m_scheduler.now());
    SimulatedHost &host = *m_nodes.front().host;
    for (const AgentDefinition &each : m_configuration->agents)
        host.restore(each.name, *state.agents.constFind(each.name));
    host.agents().setDependencies(*m_configuration); // whose agents have their states now
    for (const JournalEntry &command : state.commands) {
        m_work.advance(command.time - m_scheduler.now());
        if (m_work.isExceeded())
            break;
        host.execute(command);
    }
    return finish();
}

void SimulationRun::execute(const SimulationStep &step)
{
    using Kind = SimulationStep::Kind;
    if (step.kind == Kind::Down)
        m_endpoints.takeDown(step.shared, step.time);
    else if (step.kind == Kind::Partition)
        m_partitions.takeDown(step.node, step.time);
    else if (step.kind == Kind::Crash)
        m_crashes.takeDown(step.node, step.time);
    else if (step.kind == Kind::Reload)
        reload(step);
    else if (SimulatedHost *const host = hostOf(step.agent);
             host == nullptr || !host->execute(step))
        m_figures.onUnusedStep();
}

void SimulationRun::reload(const SimulationStep &step)
{
    const auto configuration = m_options.reloads.constFind(step.file);
    if (configuration == m_options.reloads.cend()) {
        m_figures.onUnusedStep();
        return;
    }
    m_configuration = &*configuration;
    forEachHost([this](SimulatedHost &host) { host.reload(*m_configuration); });
}

// A local agent is that of the first node. A placed one is that of the node that runs or owns it.
SimulatedHost *SimulationRun::hostOf(const QString &agent) const
{
    SimulatedHost *found = m_nodes.front().host.get();
    const QUuid id = SimulatedAgents::idOf(m_options, agent);
    if (!m_world.placed.contains(id))
        return found;
    int closest = -1;
    forEachHost([&](SimulatedHost &host) {
        const auto state = host.agents().evaluator().state(id);
        const int close = state ? closeness(*state, host.owns(id)) : -1;
        if (close > std::exchange(closest, std::max(close, closest)))
            found = &host;
    });
    return found;
}

void SimulationRun::followPlaced(const QUuid &id)
{
    bool isAnyUp = false;
    int closest = -1;
    int copies = 0;
    bool isKept = false;
    std::optional<InstanceState> state;
    forEachHost([&](SimulatedHost &host) {
        isAnyUp = true;
        const auto here = host.agents().evaluator().state(id);
        const SimulatedAgent *const agent = host.agents().agent(id);
        if (!here || agent == nullptr)
            return;
        copies += agent->isAlive() ? 1 : 0;
        isKept = isKept || agent->definition().placement.value_or(FleetPlacement()).keep;
        const int close = closeness(*here, host.owns(id));
        if (close > std::exchange(closest, std::max(close, closest)))
            state = here;
    });
    const std::size_t position = m_world.positions.value(id);
    // Without any node, it should run.
    const InstanceState current =
        state.value_or(isAnyUp ? InstanceState::Stopped : InstanceState::Waiting);
    m_figures.onState(position, current, now());
    m_figures.onBreaker(position,
                        current == InstanceState::CircuitOpen ? CircuitBreakerState::Open
                                                              : CircuitBreakerState::Closed,
                        now());
    m_figures.onCopies(position, copies, now());
    if (copies > 1 && !isKept)
        m_figures.onViolation(
            QStringLiteral("%1: %2: runs on two nodes")
                .arg(readable(now()), m_figures.names().at(static_cast<qsizetype>(position))),
            now());
}

SimulationResult SimulationRun::finish()
{
    m_work.advance(m_options.length - now());
    forEachHost([](SimulatedHost &host) { host.finish(); });
    return m_figures.finish(m_options.seed, m_work.isExceeded() ? now() : m_options.length);
}

} // namespace Rekindle
