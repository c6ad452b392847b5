// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/internal/evaluatorport.h"
#include "simulationrun_p.h"

#include "policy/internal/operatorinput.h"

#include <rekindle/lifecycle/agentmonitor.h>

namespace Rekindle {

SimulationRun::SimulationRun(const Configuration &configuration, const SimulationOptions &options,
                             RunFigures &figures)
    : m_configuration(configuration)
    , m_options(options)
    , m_figures(figures)
    , m_scheduler(m_clock)
    , m_work(m_scheduler, options.workLimit)
    , m_endpoints(m_scheduler, options.models.outages,
                  [this](const QString &name) { m_agents.loseEndpoint(name); })
    , m_license(options.tier)
    , m_agents(m_work, options, m_endpoints, [this](const QUuid &id) {
        violation(id, QStringLiteral("started while it was running"));
    })
{
    for (const QString &name : figures.names())
        m_positions.insert(m_agents.idOf(name), static_cast<std::size_t>(m_positions.size()));
    m_agents.supervisor().featureGate().setProvider(&m_license);
    connectEvents();
    reportRejected(m_agents.addAll(configuration));
    EvaluatorPort(m_agents.evaluator()).setInputJournal([this](const JournalEntry &) {
        m_figures.onInput();
        m_work.add(1);
    });
}

// Signals of the supervisor, because the evaluator's events are logged if nothing is connected to
// these.
void SimulationRun::connectEvents()
{
    const AgentSupervisor &supervisor = m_agents.supervisor();
    connect(&supervisor, &AgentSupervisor::stateChanged, this,
            [this](const QUuid &id, InstanceState state) {
                m_figures.onState(position(id), state, now());
            });
    connect(&supervisor, &AgentSupervisor::agentStarted, this, &SimulationRun::onStarted);
    connect(&supervisor, &AgentSupervisor::agentFailed, this, [this](const AgentFailed &event) {
        m_figures.onFailed(position(event.instanceId), now());
    });
    connect(&supervisor, &AgentSupervisor::restartStarted, this, &SimulationRun::onRestart);
    connect(&supervisor, &AgentSupervisor::circuitBreakerStateChanged, this,
            [this](const CircuitBreakerStateChanged &event) {
                m_figures.onBreaker(position(event.instanceId), event.newState, now());
            });
    connect(&supervisor, &AgentSupervisor::agentRemoved, this,
            [this](const QUuid &id) { m_figures.onRemoved(position(id), now()); });
}

void SimulationRun::onStarted(const AgentStarted &event)
{
    m_figures.onStarted(position(event.instanceId));
    m_agents.setProbed(event.instanceId, false);
    const CircuitBreakerInfo breaker = m_agents.evaluator().circuitBreakerState(event.instanceId);
    if (breaker.state == CircuitBreakerState::Open)
        violation(event.instanceId, QStringLiteral("started while its breaker is open"));
}

void SimulationRun::onRestart(const RestartStarted &event)
{
    m_figures.onRestart(now());
    const RestartPolicy policy = m_agents.evaluator().policy(event.instanceId);
    if (policy.maxRetries && event.attemptNumber > *policy.maxRetries)
        violation(
            event.instanceId,
            QStringLiteral("attempt %1 of %2").arg(event.attemptNumber).arg(*policy.maxRetries));
}

SimulationResult SimulationRun::execute()
{
    m_agents.setDependencies(m_configuration);
    m_agents.supervisor().startAll();
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
    m_begin = state.begin;
    m_scheduler.advance(state.now - m_scheduler.now());
    for (const AgentDefinition &each : m_configuration.agents)
        restore(each.name, *state.agents.constFind(each.name));
    m_agents.setDependencies(m_configuration); // whose agents have their states now
    for (const JournalEntry &command : state.commands) {
        m_work.advance(command.time - m_scheduler.now());
        if (m_work.isExceeded())
            break;
        execute(command);
    }
    return finish();
}

void SimulationRun::restore(const QString &name, const RecordedState::Agent &agent)
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

void SimulationRun::execute(const JournalEntry &command)
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

void SimulationRun::reportRejected(const QList<Fault> &faults)
{
    for (const Fault &fault : faults) {
        if (fault.isError())
            m_figures.onViolation(
                QStringLiteral("the configuration was rejected: %1").arg(fault.toString()), now());
    }
}

void SimulationRun::execute(const SimulationStep &step)
{
    if (step.kind == SimulationStep::Kind::Down)
        m_endpoints.takeDown(step.shared, step.time);
    else if (step.kind == SimulationStep::Kind::Reload)
        reload(step);
    else
        executeForAgent(step);
}

void SimulationRun::reload(const SimulationStep &step)
{
    const auto configuration = m_options.reloads.constFind(step.file);
    if (configuration == m_options.reloads.cend())
        m_figures.onUnusedStep();
    else
        reportRejected(m_agents.reload(*configuration));
}

void SimulationRun::executeForAgent(const SimulationStep &step)
{
    const QUuid id = m_agents.idOf(step.agent);
    SimulatedAgent *const agent = m_agents.agent(id);
    if (!agent) { // not in the configuration of this time
        m_figures.onUnusedStep();
        return;
    }
    using Kind = SimulationStep::Kind;
    if (!agent->isAlive() && step.kind != Kind::Slow && step.kind != Kind::Operator)
        m_figures.onUnusedStep();
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
        agent->setUnhealthyUntil(m_scheduler.now() + step.time);
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
    case Kind::Reload:
        break;
    }
}

void SimulationRun::operate(const QUuid &id, OperatorCommand command)
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

SimulationResult SimulationRun::finish()
{
    m_work.advance(m_options.length - now());
    for (const QUuid &id : m_agents.supervisor().ids()) {
        const AgentSnapshot snapshot = m_agents.supervisor().snapshot(id).value_or(AgentSnapshot());
        m_figures.setAttempts(position(id), snapshot.maxRetries, snapshot.attempt);
        if (snapshot.state == InstanceState::Waiting && !snapshot.nextStartAt && !snapshot.holds
            && !m_work.isExceeded())
            violation(id, QStringLiteral("in state Waiting, but no start is pending"));
    }
    m_figures.onQueue(m_agents.governor().longestQueue());
    return m_figures.finish(m_options.seed, m_work.isExceeded() ? now() : m_options.length);
}

void SimulationRun::violation(const QUuid &id, const QString &text)
{
    m_figures.onViolation(
        QStringLiteral("%1: %2: %3").arg(readable(now()), m_agents.evaluator().name(id), text),
        now());
}

} // namespace Rekindle
