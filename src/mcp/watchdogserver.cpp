// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "injectedtools_p.h"
#include "watchdogproxy_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

// Somebody waits for the new server: shorter than where nobody does.
constexpr Duration timeAfterEof = 400ms;

// What only a proxy writes: that of another server, where two share a file. Servers have words of
// their own (S4 3.2).
bool isOfAProxy(const QString &method)
{
    return method == QLatin1String("crash") || method == QLatin1String("watch")
        || method == QLatin1String(InjectedTools::restartName);
}

} // namespace

// After the supervisor's own connections: it has decided what comes next when these are called.
void WatchdogProxy::Private::connectAgent()
{
    agent.setRestartReason([this] { return reasonInMarker(); });
    connect(&agent, &Agent::started, q, [this] { serverStarted(); });
    connect(&agent, &Agent::failed, q, [this](FailureReason, FailureDetail detail) {
        if (detail.processId == 0) // it never ran: the code is the shell's for such a program
            detail.exitCode.reset();
        serverGone(ServerEnd::Kind::Crash, std::move(detail));
    });
    connect(&agent, &Agent::stopped, q, [this] {
        FailureDetail detail;
        detail.exitCode = agent.lastExitStatus();
        serverGone(ServerEnd::Kind::Crash, detail);
    });
    connect(&agent, &Agent::restartRequested, q, [this](const QString &reason) {
        FailureDetail detail;
        detail.message = reason;
        detail.exitCode = agent.lastExitStatus();
        if (agent.isAlive())
            return;
        serverGone(ServerEnd::Kind::Requested, detail);
    });
    connect(&agent, &ProcessAgent::outputBytes, q,
            [this](const QByteArray &bytes) { serverBytes(bytes); });
    connect(&agent, &ProcessAgent::outputEnded, q, [this] { serverOutputEnded(); });
    connect(&agent, &ProcessAgent::standardInputDrained, q, [this] {
        flush();
        finishInput();
    });
    connect(&agent, &ProcessAgent::outputLine, q,
            [this](ProcessAgent::Stream, const QByteArray &line) { Q_EMIT q->errorLine(line); });
    connect(&evaluator(), &RestartPolicyEvaluator::stateChanged, q,
            [this](const QUuid &instanceId) {
                if (instanceId == id)
                    lookAhead();
            });
}

void WatchdogProxy::Private::serverStarted()
{
    const auto snapshot = evaluator().snapshot(id);
    toServer.clear();
    deafTime.disarm();
    deafWhy.clear();
    eofTime.disarm();
    serverStart = scheduler().clock().utcNow();
    (void)serverLines.takeRest();
    session.serverStarted({snapshot ? snapshot->generation : 0, agent.processId(), serverStart},
                          now());
    mayRead = true;
    perform();
}

void WatchdogProxy::Private::serverBytes(const QByteArray &bytes)
{
    std::vector<FramedLine> whole;
    serverLines.add(bytes, whole);
    for (const FramedLine &line : whole) {
        if (line.isTooLong)
            session.serverLineTooLong(line, now());
        else
            session.serverLine(line.bytes, now());
        act();
    }
    perform();
}

void WatchdogProxy::Private::serverOutputEnded()
{
    if (const auto rest = serverLines.takeRest(); rest && !rest->isTooLong)
        session.serverRest(rest->bytes, now());
    perform();
}

void WatchdogProxy::Private::serverGone(ServerEnd::Kind kind, FailureDetail detail)
{
    ServerEnd end;
    end.kind = kind;
    end.detail = std::move(detail);
    end.bytesTaken = agent.lastInputTaken();
    end.outlook = outlook();
    toServer.clear();
    deafTime.disarm();
    eofTime.disarm();
    if (const QString why = std::exchange(deafWhy, {}); !why.isEmpty()) {
        end.detail.message = why;
        end.detail.exitCode.reset();
        end.detail.signal.reset();
    }
    session.serverGone(end, now());
    mayRead = true; // it may be that none ever comes, and the client must hear of that
    if (end.outlook.kind == ServerOutlook::Kind::Ended)
        endServer();
    perform();
}

// What is to be expected may change while there is no server.
void WatchdogProxy::Private::lookAhead()
{
    if (agent.isAlive())
        return;
    session.outlookChanged(outlook(), now());
    perform();
    lookWhetherEnded();
}

// A server that exits with 42 may say why in the marker file (S4 3.2), which the next start
// overwrites. Its clock may know whole seconds only. Another server's proxy may write there as
// well, how that one was restarted.
QString WatchdogProxy::Private::reasonInMarker()
{
    markerThread.waitForDone();
    const MarkerReading reading = markerFile.read();
    const bool isNew = reading.state == MarkerReading::State::Read && reading.marker != written
        && reading.marker.timestamp >= std::chrono::floor<std::chrono::seconds>(serverStart)
        && !isOfAProxy(reading.marker.method);
    return isNew ? reading.marker.reason : QString();
}

// For a proxy that has seen no restart. What came after its own beginning is another server's.
MarkerReading WatchdogProxy::Private::markerOfBefore()
{
    MarkerReading reading = markerFile.read();
    if (reading.state == MarkerReading::State::Read && reading.marker.timestamp > beginning)
        reading.state = MarkerReading::State::Foreign;
    return reading;
}

// It lives on and never gets a request again. One that is being ended is to have closed it.
void WatchdogProxy::Private::serverIsDeaf()
{
    const auto state = evaluator().state(id);
    if (isEnding || !agent.isAlive()
        || (state != InstanceState::Starting && state != InstanceState::Running))
        return;
    deafWhy = QStringLiteral("it closed its stdin");
    failServer(deafWhy);
}

ServerOutlook WatchdogProxy::Private::outlook() const
{
    const auto snapshot = evaluator().snapshot(id);
    if (!snapshot || isEnding)
        return {ServerOutlook::Kind::Ended, {}, {}};
    const QString last = snapshot->lastFailure ? snapshot->lastFailure->detail.message : QString();
    switch (snapshot->state) {
    case InstanceState::Stopped:
    case InstanceState::Stopping:
        return {ServerOutlook::Kind::Ended, {}, {}};
    case InstanceState::CircuitOpen:
        if (!snapshot->nextStartAt)
            return {ServerOutlook::Kind::GivenUp, {}, QStringLiteral("its breaker is isolated")};
        break;
    case InstanceState::Exhausted:
        return {ServerOutlook::Kind::GivenUp,
                {},
                QStringLiteral("it was restarted %1 times and is given up").arg(snapshot->attempt)};
    case InstanceState::Failed:
        return {ServerOutlook::Kind::GivenUp,
                {},
                last.isEmpty() ? QStringLiteral("its policy does not restart it") : last};
    case InstanceState::Gated:
        return {
            ServerOutlook::Kind::GivenUp, {}, QStringLiteral("the licence does not restart it")};
    default:
        break;
    }
    const Duration in = snapshot->nextStartAt ? *snapshot->nextStartAt - now() : Duration{0};
    return {ServerOutlook::Kind::Restart, std::max(in, Duration{0}), {}};
}

void WatchdogProxy::Private::requestRestart(const QString &reason)
{
    isAccepted = isRestartAccepted(reason);
    session.restartDecided(*isAccepted, now());
}

bool WatchdogProxy::Private::isRestartAccepted(const QString &reason)
{
    const auto snapshot = evaluator().snapshot(id);
    if (!snapshot || isEnding)
        return false;
    const bool isUp =
        snapshot->state == InstanceState::Starting || snapshot->state == InstanceState::Running;
    if (!agent.isAlive() || !isUp) { // one that is being ended makes way for the next
        evaluator().retryNow(id);
        return true;
    }
    if (!evaluator().reportRestartRequested(id, snapshot->generation, reason, true))
        return false;
    eofTime.armIn(timeAfterEof);
    return true;
}

void WatchdogProxy::Private::failServer(const QString &why)
{
    const auto snapshot = evaluator().snapshot(id);
    if (!snapshot)
        return;
    Failure failure{FailureReason::InitializationFailed, {}};
    failure.detail.message = why;
    failure.detail.processId = snapshot->processId;
    failure.detail.stderrTail = agent.stderrTail();
    evaluator().reportWedged(id, snapshot->generation, failure);
}

} // namespace Rekindle
