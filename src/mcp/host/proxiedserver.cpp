// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/internal/evaluatorport.h"
#include "proxiedserver_p.h"

#include "base/randomsource_p.h"
#include "mcp/tools/backendagent_p.h"
#include "policy/internal/texthelpers.h"
#include "policy/internal/words.h"

#include <QPointer>

#include <algorithm>
#include <csignal>
#include <utility>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

constexpr Duration stallTime = 2s; // without progress of the input
constexpr Duration inputCheckInterval = 500ms;

// How long a process may keep running after its stdin was closed
constexpr Duration exitTimeWithLoss = 100ms; // closed by the process, and bytes were lost
constexpr Duration exitTimeIdle = 1s;        // closed by the process, and no bytes were lost

ProxyOptions completed(ProxyOptions options, Duration startTimeout, const Recycling &recycling)
{
    options.handshakeTimeout = startTimeout;
    options.recycleAfterCalls = recycling.calls;
    if (!options.calls.random)
        options.calls.random = systemRandom();
    return options;
}

} // namespace

ProxiedServer::ProxiedServer(AgentSupervisor &supervisor, const QUuid &id, ProcessAgent &agent,
                             Options options)
    : m_supervisor(supervisor)
    , m_id(id)
    , m_agent(agent)
    , m_endsWithProcess(options.endsWithProcess)
    , m_onDemand(std::move(options.onDemand))
    , m_readMarker(std::move(options.readMarker))
    , m_session(completed(std::move(options.session), policyEvaluator().policy(id).startTimeout,
                          agent.definition().recycling))
    , m_input(agent, supervisor.scheduler())
    , m_deadline(supervisor.scheduler(),
                 [this] {
                     m_session.timePassed(now());
                     finishEvent();
                 })
    , m_inputCheck(supervisor.scheduler(), [this] { finishEvent(); })
    , m_closedInputTime(supervisor.scheduler(), [this] { failClosedInput(); })
    , m_restartTime(supervisor.scheduler(), [this] { restartNow(); })
{
    connectAgent();
    m_agent.setRecycler([this, alive = QPointer(this)](const QString &reason) {
        if (alive) {
            m_session.recycle(reason, now());
            finishEvent();
        }
    });
}

// The supervisor is connected first, so it has decided what happens next before these slots run.
void ProxiedServer::connectAgent()
{
    connect(&m_agent, &Agent::started, this, [this] { processStarted(); });
    connect(&m_agent, &Agent::failed, this, [this](FailureReason, FailureDetail detail) {
        if (detail.processId == 0) // never started; the code is only the one that a shell reports
            detail.exitCode.reset();
        handleExit(ServerExit::Kind::Crash, std::move(detail));
    });
    connect(&m_agent, &Agent::stopped, this, [this] {
        handleExit(m_isStopRequested ? ServerExit::Kind::Stopped : ServerExit::Kind::Crash,
                   m_supervisorFault.value_or(exitDetail()));
    });
    connect(&m_agent, &Agent::restartRequested, this, [this](const QString &reason) {
        if (m_agent.isAlive())
            return;
        FailureDetail detail = exitDetail();
        detail.message = reason;
        handleExit(ServerExit::Kind::Requested, std::move(detail));
    });
    connect(&m_agent, &ProcessAgent::outputBytes, this,
            [this](const QByteArray &bytes) { output(bytes); });
    connect(&m_agent, &ProcessAgent::outputEnded, this, [this] { outputEnded(); });
    connect(&m_agent, &ProcessAgent::standardInputDrained, this, [this] { finishEvent(); });
    connect(&m_agent, &Agent::output, this, [this](AgentOutput::Stream, const QByteArray &line) {
        noteProgress();
        Q_EMIT errorLine(line);
    });
    connect(&policyEvaluator(), &RestartPolicyEvaluator::agentFailed, this,
            [this](const AgentFailed &event) {
                if (event.instanceId != m_id || !m_agent.isAlive())
                    return;
                m_supervisorFault = event.detail;
                m_supervisorFault->stderrTail = m_agent.stderrTail();
            });
    connect(&policyEvaluator(), &RestartPolicyEvaluator::stateChanged, this,
            [this](const QUuid &id) {
                if (id != m_id || m_agent.isAlive())
                    return;
                m_session.outlookChanged(outlook(), now());
                finishEvent();
            });
}

void ProxiedServer::start()
{
    if (!m_onDemand)
        m_supervisor.start(m_id);
}

void ProxiedServer::clientLines(std::span<const FramedLine> lines, RequestOrigin origin,
                                std::optional<Instant> arrived)
{
    for (const FramedLine &line : lines) {
        m_session.clientLine(line, now(), origin, arrived);
        performActions();
    }
    finishEvent();
}

std::optional<bool> ProxiedServer::restart(const QString &reason, const QString &method)
{
    m_isAccepted.reset();
    const ServerOutlook before = outlook();
    const bool isGivenUp = !m_agent.isAlive() && before.kind == ServerOutlook::Kind::GivenUp;
    m_whyGivenUp = isGivenUp ? before.reason : QString();
    const bool isDecisionComing = m_session.requestRestart(reason, method, now());
    finishEvent();
    if (!isDecisionComing)
        Q_EMIT restartDecided(true, m_whyGivenUp);
    return m_isAccepted;
}

void ProxiedServer::fail(const QString &why)
{
    m_session.failServer(why, now());
    finishEvent();
}

void ProxiedServer::end(bool isHurried)
{
    m_isHurried = m_isHurried || isHurried;
    m_session.clientClosed(now());
    performActions();
    m_isEnding = true;
    finishEvent();
}

bool ProxiedServer::isStalled() { return m_input.stalledFor() >= stallTime; }

bool ProxiedServer::hasEnded() const
{
    return m_isStopRequested && !m_agent.isAlive() && !policyEvaluator().isActive(m_id);
}

void ProxiedServer::processStarted()
{
    const auto snapshot = policyEvaluator().snapshot(m_id);
    m_input.clear();
    m_supervisorFault.reset();
    m_closedInputTime.disarm();
    m_restartTime.disarm();
    m_startedAt = now();
    (void)m_lines.takeRest();
    m_session.serverStarted({snapshot ? snapshot->generation : 0, m_agent.processId(),
                             m_supervisor.scheduler().clock().utcNow()},
                            now());
    finishEvent();
    Q_EMIT started();
}

void ProxiedServer::output(const QByteArray &bytes)
{
    noteProgress();
    std::vector<FramedLine> whole;
    m_lines.add(bytes, whole);
    for (const FramedLine &line : whole) {
        m_session.serverLine(line, now());
        performActions();
    }
    finishEvent();
}

// A process that writes during its start, for example the progress of a download, gets more time.
void ProxiedServer::noteProgress()
{
    RestartPolicyEvaluator &evaluator = policyEvaluator();
    if (evaluator.state(m_id) != InstanceState::Starting)
        return; // the usual case
    if (const auto snapshot = evaluator.snapshot(m_id))
        EvaluatorPort(evaluator).extendStart(m_id, snapshot->generation,
                                             evaluator.policy(m_id).startTimeout);
    m_session.serverProgressed(now());
    Q_EMIT progressed();
    finishEvent();
}

// A last line without a line end may be complete.
void ProxiedServer::outputEnded()
{
    if (const auto rest = m_lines.takeRest(); rest && !rest->isTooLong)
        m_session.serverRest(rest->bytes, now());
    finishEvent();
}

void ProxiedServer::handleExit(ServerExit::Kind kind, FailureDetail detail)
{
    const ServerExit exit{kind, std::move(detail), m_agent.lastInputTaken(), outlook()};
    m_input.clear();
    m_closedInputTime.disarm();
    Q_EMIT processExited();
    m_session.serverExited(exit, now());
    m_isEnding = m_isEnding || exit.outlook.kind == ServerOutlook::Kind::Ended;
    finishEvent();
}

FailureDetail ProxiedServer::exitDetail() const
{
    FailureDetail detail;
    if (!m_isStopRequested)
        detail.exitCode = m_agent.lastExitStatus();
    detail.stderrTail = m_agent.stderrTail();
    return detail;
}

// The process keeps running but cannot receive requests.
void ProxiedServer::failClosedInput()
{
    const auto state = policyEvaluator().state(m_id);
    if (!m_isEnding && (state == InstanceState::Starting || state == InstanceState::Running))
        fail(QStringLiteral("it closed its stdin"));
}

ServerOutlook ProxiedServer::outlook() const
{
    using Kind = ServerOutlook::Kind;
    const auto snapshot = policyEvaluator().snapshot(m_id);
    const InstanceState state = snapshot ? snapshot->state : InstanceState::Stopped;
    const bool isStopping = state == InstanceState::Stopped || state == InstanceState::Stopping;
    if (!snapshot || m_isEnding || (m_endsWithProcess && isStopping))
        return {Kind::Ended, {}, {}};
    if (m_restartTime.isArmed())
        return {Kind::Restart, m_restartTime.due(), {}};
    // A request starts it, unless a start has just failed.
    if (m_onDemand && !m_onDemand->isStarting() && isTerminal(state))
        return {Kind::Restart, {}, {}};
    const auto givenUp = [](const QString &why) { return ServerOutlook{Kind::GivenUp, {}, why}; };
    const QString last = snapshot->lastFailure ? snapshot->lastFailure->detail.message : QString();
    switch (state) {
    case InstanceState::Stopped:
        return givenUp(QStringLiteral("its policy does not start it again after a clean end"));
    case InstanceState::CircuitOpen:
        if (!snapshot->nextStartAt)
            return givenUp(QStringLiteral("its breaker is isolated"));
        break;
    case InstanceState::Exhausted: {
        const Words::English english; // for an MCP client
        return givenUp(givenUpText(snapshot->attempt));
    }
    case InstanceState::Failed:
        return givenUp(last.isEmpty() ? QStringLiteral("its policy does not restart it") : last);
    case InstanceState::Gated:
        return givenUp(QStringLiteral("the license tier does not permit restarts"));
    default:
        break;
    }
    return {Kind::Restart, snapshot->nextStartAt.value_or(Instant{}), {}};
}

void ProxiedServer::updateOnDemand()
{
    if (m_agent.isAlive()) {
        m_isRestartPending = m_isRestartPending && !m_session.isLive();
        return;
    }
    if (!m_session.isAway() || m_isEnding)
        return; // the session has not processed the exit yet, or needs no process anymore
    if (m_onDemand->takeFailure(m_id)) {
        // The requests that waited for this start are rejected; a later one may start it again.
        m_isRestartPending = false;
        m_session.outlookChanged(outlook(), now());
    }
    m_onDemand->update(m_id, m_isRestartPending || m_session.needsServer());
}

// Called after each line, because its actions must precede the next line.
void ProxiedServer::performActions()
{
    if (std::exchange(m_isPerforming, true))
        return; // the outer call performs the new actions
    for (auto actions = m_session.takeActions(); !actions.empty();
         actions = m_session.takeActions()) {
        for (const ProxyAction &action : actions)
            perform(action);
    }
    m_isPerforming = false;
}

// Called after each event: performs its actions, then writes to the process and arms the timers.
void ProxiedServer::finishEvent()
{
    if (m_isPerforming)
        return;
    performActions();
    if (m_onDemand) {
        updateOnDemand();
        performActions();
    }
    const bool isInputDone = m_input.isDone(); // otherwise, a failed flush() loses bytes
    if (!m_input.flush())
        m_closedInputTime.arm(std::min(m_closedInputTime.due(),
                                       now() + (isInputDone ? exitTimeIdle : exitTimeWithLoss)));
    if (const auto next = m_session.nextDeadline())
        m_deadline.arm(*next);
    else
        m_deadline.disarm();
    finishInput();
    Q_EMIT eventFinished();
}

void ProxiedServer::perform(const ProxyAction &action)
{
    switch (action.kind) {
    case ProxyAction::Kind::ToClient:
        Q_EMIT toClient(action.bytes);
        return;
    case ProxyAction::Kind::Refuse:
        Q_EMIT refused(action.refusal);
        return;
    case ProxyAction::Kind::ToServer:
        m_input.addLine(action.bytes);
        return;
    case ProxyAction::Kind::RequestRestart:
        requestRestart(action);
        return;
    case ProxyAction::Kind::FailServer:
        failProcess({action.failure, {.message = action.text}});
        return;
    case ProxyAction::Kind::ReportReady:
        m_agent.reportReady();
        return;
    case ProxyAction::Kind::CallAnswered:
        if (m_onDemand && m_onDemand->isStarting())
            m_onDemand->finish(m_id);
        return;
    case ProxyAction::Kind::HandshakeReplayed:
        Q_EMIT handshakeReplayed(action.bytes);
        return;
    case ProxyAction::Kind::CallFinished:
        reportCall(*action.call);
        return;
    case ProxyAction::Kind::StartSooner:
        if (const auto snapshot = policyEvaluator().snapshot(m_id);
            snapshot && snapshot->state == InstanceState::Waiting)
            restartLater(*snapshot, action.text);
        return;
    case ProxyAction::Kind::WriteMarker:
        Q_EMIT restarted(action.marker);
        return;
    case ProxyAction::Kind::ReadMarker:
        m_session.markerRead(m_readMarker());
        return;
    case ProxyAction::Kind::Note:
        Q_EMIT noted(action.text);
        return;
    }
}

void ProxiedServer::requestRestart(const ProxyAction &request)
{
    const auto snapshot = policyEvaluator().snapshot(m_id);
    if (!snapshot || m_isEnding) {
        m_isAccepted = false;
    } else if (m_agent.isAlive()
               && (snapshot->state == InstanceState::Starting
                   || snapshot->state == InstanceState::Running)) {
        m_isAccepted = EvaluatorPort(policyEvaluator())
                           .reportRestartRequested(m_id, snapshot->generation, request.text, true);
        m_isRestartPending = *m_isAccepted;
    } else {
        m_isAccepted = true;
        restartLater(*snapshot, request.text);
    }
    // The supervisor stops the process in its next pass, so the marker is written first (S4 FR-7).
    if (*m_isAccepted && m_agent.isAlive())
        Q_EMIT restarting(request.marker);
    m_session.restartDecided(*m_isAccepted, now());
    Q_EMIT restartDecided(*m_isAccepted, m_whyGivenUp);
}

// The start of a server that does not run has the delays of a requested restart. Requests share it.
void ProxiedServer::restartLater(const AgentSnapshot &snapshot, const QString &reason)
{
    const RestartPolicy policy = policyEvaluator().policy(m_id);
    Instant at = now() + policy.requestedDelay;
    if (m_startedAt)
        at = std::max(at, *m_startedAt + policy.minInterval);
    m_restartReason = reason;
    if (at <= now())
        restartNow();
    else if (!m_restartTime.isArmed() && snapshot.nextStartAt.value_or(Instant::max()) > at)
        m_restartTime.arm(at);
}

void ProxiedServer::restartNow()
{
    const auto state = policyEvaluator().state(m_id);
    if (m_isEnding || (m_agent.isAlive() && state != InstanceState::Stopping))
        return;
    m_isRestartPending = true;
    if (m_onDemand && state && isTerminal(*state))
        m_onDemand->restart(m_id, m_restartReason);
    else
        m_supervisor.restart(m_id, m_restartReason);
    finishEvent();
}

void ProxiedServer::failProcess(const Failure &failure)
{
    const auto snapshot = policyEvaluator().snapshot(m_id);
    if (!snapshot)
        return;
    Failure complete = failure;
    complete.detail.processId = snapshot->processId;
    complete.detail.stderrTail = m_agent.stderrTail();
    EvaluatorPort(policyEvaluator()).reportUnhealthy(m_id, snapshot->generation, complete);
}

void ProxiedServer::reportCall(ToolCallFinished call)
{
    call.instanceId = m_id;
    if (const auto snapshot = m_supervisor.snapshot(m_id))
        call.agent = snapshot->name;
    call.time = m_supervisor.scheduler().clock().utcNow();
    Q_EMIT callFinished(call);
}

// A client may send all its messages and close its end at once. The process is stopped when it has
// read them or stops reading.
void ProxiedServer::finishInput()
{
    if (!m_isEnding || m_isStopRequested)
        return;
    if (m_agent.isAlive() && !m_isHurried && !m_input.isDone() && !isStalled()) {
        m_inputCheck.armIn(inputCheckInterval);
        return;
    }
    m_isStopRequested = true;
    m_supervisor.stop(m_id);
}

} // namespace Rekindle
