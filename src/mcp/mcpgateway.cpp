// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcpgateway_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

// Beyond this much that the client has not read, nothing more is read from it or from a server.
constexpr qsizetype mostPending = qsizetype{1024} * 1024;

// Of each server; the client is never made to wait for one, as it would for all.
constexpr qsizetype mostInFlightBytes = qsizetype{32} * 1024 * 1024;

constexpr Duration timeToDrain = 2s; // for a client that reads nothing at the end
constexpr Duration lookInterval = 500ms;

} // namespace

McpGateway::Private::Private(McpGateway *gateway, AgentSupervisor &theSupervisor,
                             McpGatewayOptions theOptions)
    : q(gateway)
    , supervisor(theSupervisor)
    , options(theOptions)
    , nonce("rekindle-" + QUuid::createUuid().toByteArray(QUuid::Id128).left(12))
    , client(theOptions.input, theOptions.output)
    , deadline(theSupervisor.scheduler(),
               [this] {
                   session->timePassed(now());
                   perform();
               })
    , clientLook(theSupervisor.scheduler(), [this] { lookAtClient(); })
    , drainTime(theSupervisor.scheduler(), [this] { drainTimePassed(); })
{
    connectClient();
}

void McpGateway::Private::connectClient()
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

void McpGateway::Private::clientBroken(const QString &fault)
{
    if (!fault.isEmpty() && !std::exchange(isBroken, true))
        Q_EMIT q->outputFailed(fault);
    end(true);
}

void McpGateway::Private::add(const McpGatewayServer &server, const QUuid &agentId,
                              ProcessAgent &agent)
{
    ProxyOptions proxy;
    proxy.inject = false;
    proxy.retry = server.retry;
    proxy.callTimeout = server.callTimeout;
    proxy.failFast = true;
    proxy.mostInFlightBytes = mostInFlightBytes;
    proxy.mostHeldBytes = mostInFlightBytes;
    proxy.nonce = nonce + "-proxy";
    proxy.untimedIds = ownIds();
    names.append(server.name);
    servers.push_back(
        std::make_unique<ProxiedServer>(supervisor, agentId, agent, std::move(proxy)));
    connectServer(static_cast<int>(servers.size()) - 1);
}

void McpGateway::Private::connectServer(int server)
{
    ProxiedServer *const proxied = &at(server);
    const QString name = names[server];
    connect(proxied, &ProxiedServer::started, q, [this, server] {
        session->serverStarted(server, now());
        perform();
    });
    connect(proxied, &ProxiedServer::processGone, q,
            [this, server] { session->serverGone(server, now()); });
    connect(proxied, &ProxiedServer::toClient, q, [this, server](const QByteArray &line) {
        session->serverLine(server, line, now());
        perform();
    });
    connect(proxied, &ProxiedServer::noted, q,
            [this, name](const QString &text) { Q_EMIT q->noted(name, text); });
    connect(proxied, &ProxiedServer::errorLine, q,
            [this, name](const QByteArray &line) { Q_EMIT q->errorLine(name, line); });
    connect(proxied, &ProxiedServer::ended, q, [this] { lookWhetherEnded(); });
}

void McpGateway::Private::begin()
{
    GatewayOptions core;
    core.servers = names;
    core.inject = options.inject;
    core.listTime = options.listTime;
    core.nonce = ownIds();
    session.emplace(std::move(core));
    for (const std::unique_ptr<ProxiedServer> &server : servers)
        server->start();
    client.setPaused(false);
}

void McpGateway::Private::clientBytes(const QByteArray &bytes)
{
    std::vector<FramedLine> lines;
    clientLines.add(bytes, lines);
    for (const FramedLine &line : lines) {
        if (line.isTooLong)
            session->clientLineTooLong(line, now());
        else
            session->clientLine(line.bytes, now());
        act();
    }
    perform();
}

void McpGateway::Private::clientEnded()
{
    if (const auto rest = clientLines.takeRest(); rest && !rest->isTooLong)
        session->clientLine(rest->bytes, now());
    end(false);
}

void McpGateway::Private::end(bool isHurried)
{
    if (!session) {
        tellEnd(true);
        return;
    }
    isEnding = true;
    client.stopReading();
    act();
    session->clientClosed(now());
    act();
    for (const std::unique_ptr<ProxiedServer> &server : servers)
        server->end(isHurried);
    perform();
}

// After each line: what comes of one must have happened before the next one is looked at.
void McpGateway::Private::act()
{
    if (std::exchange(isPerforming, true))
        return; // the outer call goes on until nothing is left
    for (;;) {
        const std::vector<GatewayAction> actions = session->takeActions();
        if (actions.empty())
            break;
        for (const GatewayAction &action : actions)
            carryOut(action);
    }
    isPerforming = false;
}

void McpGateway::Private::perform()
{
    if (isPerforming)
        return;
    act();
    flush();
    if (const auto next = session->nextDeadline())
        deadline.arm(*next);
    else
        deadline.disarm();
    lookWhetherEnded();
}

void McpGateway::Private::carryOut(const GatewayAction &action)
{
    switch (action.kind) {
    case GatewayAction::Kind::ToClient:
        toClient.append(action.bytes).append('\n');
        return;
    case GatewayAction::Kind::ToServer:
        at(action.server).clientLine(action.bytes);
        return;
    case GatewayAction::Kind::RestartServer:
        session->restartDecided(action.server, at(action.server).restart(action.text), now());
        return;
    case GatewayAction::Kind::DescribeServer:
        session->serverDescribed(action.server, at(action.server).record());
        return;
    case GatewayAction::Kind::FailServer:
        at(action.server).fail(action.text);
        return;
    case GatewayAction::Kind::Note:
        Q_EMIT q->noted(names.value(action.server), action.text);
        return;
    }
}

void McpGateway::Private::flush()
{
    if (isPerforming)
        return;
    if (!toClient.isEmpty())
        client.write(std::exchange(toClient, {}));
    const bool isFull = client.pendingSize() > mostPending;
    for (const std::unique_ptr<ProxiedServer> &server : servers)
        server->setPaused(isFull);
    if (session && !isEnding)
        client.setPaused(isFull);
    if (isFull && !isEnding && !clientLook.isArmed())
        clientLook.armIn(lookInterval);
}

// While the client is not read its end is not seen either.
void McpGateway::Private::lookAtClient()
{
    if (isEnding || client.pendingSize() <= mostPending)
        return;
    if (client.hasHungUp())
        end(true);
    else
        clientLook.armIn(lookInterval);
}

void McpGateway::Private::lookWhetherEnded()
{
    if (isPerforming || !isEnding || hasEnded || !toClient.isEmpty())
        return;
    const bool allEnded = std::all_of(
        servers.begin(), servers.end(),
        [](const std::unique_ptr<ProxiedServer> &server) { return server->hasEnded(); });
    if (!allEnded)
        return;
    if (client.pendingSize() == 0) {
        tellEnd(false);
    } else if (!drainTime.isArmed()) {
        drainLeft = client.pendingSize();
        drainTime.armIn(timeToDrain);
    }
}

// One that reads slowly reads all the same.
void McpGateway::Private::drainTimePassed()
{
    if (client.pendingSize() == drainLeft)
        tellEnd(true);
    else
        lookWhetherEnded();
}

// There may be more to say by the time that it is told: the last server's end answers its calls.
void McpGateway::Private::tellEnd(bool cutsOff)
{
    if (std::exchange(hasEnded, true))
        return;
    drainTime.disarm();
    // From the event loop: whoever hears of it may destroy this.
    const auto tell = [this, cutsOff] {
        hasEnded = cutsOff || (toClient.isEmpty() && client.pendingSize() == 0);
        if (hasEnded)
            Q_EMIT q->ended();
        else
            lookWhetherEnded();
    };
    QMetaObject::invokeMethod(q, tell, Qt::QueuedConnection);
}

McpGateway::McpGateway(AgentSupervisor &supervisor, McpGatewayOptions options, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, supervisor, options))
{
}

McpGateway::~McpGateway() = default;

void McpGateway::add(const McpGatewayServer &server, const QUuid &agentId, ProcessAgent &agent)
{
    d->add(server, agentId, agent);
}

void McpGateway::begin() { d->begin(); }

void McpGateway::end() { d->end(true); }

} // namespace Rekindle
