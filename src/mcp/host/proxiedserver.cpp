// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxiedserver_p.h"

#include "mcp/tools/backendagent_p.h"

#include <algorithm>
#include <csignal>
#include <utility>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

// Beyond this much that the process works on it is looked at how much of it need not be kept.
constexpr qsizetype mostKept = qsizetype{1024} * 1024;

constexpr Duration timeToTake = 2s; // what was sent, for one that takes nothing
constexpr Duration lookInterval = 500ms;
constexpr Duration timeToEnd = 100ms;    // for one that has closed its stdin, and lost something
constexpr Duration timeToEndIdle = 1s;   // for one that has lost nothing so far
constexpr Duration timeAfterEof = 400ms; // for one that somebody waits for

} // namespace

ProxiedServer::ProxiedServer(AgentSupervisor &supervisor, const QUuid &id, ProcessAgent &agent,
                             Options options)
    : m_supervisor(supervisor)
    , m_id(id)
    , m_agent(agent)
    , m_endsWithProcess(options.endsWithProcess)
    , m_onDemand(std::move(options.onDemand))
    , m_readMarker(std::move(options.readMarker))
    , m_session(std::move(options.session))
    , m_input(agent, supervisor.scheduler())
    , m_deadline(supervisor.scheduler(),
                 [this] {
                     m_session.timePassed(now());
                     perform();
                 })
    , m_inputLook(supervisor.scheduler(), [this] { perform(); })
    , m_takenLook(supervisor.scheduler(),
                  [this] {
                      if (m_agent.isAlive())
                          m_session.serverHasTaken(m_agent.lastInputTaken());
                      perform();
                  })
    , m_deafTime(supervisor.scheduler(), [this] { isDeaf(); })
    , m_eofTime(supervisor.scheduler(), [this] { m_agent.signalGroup(SIGTERM); })
{
    connectAgent();
}

// After the supervisor's own connections: it has decided what comes next when these are called.
void ProxiedServer::connectAgent()
{
    connect(&m_agent, &Agent::started, this, [this] { processStarted(); });
    connect(&m_agent, &Agent::failed, this, [this](FailureReason, FailureDetail detail) {
        if (detail.processId == 0) // it never ran: the code is the shell's for such a program
            detail.exitCode.reset();
        gone(ServerEnd::Kind::Crash, std::move(detail));
    });
    connect(&m_agent, &Agent::stopped, this, [this] {
        gone(m_isStopAsked ? ServerEnd::Kind::Stopped : ServerEnd::Kind::Crash, endedByItself());
    });
    connect(&m_agent, &Agent::restartRequested, this, [this](const QString &reason) {
        if (m_agent.isAlive())
            return;
        FailureDetail detail = endedByItself();
        detail.message = reason;
        gone(ServerEnd::Kind::Requested, std::move(detail));
    });
    connect(&m_agent, &ProcessAgent::outputBytes, this,
            [this](const QByteArray &bytes) { output(bytes); });
    connect(&m_agent, &ProcessAgent::outputEnded, this, [this] { outputEnded(); });
    connect(&m_agent, &ProcessAgent::standardInputDrained, this, [this] { perform(); });
    connect(&m_agent, &ProcessAgent::outputLine, this,
            [this](ProcessAgent::Stream, const QByteArray &line) { Q_EMIT errorLine(line); });
    connect(&evaluator(), &RestartPolicyEvaluator::stateChanged, this, [this](const QUuid &id) {
        if (id == m_id)
            lookAhead();
    });
}

void ProxiedServer::start()
{
    if (!m_onDemand)
        m_supervisor.start(m_id);
}

void ProxiedServer::clientLines(std::span<const FramedLine> lines)
{
    for (const FramedLine &line : lines) {
        if (line.isTooLong)
            m_session.clientLineTooLong(line, now());
        else
            m_session.clientLine(line.bytes, now());
        act();
    }
    perform();
}

void ProxiedServer::clientLine(const QByteArray &line, RequestOrigin origin)
{
    m_session.clientLine(line, now(), origin);
    act();
    perform();
}

std::optional<bool> ProxiedServer::restart(const QString &reason, const QString &method)
{
    m_isAccepted.reset();
    m_session.restartWanted(reason, method, now());
    perform();
    return m_isAccepted;
}

void ProxiedServer::fail(const QString &why)
{
    m_session.failServer(why, now());
    perform();
}

void ProxiedServer::end(bool isHurried)
{
    m_isHurried = m_isHurried || isHurried;
    m_session.clientClosed(now());
    m_isEnding = m_isEnding || isHurried;
    perform();
}

bool ProxiedServer::isStalled() { return m_input.stalledFor() >= timeToTake; }

bool ProxiedServer::hasEnded() const
{
    return m_isStopAsked && !m_agent.isAlive() && !evaluator().isActive(m_id);
}

void ProxiedServer::processStarted()
{
    const auto snapshot = evaluator().snapshot(m_id);
    m_input.clear();
    m_deafTime.disarm();
    m_deafWhy.clear();
    m_eofTime.disarm();
    (void)m_lines.takeRest();
    m_session.serverStarted({snapshot ? snapshot->generation : 0, m_agent.processId(),
                             m_supervisor.scheduler().clock().utcNow()},
                            now());
    perform();
    Q_EMIT started();
}

void ProxiedServer::output(const QByteArray &bytes)
{
    std::vector<FramedLine> whole;
    m_lines.add(bytes, whole);
    for (const FramedLine &line : whole) {
        if (line.isTooLong)
            m_session.serverLineTooLong(line, now());
        else
            m_session.serverLine(line.bytes, now());
        act();
    }
    perform();
}

// A last line without its end may be whole.
void ProxiedServer::outputEnded()
{
    if (const auto rest = m_lines.takeRest(); rest && !rest->isTooLong)
        m_session.serverRest(rest->bytes, now());
    perform();
}

void ProxiedServer::gone(ServerEnd::Kind kind, FailureDetail detail)
{
    ServerEnd end;
    end.kind = kind;
    end.detail = std::move(detail);
    end.bytesTaken = m_agent.lastInputTaken();
    end.outlook = outlook();
    m_input.clear();
    m_deafTime.disarm();
    m_eofTime.disarm();
    if (const QString why = std::exchange(m_deafWhy, {}); !why.isEmpty()) {
        end.detail.message = why;
        end.detail.exitCode.reset();
        end.detail.signal.reset();
    }
    Q_EMIT processGone();
    m_session.serverGone(end, now());
    m_isEnding = m_isEnding || end.outlook.kind == ServerOutlook::Kind::Ended;
    perform();
}

FailureDetail ProxiedServer::endedByItself() const
{
    FailureDetail detail;
    if (!m_isStopAsked)
        detail.exitCode = m_agent.lastExitStatus();
    detail.stderrTail = m_agent.stderrTail();
    return detail;
}

// What is to be expected may change while there is no process.
void ProxiedServer::lookAhead()
{
    if (m_agent.isAlive())
        return;
    m_session.outlookChanged(outlook(), now());
    perform();
}

// It lives on and never gets a request again. One that is being ended is to have closed it.
void ProxiedServer::isDeaf()
{
    const auto state = evaluator().state(m_id);
    if (m_isEnding || !m_agent.isAlive()
        || (state != InstanceState::Starting && state != InstanceState::Running))
        return;
    m_deafWhy = QStringLiteral("it closed its stdin");
    failProcess(m_deafWhy);
}

ServerOutlook ProxiedServer::outlook() const
{
    const auto snapshot = evaluator().snapshot(m_id);
    if (!snapshot || m_isEnding)
        return {ServerOutlook::Kind::Ended, {}, {}};
    const auto givenUp = [](const QString &why) {
        return ServerOutlook{ServerOutlook::Kind::GivenUp, {}, why};
    };
    // Who needs it has it started, unless that has just failed.
    if (m_onDemand && !m_isStarting && BackendAgent::isAtRest(snapshot->state))
        return {ServerOutlook::Kind::Restart, {}, {}};
    const QString last = snapshot->lastFailure ? snapshot->lastFailure->detail.message : QString();
    switch (snapshot->state) {
    case InstanceState::Stopping:
        if (m_endsWithProcess)
            return {ServerOutlook::Kind::Ended, {}, {}};
        break;
    case InstanceState::Stopped:
        if (m_endsWithProcess)
            return {ServerOutlook::Kind::Ended, {}, {}};
        return givenUp(QStringLiteral("its policy does not start it again after a clean end"));
    case InstanceState::CircuitOpen:
        if (!snapshot->nextStartAt)
            return givenUp(QStringLiteral("its breaker is isolated"));
        break;
    case InstanceState::Exhausted:
        return givenUp(QStringLiteral("gave up after %1 restarts").arg(snapshot->attempt));
    case InstanceState::Failed:
        return givenUp(last.isEmpty() ? QStringLiteral("its policy does not restart it") : last);
    case InstanceState::Gated:
        return givenUp(QStringLiteral("the license tier does not permit restarts"));
    default:
        break;
    }
    const Duration in = snapshot->nextStartAt ? *snapshot->nextStartAt - now() : Duration{0};
    return {ServerOutlook::Kind::Restart, std::max(in, Duration{0}), {}};
}

// After each line: what comes of one must have happened before the next one is looked at.
void ProxiedServer::act()
{
    if (std::exchange(m_isPerforming, true))
        return; // the outer call goes on until nothing is left
    for (;;) {
        const std::vector<ProxyAction> actions = m_session.takeActions();
        if (actions.empty())
            break;
        for (const ProxyAction &action : actions)
            carryOut(action);
    }
    m_isPerforming = false;
}

void ProxiedServer::perform()
{
    if (m_isPerforming)
        return;
    act();
    if (m_onDemand) {
        attendOnDemand();
        act();
    }
    const bool isIdle = m_input.isDone();
    if (!m_input.flush())
        m_deafTime.arm(std::min(m_deafTime.due(), now() + (isIdle ? timeToEndIdle : timeToEnd)));
    if (const auto next = m_session.nextDeadline())
        m_deadline.arm(*next);
    else
        m_deadline.disarm();
    if (m_session.bytesInFlight() > mostKept && !m_takenLook.isArmed())
        m_takenLook.armIn(lookInterval);
    finishInput();
    Q_EMIT settled();
}

void ProxiedServer::carryOut(const ProxyAction &action)
{
    switch (action.kind) {
    case ProxyAction::Kind::ToClient:
        Q_EMIT toClient(action.bytes);
        return;
    case ProxyAction::Kind::Refuse:
        Q_EMIT refused(action.refusal);
        return;
    case ProxyAction::Kind::ToServer:
        m_input.add(action.bytes);
        return;
    case ProxyAction::Kind::RequestRestart:
        requestRestart(action.text);
        return;
    case ProxyAction::Kind::FailServer:
        failProcess(action.text);
        return;
    case ProxyAction::Kind::EndServer:
        m_isEnding = true;
        return;
    case ProxyAction::Kind::ReportSuccess:
        if (const auto snapshot = evaluator().snapshot(m_id)) {
            evaluator().reportReady(m_id, snapshot->generation);
            evaluator().recordSuccess(m_id);
        }
        if (m_onDemand && std::exchange(m_isStarting, false))
            m_supervisor.setPolicy(m_id, m_onDemand->ready);
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

void ProxiedServer::requestRestart(const QString &reason)
{
    const auto snapshot = evaluator().snapshot(m_id);
    if (!snapshot || m_isEnding) {
        m_isAccepted = false;
    } else if (m_agent.isAlive()
               && (snapshot->state == InstanceState::Starting
                   || snapshot->state == InstanceState::Running)) {
        m_isAccepted = evaluator().reportRestartRequested(m_id, snapshot->generation, reason, true);
        if (*m_isAccepted)
            m_eofTime.armIn(timeAfterEof);
    } else {
        m_isAccepted = true; // one that is being ended makes way for the next
        m_isAsked = true;
        if (m_onDemand && BackendAgent::isAtRest(snapshot->state))
            startOnDemand();
        else if (snapshot->state == InstanceState::Stopped)
            m_supervisor.start(m_id);
        else
            m_supervisor.retryNow(m_id);
    }
    m_session.restartDecided(*m_isAccepted, now());
}

void ProxiedServer::failProcess(const QString &why)
{
    const auto snapshot = evaluator().snapshot(m_id);
    if (!snapshot)
        return;
    Failure failure{FailureReason::InitializationFailed, {}};
    failure.detail.message = why;
    failure.detail.processId = snapshot->processId;
    failure.detail.stderrTail = m_agent.stderrTail();
    evaluator().reportUnhealthy(m_id, snapshot->generation, failure);
}

// A client may say all and close its end at once: the process gets it, as long as it reads.
void ProxiedServer::finishInput()
{
    if (!m_isEnding || m_isStopAsked)
        return;
    if (m_agent.isAlive() && !m_isHurried && !m_input.isDone() && !isStalled()) {
        m_inputLook.armIn(lookInterval);
        return;
    }
    m_isStopAsked = true;
    m_supervisor.stop(m_id);
}

} // namespace Rekindle
