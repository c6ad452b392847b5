// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "config/internal/placedagents.h"

#include "policy/internal/texthelpers.h"

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentmonitor.h>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

using State = FleetAgentStatus::State;

constexpr std::array<EnumName<State>, 10> placementStates = {{
    {State::Unknown, QLatin1String("unknown")},
    {State::Malformed, QLatin1String("malformed")},
    {State::Running, QLatin1String("running")},
    {State::Stopping, QLatin1String("stopping")},
    {State::Writing, QLatin1String("writing")},
    {State::NoLease, QLatin1String("noLease")},
    {State::Withdrawn, QLatin1String("withdrawn")},
    {State::Draining, QLatin1String("draining")},
    {State::Elsewhere, QLatin1String("elsewhere")},
    {State::Waiting, QLatin1String("waiting")},
}};

bool isGivenUp(InstanceState state) { return isTerminal(state) && state != InstanceState::Stopped; }

} // namespace

PlacedAgents::PlacedAgents(AgentSupervisor &supervisor, FleetStore &store, Scheduler &boot,
                           Options options)
    : m_supervisor(supervisor)
    , m_evaluator(supervisor.policyEvaluator())
    , m_boot(boot)
    , m_options(std::move(options))
    , m_storeLoss(boot, [this] { reportStoreLoss(); })
    , m_nextStart(boot, [this] { startNode(); })
    , m_node(store, boot, *this,
             {.node = m_options.fleet.node,
              .run = m_options.run,
              .previousRun = m_options.previousRun,
              .times = m_options.fleet.times})
    , m_holds(supervisor, Hold::Lease, [this](const QUuid &id) {
        const QString name = m_evaluator.name(id);
        return HoldCause{.text = QLatin1String("lease: ") + textOf(name, m_node.status(name))};
    })
{
    connect(&m_evaluator, &RestartPolicyEvaluator::stateChanged, this,
            [this](const QUuid &id) { follow(id); });
    // After the slots of the supervisor, so that the state is that after the exit.
    const AgentMonitor &monitor = supervisor.monitor();
    const auto exited = [this](const QUuid &id) { follow(id); };
    connect(&monitor, &AgentMonitor::agentStopped, this, exited);
    connect(&monitor, &AgentMonitor::agentFailed, this, exited);
    connect(&monitor, &AgentMonitor::restartRequested, this, exited);
    connect(&supervisor, &AgentSupervisor::agentRemoved, this, [this](const QUuid &id) {
        m_wanted.remove(id);
        m_stopping.remove(id);
        m_refused.remove(id);
        // One that was removed without a stop stays owned until this node leaves the fleet.
        const Placed removed = m_placed.take(id);
        if (!removed.name.isEmpty() && !removed.isAlive)
            m_node.remove(removed.name);
    });
    connect(&m_node, &FleetNode::changed, this, [this] {
        liftRefused();
        followStore();
    });
    connect(&m_node, &FleetNode::ended, this, [this] {
        m_hasLeft = true;
        Q_EMIT left();
    });
    supervisor.setLaunchGate(Hold::Lease, [this](const QUuid &id) { return permits(id); });
}

PlacedAgents::~PlacedAgents()
{
    m_supervisor.setLaunchGate(Hold::Lease, {});
    if (m_shared)
        m_shared->setTrialGate({});
}

void PlacedAgents::place(const QUuid &id, const FleetPlacement &placement)
{
    Agent *const agent = m_supervisor.agent(id);
    if (!agent)
        return;
    const QString name = m_evaluator.name(id);
    if (m_node.token(name) == 0)
        m_holds.set(id, true);
    if (!agent->setKillDeadlineBound(!placement.keep)) {
        Q_EMIT faulted(name
                       + QLatin1String(": not started: only programs and MCP servers can have a "
                                       "placement"));
        return;
    }
    Placed &placed = m_placed[id];
    placed.name = name;
    placed.placement = placement;
    m_wanted.insert(id);
    m_node.add(name, placement);
    if (m_hasBegun)
        follow(id);
}

void PlacedAgents::share(SharedBreakers &breakers, FleetStore &store)
{
    m_shared = &breakers;
    m_breakers = std::make_unique<FleetBreakers>(
        m_node, store, m_boot,
        FleetNodeOptions{
            .node = m_options.fleet.node, .run = m_options.run, .times = m_options.fleet.times},
        FleetBreakers::Host{
            .follow = [&breakers](const QString &name, CircuitBreakerState state,
                                  int reopened) { breakers.follow(name, state, reopened); },
            .tryTrial = [&breakers](const QString &name) { breakers.tryTrial(name); },
            .report = [this](const QString &fault) { report(fault); }});
    breakers.setTrialGate(
        {.permits = [this](const QString &name) { return m_breakers->permitsTrial(name); },
         .text =
             [this](const QString &name) {
                 const QString node = m_breakers->trialNode(name);
                 return node.isEmpty() ? QString() : QLatin1String("trial on node ") + node;
             }});
    connect(&breakers, &SharedBreakers::memoryChanged, this, [this] { followBreakers(); });
    followBreakers();
}

// Not before their states are restored: these are no changes.
void PlacedAgents::followBreakers()
{
    if (!m_hasBegun || !m_shared)
        return;
    QSet<QString> names;
    const QList<SharedBreakerPolicy> policies = m_shared->breakers();
    for (const SharedBreakerPolicy &each : policies) {
        const auto snapshot = m_shared->snapshot(each.name);
        if (!each.isFleetWide || !snapshot)
            continue;
        names.insert(each.name);
        m_breakers->setState(each.name, snapshot->state, snapshot->reopened);
    }
    m_breakers->retain(names);
}

void PlacedAgents::begin()
{
    m_hasBegun = true;
    const QList<QUuid> ids = m_placed.keys();
    for (const QUuid &id : ids)
        follow(id);
    followBreakers();
    startNode();
}

// The agents of an earlier host may still run while its guard does.
void PlacedAgents::startNode()
{
    if (!m_options.isPreviousGone || m_options.isPreviousGone()) {
        m_node.start();
        return;
    }
    if (!std::exchange(m_isWaiting, true))
        Q_EMIT faulted(QStringLiteral("fleet: waiting until the guard of the previous host has "
                                      "killed its processes"));
    m_nextStart.armIn(std::chrono::milliseconds(20));
}

void PlacedAgents::leave()
{
    m_nextStart.disarm();
    m_node.shutDown();
}

// What the node does.

void PlacedAgents::start(const QString &agent, qint64 token)
{
    const QUuid id = m_supervisor.idOf(agent);
    Agent *const started = m_supervisor.agent(id);
    if (!started || m_supervisor.isRetired(id))
        return;
    m_refused.remove(id);
    started->setFencingToken(token);
    EvaluatorPort(m_evaluator).setFencingToken(id, token);
    m_holds.set(id, false);
}

// Its next start has no attempt and waits until the agent is acquired again.
void PlacedAgents::stop(const QString &agent)
{
    const QUuid id = m_supervisor.idOf(agent);
    const DeferredEmission deferred(m_evaluator);
    const bool isAlive = m_evaluator.status(id).value_or(InstanceStatus()).alive;
    if (isAlive)
        m_stopping.insert(id);
    // Otherwise, it is being stopped for good.
    if (!m_supervisor.isStopping() && !m_supervisor.isRetired(id))
        EvaluatorPort(m_evaluator).stopHeld(id, Hold::Lease);
    if (!id.isNull())
        m_holds.set(id, true); // also if an operator has stopped it
    if (!isAlive)
        m_node.reaped(agent);
}

void PlacedAgents::setKillDeadline(Instant deadline)
{
    const bool isGuarded = m_options.setKillDeadline(deadline);
    if (std::exchange(m_isGuarded, isGuarded) && !isGuarded)
        Q_EMIT faulted(QStringLiteral("fleet: no memory for the kill deadline; placed agents are "
                                      "not started"));
    if (isGuarded)
        liftRefused();
}

void PlacedAgents::report(const QString &fault)
{
    Q_EMIT faulted(QLatin1String("fleet: ") + fault);
}

// What the agents do. The signal may be older than the state.
void PlacedAgents::follow(const QUuid &id)
{
    const auto found = m_placed.find(id);
    if (!m_hasBegun || found == m_placed.end())
        return;
    const InstanceStatus status = m_evaluator.status(id).value_or(InstanceStatus());
    const QString name = found->name;
    found->isAlive = status.alive;
    if (status.alive)
        return;
    if (m_stopping.remove(id))
        m_node.reaped(name);
    if (m_supervisor.isRetired(id)) {
        m_wanted.remove(id);
        m_node.remove(name);
        return;
    }
    if (m_supervisor.isStopping())
        return;
    // After an operator's stop, the node keeps the agent, so that no other one starts it.
    const bool isWanted =
        m_node.token(name) != 0 ? !isGivenUp(status.state) : !isTerminal(status.state);
    if (isWanted == m_wanted.contains(id))
        return;
    if (isWanted) {
        m_wanted.insert(id);
        m_node.contend(name);
    } else {
        m_wanted.remove(id);
        m_holds.set(id, true);
        m_node.withdraw(name);
    }
}

// The timer that ends the lease may be late, for example after the host was stopped.
bool PlacedAgents::permits(const QUuid &id)
{
    const auto found = m_placed.constFind(id);
    if (found == m_placed.cend())
        return true;
    const bool isPermitted = (m_isGuarded || found->placement.keep) && m_node.permits(found->name);
    if (!isPermitted)
        m_refused.insert(id);
    return isPermitted;
}

void PlacedAgents::liftRefused()
{
    const QSet<QUuid> refused = std::exchange(m_refused, {});
    for (const QUuid &id : refused) {
        if (permits(id))
            m_holds.set(id, false);
    }
}

// Not before the next renewal: the timeout of an earlier request may be reported late.
void PlacedAgents::followStore()
{
    if (m_node.storeLostSince()) {
        if (!m_isStoreLost && !m_storeLoss.isArmed())
            m_storeLoss.armIn(m_options.fleet.times.renewal + m_options.fleet.times.retry);
        return;
    }
    m_storeLoss.disarm();
    if (std::exchange(m_isStoreLost, false))
        Q_EMIT faulted(QStringLiteral("fleet: etcd answers again"));
}

void PlacedAgents::reportStoreLoss()
{
    m_isStoreLost = true;
    if (m_node.isHeld())
        Q_EMIT faulted(QStringLiteral("fleet: etcd does not answer (%1); the placed agents of "
                                      "this node are stopped in %2 unless it does")
                           .arg(m_node.storeError(), readable(until(m_node.leaseEnd()))));
    else
        Q_EMIT faulted(QStringLiteral("fleet: etcd does not answer (%1); this node runs no "
                                      "placed agents until it does")
                           .arg(m_node.storeError()));
}

// What clients see.

QString PlacedAgents::textOf(const QString &agent, const FleetAgentStatus &status) const
{
    const auto instance = m_evaluator.status(m_supervisor.idOf(agent));
    const bool isStopped = instance && instance->state == InstanceState::Stopped;
    const QString owner = status.holder.isEmpty() || status.holder == m_options.fleet.node
        ? QString()
        : QStringLiteral("owned by %1; ").arg(status.holder);
    switch (status.state) {
    case State::Unknown:
        return QStringLiteral("etcd has not answered since the start");
    case State::Malformed:
        return QStringLiteral("its record in etcd is malformed");
    case State::Running:
        if (isStopped)
            return QStringLiteral("stopped by an operator on this node");
        return m_node.isHeld()
            ? QStringLiteral("runs on this node")
            : QStringLiteral("runs on this node, whose lease has ended; another node can start "
                             "it, too");
    case State::Stopping:
        return QStringLiteral("stops on this node");
    case State::Writing:
        return QStringLiteral("a write to etcd is in flight");
    case State::NoLease:
        return m_node.storeLostSince() ? QStringLiteral("starts on a node when etcd answers again")
                                       : QStringLiteral("this node has no lease yet");
    case State::Withdrawn:
        return owner
            + (isStopped ? QLatin1String("stopped by an operator on this node")
                         : QLatin1String("given up on this node"));
    case State::Draining:
        return owner + QLatin1String("this node is drained");
    case State::Elsewhere:
        return QLatin1String("runs on ") + status.holder;
    case State::Waiting:
        return QStringLiteral("another node can start it first");
    }
    return {};
}

AgentStatus::Placement PlacedAgents::placementOf(const QString &agent) const
{
    const FleetAgentStatus status = m_node.status(agent);
    AgentStatus::Placement placement{.state = nameOf(placementStates, status.state),
                                     .node = status.holder,
                                     .token = status.token,
                                     .text = textOf(agent, status)};
    if (status.state == State::Running && m_node.isHeld())
        placement.leaseEndsIn = until(m_node.leaseEnd());
    return placement;
}

std::optional<AgentStatus::Placement> PlacedAgents::placement(const QString &agent) const
{
    if (!m_placed.contains(m_supervisor.idOf(agent)))
        return {};
    return placementOf(agent);
}

FleetStatus PlacedAgents::status() const
{
    FleetStatus status{.node = m_options.fleet.node,
                       .isDraining = m_node.isDraining(),
                       .isDrained = m_node.isDrained()};
    if (m_node.isHeld())
        status.leaseEndsIn = until(m_node.leaseEnd());
    if (const auto since = m_node.storeLostSince())
        status.storeLostFor = -until(*since);
    status.storeError = m_node.storeError();
    for (const FleetSessionStatus &each : m_node.sessions()) {
        FleetStatus::Node &node = status.nodes.emplaceBack(
            FleetStatus::Node{.node = each.node, .run = each.run, .isDraining = each.draining});
        (each.exists ? node.renewed : node.absent) = -until(each.since);
        if (each.exists)
            node.lostIn = until(each.due);
    }
    for (const QUuid &id : m_supervisor.ids()) {
        if (!m_placed.contains(id))
            continue;
        const QString name = m_evaluator.name(id);
        const FleetAgentStatus agent = m_node.status(name);
        FleetStatus::Agent &entry = status.agents.emplaceBack(
            FleetStatus::Agent{.agent = name, .placement = placementOf(name)});
        if (agent.state != State::Unknown)
            entry.since = -until(agent.since);
        if (agent.due != Instant::max())
            entry.dueIn = until(agent.due);
    }
    return status;
}

void PlacedAgents::setDraining(bool draining) { m_node.setDraining(draining); }

QString PlacedAgents::move(const QString &agent, const QString &node)
{
    if (!m_placed.contains(m_supervisor.idOf(agent)))
        return QStringLiteral("%1 has no \"placement\"").arg(agent);
    const FleetAgentStatus status = m_node.status(agent);
    if (status.state != State::Running)
        return QStringLiteral("%1 does not run on %2: %3")
            .arg(agent, m_options.fleet.node, textOf(agent, status));
    if (node == m_options.fleet.node)
        return QStringLiteral("%1 already runs on %2").arg(agent, node);
    const QList<FleetSessionStatus> sessions = m_node.sessions();
    if (std::ranges::any_of(sessions, [&node](const FleetSessionStatus &each) {
            return each.node == node && each.draining;
        }))
        return QStringLiteral("%1 is drained").arg(node);
    if (!m_node.move(agent, node))
        return QStringLiteral("no node named %1 has a session").arg(node);
    return {};
}

} // namespace Rekindle
