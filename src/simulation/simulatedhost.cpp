// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/internal/evaluatorport.h"
#include "simulatedhost_p.h"

#include "policy/internal/operatorinput.h"

#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/lifecycle/featuregate.h>

namespace Rekindle {

SimulatedHost::SimulatedHost(const SimulationWorld &world, int node, const QString &stream)
    : m_world(world)
    , m_node(node)
    , m_license(world.options.tier)
    , m_agents(world.work, world.options, world.endpoints, stream, [this](const QUuid &id) {
        violation(id, QStringLiteral("started while it was running"));
    })
{
    m_agents.supervisor().featureGate().setProvider(&m_license);
    connectEvents();
}

void SimulatedHost::joinFleet(VirtualStoreServer &server, const FleetDefinition &fleet,
                              const QString &run)
{
    Scheduler &scheduler = m_world.work.scheduler();
    m_store = std::make_unique<VirtualStore>(server, scheduler);
    m_placed = std::make_unique<PlacedAgents>(
        m_agents.supervisor(), *m_store, scheduler,
        PlacedAgents::Options{.fleet = fleet, .run = run, .setKillDeadline = [](Instant) {
                                  return true; // simulated processes stop at once
                              }});
    ConfiguredAgents &configured = m_agents.configured();
    connect(&configured, &ConfiguredAgents::placed, m_placed.get(), &PlacedAgents::place);
    m_placed->share(configured.sharedBreakers(), *m_store);
}

// Signals of the supervisor, because the evaluator's events are logged if nothing is connected to
// these.
void SimulatedHost::connectEvents()
{
    const AgentSupervisor &supervisor = m_agents.supervisor();
    connect(&supervisor, &AgentSupervisor::stateChanged, this, &SimulatedHost::onState);
    connect(&supervisor, &AgentSupervisor::agentStarted, this, &SimulatedHost::onStarted);
    connect(&supervisor, &AgentSupervisor::agentFailed, this, [this](const AgentFailed &event) {
        if (isMeasured(event.instanceId))
            m_world.figures.onFailed(position(event.instanceId), now());
    });
    connect(&supervisor, &AgentSupervisor::restartStarted, this, &SimulatedHost::onRestart);
    connect(&supervisor, &AgentSupervisor::circuitBreakerStateChanged, this,
            [this](const CircuitBreakerStateChanged &event) {
                if (isMeasured(event.instanceId) && !isPlaced(event.instanceId))
                    m_world.figures.onBreaker(position(event.instanceId), event.newState, now());
            });
    connect(&supervisor, &AgentSupervisor::agentRemoved, this, [this](const QUuid &id) {
        onState(id, InstanceState::Stopped);
        if (isMeasured(id) && !isPlaced(id))
            m_world.figures.onRemoved(position(id), now());
    });
}

void SimulatedHost::onState(const QUuid &id, InstanceState state)
{
    if (!isMeasured(id))
        return;
    if (isPlaced(id))
        m_world.placedChanged(id);
    else
        m_world.figures.onState(position(id), state, now());
}

void SimulatedHost::onStarted(const AgentStarted &event)
{
    if (isMeasured(event.instanceId))
        m_world.figures.onStarted(position(event.instanceId), m_node);
    m_agents.setProbed(event.instanceId, false);
    const CircuitBreakerInfo breaker = m_agents.evaluator().circuitBreakerState(event.instanceId);
    if (breaker.state == CircuitBreakerState::Open)
        violation(event.instanceId, QStringLiteral("started while its breaker is open"));
}

void SimulatedHost::onRestart(const RestartStarted &event)
{
    if (isMeasured(event.instanceId))
        m_world.figures.onRestart(now());
    const RestartPolicy policy = m_agents.evaluator().policy(event.instanceId);
    if (policy.maxRetries && event.attemptNumber > *policy.maxRetries)
        violation(
            event.instanceId,
            QStringLiteral("attempt %1 of %2").arg(event.attemptNumber).arg(*policy.maxRetries));
}

void SimulatedHost::addAll(const Configuration &configuration)
{
    reportRejected(m_agents.addAll(configuration));
    EvaluatorPort(m_agents.evaluator()).setInputJournal([this](const JournalEntry &) {
        m_world.figures.onInput();
        m_world.work.add(1);
    });
}

void SimulatedHost::startAll(const Configuration &configuration)
{
    m_agents.setDependencies(configuration);
    m_agents.supervisor().startAll();
    if (m_placed)
        m_placed->begin();
}

void SimulatedHost::reload(const Configuration &configuration)
{
    reportRejected(m_agents.reload(configuration));
}

void SimulatedHost::reportRejected(const QList<Fault> &faults)
{
    for (const Fault &fault : faults) {
        if (fault.isError())
            m_world.figures.onViolation(
                QStringLiteral("the configuration was rejected: %1").arg(fault.toString()), now());
    }
}

void SimulatedHost::loseAgents()
{
    for (const QUuid &id : m_agents.supervisor().ids()) {
        if (!isMeasured(id) || isPlaced(id)
            || m_agents.evaluator().state(id) == InstanceState::Stopped)
            continue;
        m_world.figures.onState(position(id), InstanceState::Waiting, now());
        m_world.figures.onBreaker(position(id), CircuitBreakerState::Closed, now());
    }
    m_isLost = true;
}

bool SimulatedHost::owns(const QUuid &id)
{
    const auto placement = m_placed->placement(m_agents.evaluator().name(id));
    return placement && placement->state == QLatin1String("running");
}

void SimulatedHost::restore(const QString &name, const RecordedState::Agent &agent)
{
    const QUuid id = m_agents.idOf(name);
    SimulatedAgent *const simulated = m_agents.agent(id);
    if (!simulated)
        return;
    simulated->repeat(agent.lives, agent.launches);
    connect(simulated, &SimulatedAgent::unhealthy, this, [this, id](const Failure &failure) {
        RestartPolicyEvaluator &evaluator = m_agents.evaluator();
        const std::optional<AgentSnapshot> snapshot = evaluator.snapshot(id);
        EvaluatorPort(evaluator).reportUnhealthy(id, snapshot ? snapshot->generation : 0, failure);
    });
    if (!agent.instance)
        return;
    m_agents.supervisor().monitor().setGeneration(id, agent.instance->generation);
    if (agent.instance->processAlive)
        simulated->resume(agent.reports);
    EvaluatorPort(m_agents.evaluator()).restore(id, *agent.instance);
}

void SimulatedHost::execute(const JournalEntry &command)
{
    const QUuid id = m_agents.idOf(command.agent);
    if (!m_agents.agent(id))
        return;
    RestartPolicyEvaluator &evaluator = m_agents.evaluator();
    if (command.kind == JournalEntry::Kind::Removed)
        evaluator.stop(id, true);
    else if (command.input == InputKind::Success)
        evaluator.recordSuccess(id);
    else if (command.input == InputKind::Stop)
        evaluator.stop(id, command.byHost);
    else if (command.input == InputKind::Resume && command.memory)
        m_agents.supervisor().resume(id, *command.memory);
    else if (const std::optional<OperatorCommand> same = commandOf(command.input))
        operate(id, *same);
}

bool SimulatedHost::execute(const SimulationStep &step)
{
    const QUuid id = m_agents.idOf(step.agent);
    SimulatedAgent *const agent = m_agents.agent(id);
    if (!agent) // not in the configuration of this time
        return false;
    using Kind = SimulationStep::Kind;
    const bool isUsed = agent->isAlive() || step.kind == Kind::Slow || step.kind == Kind::Operator;
    switch (step.kind) {
    case Kind::Exit:
        (void)agent->exit(step.number, {});
        break;
    case Kind::Signal:
        (void)agent->exit({}, step.number);
        break;
    case Kind::Hang:
        agent->hang();
        m_agents.setProbed(id, true);
        break;
    case Kind::Unhealthy:
        agent->setUnhealthyUntil(m_world.work.scheduler().now() + step.time);
        m_agents.setProbed(id, true);
        break;
    case Kind::Slow:
        agent->delayNextStart(step.time);
        break;
    case Kind::Line:
        agent->writeLine(step.text);
        break;
    case Kind::Operator:
        operate(id, step.command);
        break;
    case Kind::Down: // of no agent
    case Kind::Partition:
    case Kind::Crash:
    case Kind::Reload:
        break;
    }
    return isUsed;
}

void SimulatedHost::operate(const QUuid &id, OperatorCommand command)
{
    RestartPolicyEvaluator &evaluator = m_agents.evaluator();
    switch (command) {
    case OperatorCommand::Start:
        m_agents.supervisor().start(id);
        break;
    case OperatorCommand::Stop:
        m_agents.supervisor().stop(id);
        break;
    case OperatorCommand::Restart:
        m_agents.supervisor().restart(id);
        break;
    case OperatorCommand::ResetBreaker:
        evaluator.resetCircuitBreaker(id);
        break;
    case OperatorCommand::IsolateBreaker:
        evaluator.isolateCircuitBreaker(id);
        break;
    case OperatorCommand::ReleaseBreaker:
        evaluator.releaseCircuitBreaker(id);
        break;
    }
}

void SimulatedHost::finish()
{
    for (const QUuid &id : m_agents.supervisor().ids()) {
        const AgentSnapshot snapshot = m_agents.supervisor().snapshot(id).value_or(AgentSnapshot());
        const bool isLast = m_world.figures.lastNode(position(id)) == m_node;
        if (isPlaced(id) ? isLast : m_node == 0)
            m_world.figures.setAttempts(position(id), snapshot.maxRetries, snapshot.attempt);
        if (snapshot.state == InstanceState::Waiting && !snapshot.nextStartAt && !snapshot.holds
            && !m_world.work.isExceeded())
            violation(id, QStringLiteral("in state Waiting, but no start is pending"));
    }
    if (m_node == 0)
        m_world.figures.onQueue(m_agents.governor().longestQueue());
}

void SimulatedHost::violation(const QUuid &id, const QString &text)
{
    m_world.figures.onViolation(
        QStringLiteral("%1: %2: %3").arg(readable(now()), m_agents.evaluator().name(id), text),
        now());
}

} // namespace Rekindle
