// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "simulationrun_p.h"

#include "policy/internal/operatorinput.h"

#include <rekindle/lifecycle/agentmonitor.h>

#include <utility>

namespace Rekindle {

namespace {

// The namespace of ids, so that an agent has the same id in each run of a seed.
const QUuid idNamespace(QStringLiteral("6f0d4c1e-3b0e-4a59-9d0c-0c2f6f1a7b55"));

QUuid idOf(quint64 seed, const QString &name)
{
    return QUuid::createUuidV5(idNamespace, QString::number(seed) + u'/' + name);
}

} // namespace

SimulationRun::SimulationRun(const Configuration &configuration, const SimulationOptions &options,
                             RunFigures &figures)
    : m_configuration(configuration)
    , m_options(options)
    , m_figures(figures)
    , m_scheduler(m_clock)
    , m_endpoints(m_scheduler, options.models.outages,
                  [this](const QString &name) { onEndpointDown(name); })
    , m_license(options.tier)
    , m_supervisor(m_scheduler, {}, [this](const QUuid &id) { return draw(id); })
    , m_dependencies(m_supervisor)
{
    m_supervisor.featureGate().setProvider(&m_license);
    connectEvents();
    m_gate.setLimits(configuration.governor);
    for (qsizetype i = 0; i < configuration.agents.size(); ++i)
        add(configuration.agents[i], static_cast<std::size_t>(i));
    // The configuration has no faults.
    (void)m_groups.setGroups(configuration.groups);
    (void)m_breakers.setBreakers(configuration.sharedBreakers);
    for (auto each = configuration.sharedBreakerProbes.cbegin();
         each != configuration.sharedBreakerProbes.cend(); ++each)
        m_breakers.setProbe(each.key(), m_endpoints.check(each.key(), each->probe.schedule));
    m_supervisor.policyEvaluator().setInputJournal(this);
}

SimulationRun::~SimulationRun() { m_supervisor.policyEvaluator().setInputJournal(nullptr); }

double SimulationRun::draw(const QUuid &id)
{
    const auto found = m_members.constFind(id);
    if (found == m_members.cend())
        return 0.5;
    const std::optional<double> recorded = (*found)->agent->recordedDraw();
    return recorded ? *recorded : (*found)->random.next();
}

void SimulationRun::add(const AgentDefinition &definition, std::size_t position)
{
    auto agent = std::make_unique<SimulatedAgent>(definition, m_options.models.of(definition.name),
                                                  m_options.seed, m_scheduler);
    agent->setEndpoints(m_endpoints);
    const QUuid id = idOf(m_options.seed, definition.name);
    // The streams of the model and of the jitter differ.
    m_members.insert(id,
                     std::make_shared<Member>(
                         Member{agent.get(), position,
                                CounterRandom(m_options.seed, QString(definition.name + u'/'))}));
    const bool isReadyAtOnce = definition.kind == AgentDefinition::Kind::Process
        && definition.process.readiness.kind == Readiness::Kind::Now;
    if (!m_supervisor.add(definition.name, std::move(agent), definition.policy, isReadyAtOnce,
                          id)) {
        m_members.remove(id);
        m_figures.onViolation(QStringLiteral("%1: the agent was rejected").arg(definition.name));
        return;
    }
    m_gate.setPriority(id, definition.priority);
    m_gate.setReadyByTimer(id, definition.isReadyByTimer());
    m_breakers.setRequired(definition.name, definition.requiredBreakers);
    m_supervisor.setManualStart(id, definition.start == AgentDefinition::Start::Manual);
}

void SimulationRun::setDependencies()
{
    for (const AgentDefinition &each : m_configuration.agents) {
        if (!each.dependsOn.isEmpty())
            (void)m_dependencies.setDependencies(each.name, each.dependsOn);
    }
}

// Signals of the supervisor, because the evaluator's events are logged if nothing is connected to
// these.
void SimulationRun::connectEvents()
{
    connect(&m_supervisor, &AgentSupervisor::stateChanged, this,
            [this](const QUuid &id, InstanceState state) {
                m_figures.onState(m_members[id]->position, state, now());
            });
    connect(&m_supervisor, &AgentSupervisor::agentStarted, this, &SimulationRun::onStarted);
    connect(&m_supervisor, &AgentSupervisor::agentFailed, this, [this](const AgentFailed &event) {
        m_figures.onFailed(m_members[event.instanceId]->position, now());
    });
    connect(&m_supervisor, &AgentSupervisor::restartStarted, this, &SimulationRun::onRestart);
    connect(&m_supervisor, &AgentSupervisor::circuitBreakerStateChanged, this,
            [this](const CircuitBreakerStateChanged &event) {
                m_figures.onBreaker(m_members[event.instanceId]->position, event.newState, now());
            });
}

void SimulationRun::onStarted(const AgentStarted &event)
{
    Member &member = *m_members[event.instanceId];
    m_figures.onStarted(member.position);
    if (std::exchange(member.hasProbes, false))
        (void)m_supervisor.monitor().setHealth(event.instanceId, {});
    const CircuitBreakerInfo breaker =
        m_supervisor.policyEvaluator().circuitBreakerState(event.instanceId);
    if (breaker.state == CircuitBreakerState::Open)
        violation(event.instanceId, QStringLiteral("started while its breaker is open"));
}

void SimulationRun::onRestart(const RestartStarted &event)
{
    m_figures.onRestart(now());
    const RestartPolicy policy = m_supervisor.policyEvaluator().policy(event.instanceId);
    if (policy.maxRetries && event.attemptNumber > *policy.maxRetries)
        violation(
            event.instanceId,
            QStringLiteral("attempt %1 of %2").arg(event.attemptNumber).arg(*policy.maxRetries));
}

SimulationResult SimulationRun::execute()
{
    setDependencies();
    m_supervisor.startAll();
    for (const SimulationStep &step : m_options.trace) {
        if (step.at > m_options.length)
            break;
        m_scheduler.advance(step.at - now());
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
    setDependencies(); // whose agents have their states now
    for (const JournalEntry &command : state.commands) {
        m_scheduler.advance(command.time - m_scheduler.now());
        execute(command);
    }
    return finish();
}

void SimulationRun::restore(const QString &name, const RecordedState::Agent &agent)
{
    const QUuid id = idOf(m_options.seed, name);
    const std::shared_ptr<Member> member = m_members.value(id);
    if (!member)
        return;
    SimulatedAgent &simulated = *member->agent;
    simulated.repeat(agent.lives, agent.launches);
    connect(&simulated, &SimulatedAgent::unhealthy, this, [this, id](const Failure &failure) {
        RestartPolicyEvaluator &evaluator = m_supervisor.policyEvaluator();
        const std::optional<AgentSnapshot> snapshot = evaluator.snapshot(id);
        evaluator.reportUnhealthy(id, snapshot ? snapshot->generation : 0, failure);
    });
    if (!agent.instance)
        return;
    m_supervisor.monitor().setGeneration(id, agent.instance->generation);
    if (agent.instance->processAlive)
        simulated.resume(agent.reports);
    m_supervisor.policyEvaluator().restore(id, *agent.instance);
}

void SimulationRun::execute(const JournalEntry &command)
{
    const QUuid id = idOf(m_options.seed, command.agent);
    if (!m_members.contains(id))
        return;
    RestartPolicyEvaluator &evaluator = m_supervisor.policyEvaluator();
    if (command.kind == JournalEntry::Kind::Removed)
        evaluator.stop(id, true);
    else if (command.input == InputKind::Success)
        evaluator.recordSuccess(id);
    else if (command.input == InputKind::Stop)
        evaluator.stop(id, command.byHost);
    else if (command.input == InputKind::Resume && command.memory)
        m_supervisor.resume(id, *command.memory);
    else if (const std::optional<OperatorCommand> same = commandOf(command.input))
        operate(id, *same);
}

void SimulationRun::onEndpointDown(const QString &endpoint)
{
    const QList<QUuid> ids = m_breakers.agents(endpoint);
    for (const QUuid &id : ids)
        m_members[id]->agent->loseEndpoint();
}

void SimulationRun::execute(const SimulationStep &step)
{
    if (step.kind == SimulationStep::Kind::Down) {
        m_endpoints.takeDown(step.shared, step.time);
        return;
    }
    const QUuid id = idOf(m_options.seed, step.agent);
    const std::shared_ptr<Member> member = m_members.value(id);
    if (!member)
        return;
    SimulatedAgent &agent = *member->agent;
    using Kind = SimulationStep::Kind;
    if (!agent.isAlive() && step.kind != Kind::Slow && step.kind != Kind::Operator)
        m_figures.onUnusedStep();
    switch (step.kind) {
    case Kind::Exit:
        (void)agent.exit(step.number, {});
        break;
    case Kind::Signal:
        (void)agent.exit({}, step.number);
        break;
    case Kind::Hang:
        agent.hang();
        attachProbes(id, *member);
        break;
    case Kind::Unhealthy:
        agent.setUnhealthyUntil(m_scheduler.now() + step.time);
        attachProbes(id, *member);
        break;
    case Kind::Slow:
        agent.delayNextStart(step.time);
        break;
    case Kind::Line:
        agent.writeLine(step.text);
        break;
    case Kind::Operator:
        operate(id, step.command);
        break;
    case Kind::Down: // of no agent
        break;
    }
}

void SimulationRun::attachProbes(const QUuid &id, Member &member)
{
    if (member.agent->isAlive() && !std::exchange(member.hasProbes, true))
        (void)m_supervisor.monitor().setHealth(id, member.agent->healthChecks());
}

void SimulationRun::operate(const QUuid &id, OperatorCommand command)
{
    RestartPolicyEvaluator &evaluator = m_supervisor.policyEvaluator();
    switch (command) {
    case OperatorCommand::Start:
        m_supervisor.start(id);
        break;
    case OperatorCommand::Stop:
        m_supervisor.stop(id);
        break;
    case OperatorCommand::Restart:
        m_supervisor.restart(id);
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
    m_scheduler.advance(m_options.length - now());
    for (const QUuid &id : m_supervisor.ids()) {
        const Member &member = *m_members[id];
        const AgentSnapshot snapshot = m_supervisor.snapshot(id).value_or(AgentSnapshot());
        m_figures.setAttempts(member.position, snapshot.maxRetries, snapshot.attempt);
        if (member.agent->doubleStarts() > 0)
            violation(id, QStringLiteral("started while it was running"));
        if (snapshot.state == InstanceState::Waiting && !snapshot.nextStartAt && !snapshot.holds)
            violation(id, QStringLiteral("in state Waiting, but no start is pending"));
    }
    m_figures.onQueue(m_gate.governor().longestQueue());
    return m_figures.finish(m_options.seed, m_options.length);
}

void SimulationRun::violation(const QUuid &id, const QString &text)
{
    m_figures.onViolation(QStringLiteral("%1: %2: %3")
                              .arg(readable(now()), m_supervisor.policyEvaluator().name(id), text));
}

} // namespace Rekindle
