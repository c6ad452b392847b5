// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "watchdogproxy_p.h"

#include <algorithm>
#include <csignal>
#include <utility>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

// Beyond this much that one side has not read, nothing more is read from the other one.
constexpr qsizetype mostPending = qsizetype{1024} * 1024;

// For a client that reads nothing of what there was to say at the end.
constexpr Duration timeToDrain = 2s;

// For a server that takes nothing of what the client has sent, once that is gone.
constexpr Duration timeToTake = 2s;
constexpr Duration lookInterval = 500ms;

// For a server that has closed its stdin: something it will never get, or nothing so far. It may be
// on its way out.
constexpr Duration timeToEnd = 100ms;
constexpr Duration timeToEndIdle = 1s;

// As many as may ask themselves (S4): a change that a server makes at each start must not restart
// it for ever.
constexpr int mostHostRestarts = 10;
constexpr Duration hostRestartPeriod = 1min;

ProxyOptions sessionOptions(const WatchdogOptions &options)
{
    ProxyOptions result;
    result.inject = options.inject;
    result.retry = options.retry;
    result.callTimeout = options.callTimeout;
    // No client can know it.
    result.nonce = "rekindle-" + QUuid::createUuid().toByteArray(QUuid::Id128).left(12);
    return result;
}

} // namespace

WatchdogProxy::Private::Private(WatchdogProxy *proxy, AgentSupervisor &theSupervisor,
                                const QUuid &agentId, ProcessAgent &theAgent,
                                WatchdogOptions theOptions)
    : q(proxy)
    , supervisor(theSupervisor)
    , id(agentId)
    , agent(theAgent)
    , markerFile(theOptions.markerFile)
    , session(sessionOptions(theOptions))
    , client(theOptions.input, theOptions.output)
    , toServer(theAgent, theSupervisor.scheduler())
    , deadline(theSupervisor.scheduler(),
               [this] {
                   session.timePassed(now());
                   perform();
               })
    , inputLook(theSupervisor.scheduler(), [this] { lookAtInput(); })
    , takenLook(theSupervisor.scheduler(),
                [this] {
                    if (agent.isAlive())
                        session.serverHasTaken(agent.lastInputTaken());
                    perform();
                })
    , deafTime(theSupervisor.scheduler(), [this] { serverIsDeaf(); })
    , eofTime(theSupervisor.scheduler(), [this] { agent.signalGroup(SIGTERM); })
    , drainTime(theSupervisor.scheduler(), [this] { drainTimePassed(); })
    , beginning(theSupervisor.scheduler().clock().utcNow())
    , hostRestarts(mostHostRestarts, hostRestartPeriod)
{
    markerThread.setMaxThreadCount(1); // one after the other
    connectAgent();
    connectClient();
}

void WatchdogProxy::Private::connectClient()
{
    connect(&client, &ClientPipe::bytesRead, q,
            [this](const QByteArray &bytes) { clientBytes(bytes); });
    connect(&client, &ClientPipe::ended, q, [this] { clientEnded(); });
    connect(
        &client, &ClientPipe::broken, q, [this](const QString &fault) { clientBroken(fault); },
        Qt::QueuedConnection);
    connect(&client, &ClientPipe::drained, q, [this] {
        flush();
        lookWhetherEnded();
    });
}

void WatchdogProxy::Private::clientBroken(const QString &fault)
{
    if (!fault.isEmpty() && !std::exchange(isBroken, true))
        Q_EMIT q->outputFailed(fault);
    q->end();
}

void WatchdogProxy::Private::clientBytes(const QByteArray &bytes)
{
    lines.clear();
    clientLines.add(bytes, lines);
    for (const FramedLine &line : lines) {
        if (line.isTooLong)
            session.clientLineTooLong(line, now());
        else
            session.clientLine(line.bytes, now());
        act();
    }
    perform();
}

void WatchdogProxy::Private::clientEnded()
{
    if (const auto rest = clientLines.takeRest(); rest && !rest->isTooLong)
        session.clientLine(rest->bytes, now());
    session.clientClosed(now());
    perform();
}

// After each line: what comes of one must have happened before the next one is looked at.
void WatchdogProxy::Private::act()
{
    if (std::exchange(isPerforming, true))
        return; // the outer call goes on until nothing is left
    for (;;) {
        const std::vector<ProxyAction> actions = session.takeActions();
        if (actions.empty())
            break;
        for (const ProxyAction &action : actions)
            carryOut(action);
    }
    isPerforming = false;
}

void WatchdogProxy::Private::perform()
{
    if (isPerforming)
        return;
    act();
    flush();
    if (const auto next = session.nextDeadline())
        deadline.arm(*next);
    else
        deadline.disarm();
    finishInput();
    lookWhetherEnded();
}

void WatchdogProxy::Private::carryOut(const ProxyAction &action)
{
    switch (action.kind) {
    case ProxyAction::Kind::ToClient:
        client.addLine(action.bytes);
        return;
    case ProxyAction::Kind::ToServer:
        toServer.add(action.bytes);
        return;
    case ProxyAction::Kind::RequestRestart:
        requestRestart(action.text);
        return;
    case ProxyAction::Kind::FailServer:
        failServer(action.text);
        return;
    case ProxyAction::Kind::EndServer:
        endServer();
        return;
    case ProxyAction::Kind::ServerProven:
        if (const auto snapshot = evaluator().snapshot(id)) {
            evaluator().reportReady(id, snapshot->generation);
            evaluator().recordSuccess(id);
        }
        return;
    case ProxyAction::Kind::WriteMarker:
        writeMarker(action.marker);
        return;
    case ProxyAction::Kind::ReadMarker:
        markerThread.waitForDone();
        session.markerRead(markerOfBefore());
        return;
    case ProxyAction::Kind::Note:
        Q_EMIT q->noted(action.text);
        return;
    }
}

// Beside the event loop: the new server's handshake does not wait for a disk.
void WatchdogProxy::Private::writeMarker(const RestartMarker &marker)
{
    written = marker;
    markerThread.start([this, marker] {
        const QString fault = markerFile.write(marker);
        if (fault.isEmpty())
            return;
        QMetaObject::invokeMethod(
            q, [this, fault] { Q_EMIT q->noted(fault); }, Qt::QueuedConnection);
    });
}

void WatchdogProxy::Private::flush()
{
    if (isPerforming)
        return;
    client.flush();
    const bool clientIsFull = client.pendingSize() > mostPending;
    agent.setOutputPaused(clientIsFull);
    const bool isIdle = toServer.isDone();
    if (!toServer.flush())
        deafTime.arm(std::min(deafTime.due(), now() + (isIdle ? timeToEndIdle : timeToEnd)));
    const bool serverIsFull = toServer.size() > mostPending;
    if (mayRead && !isEnding)
        client.setPaused(serverIsFull || clientIsFull);
    if (serverIsFull && !inputLook.isArmed())
        inputLook.armIn(lookInterval);
    if (session.bytesInFlight() > mostPending && !takenLook.isArmed())
        takenLook.armIn(lookInterval);
}

// While the client is not read its end is not seen either: what it has sent stands before it.
void WatchdogProxy::Private::lookAtInput()
{
    if (isEnding) {
        finishInput();
        return;
    }
    if (toServer.size() <= mostPending)
        return;
    if (toServer.stalledFor() >= timeToTake && client.hasHungUp())
        q->end();
    else
        inputLook.armIn(lookInterval);
}

void WatchdogProxy::Private::endServer()
{
    isEnding = true;
    client.stopReading();
}

// A client may say all and close its end at once: the server gets it, as long as it reads.
void WatchdogProxy::Private::finishInput()
{
    if (!isEnding || isStopAsked)
        return;
    if (agent.isAlive() && !isHurried && !toServer.isDone() && toServer.stalledFor() < timeToTake) {
        inputLook.armIn(lookInterval);
        return;
    }
    isStopAsked = true;
    supervisor.stop(id);
}

void WatchdogProxy::Private::lookWhetherEnded()
{
    if (isPerforming || !isStopAsked || hasEnded || agent.isAlive() || evaluator().isActive(id))
        return;
    if (client.pendingSize() == 0) {
        tellEnd(false);
    } else if (!drainTime.isArmed()) {
        drainLeft = client.pendingSize();
        drainTime.armIn(timeToDrain);
    }
}

// One that reads slowly reads all the same.
void WatchdogProxy::Private::drainTimePassed()
{
    if (client.pendingSize() == drainLeft)
        tellEnd(true);
    else
        lookWhetherEnded();
}

void WatchdogProxy::Private::tellEnd(bool cutsOff)
{
    hasEnded = true;
    drainTime.disarm();
    // From the event loop: whoever hears of it may destroy this.
    const auto tell = [this, cutsOff] {
        hasEnded = cutsOff || client.pendingSize() == 0;
        if (hasEnded)
            Q_EMIT q->ended();
        else
            lookWhetherEnded();
    };
    QMetaObject::invokeMethod(q, tell, Qt::QueuedConnection);
}

ProcessDefinition WatchdogProxy::serverDefinition(const QString &program,
                                                  const QStringList &arguments)
{
    ProcessDefinition process;
    process.program = program;
    process.arguments = arguments;
    process.standardInput = StandardInput::Pipe;
    process.standardOutput.kind = OutputTarget::Kind::Pipe;
    process.standardOutput.graceAtEnd = 100ms;
    process.standardError.kind = OutputTarget::Kind::Lines;
    process.stop = {2s, 2s, 2s};
    return process;
}

WatchdogProxy::WatchdogProxy(AgentSupervisor &supervisor, const QUuid &agentId, ProcessAgent &agent,
                             WatchdogOptions options, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, supervisor, agentId, agent, std::move(options)))
{
}

WatchdogProxy::~WatchdogProxy() { d->agent.setRestartReason({}); }

void WatchdogProxy::begin() { d->supervisor.start(d->id); }

bool WatchdogProxy::restart(const QString &reason, const QString &method)
{
    if (d->hostRestarts.isFull(d->now()))
        return false;
    d->isAccepted.reset(); // and stays so where one is on its way already
    d->session.restartWanted(reason, method, d->now());
    d->perform();
    if (d->isAccepted.value_or(false))
        d->hostRestarts.add(d->now());
    return d->isAccepted.value_or(true);
}

void WatchdogProxy::end()
{
    d->isHurried = true;
    d->session.clientClosed(d->now());
    d->endServer();
    d->perform();
}

} // namespace Rekindle
