// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcpgateway_p.h"

#include "mcp/proxy/injectedtools_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

// Of each server; the client is never made to wait for one, as it would for all.
constexpr qsizetype mostInFlightBytes = qsizetype{32} * 1024 * 1024;

// By a server. Its session refuses requests long before: these are answers and notifications.
constexpr qsizetype mostUnread = qsizetype{64} * 1024 * 1024;

constexpr Duration lookInterval = 500ms;

} // namespace

McpGateway::Private::Private(McpGateway *gateway, AgentSupervisor &theSupervisor,
                             McpGatewayOptions theOptions)
    : q(gateway)
    , supervisor(theSupervisor)
    , options(theOptions)
    , nonce("rekindle-" + QUuid::createUuid().toByteArray(QUuid::Id128).left(12))
    , client(theOptions.input, theOptions.output, theSupervisor.scheduler())
    , deadline(theSupervisor.scheduler(),
               [this] {
                   session->timePassed(now());
                   perform();
               })
    , clientLook(theSupervisor.scheduler(), [this] { lookAtClient(); })
{
    connectClient();
}

void McpGateway::Private::connectClient()
{
    connect(&client, &ClientLines::lines, q,
            [this](const std::vector<FramedLine> &lines) { clientLines(lines); });
    connect(&client, &ClientLines::ended, q, [this] { end(false); });
    connect(&client, &ClientLines::drained, q, [this] {
        flush();
        lookWhetherEnded();
    });
    connect(&client, &ClientLines::broken, q, [this](const QString &fault) {
        if (!fault.isEmpty())
            Q_EMIT q->outputFailed(fault);
        end(true);
    });
    connect(&client, &ClientLines::finished, q, &McpGateway::ended);
}

void McpGateway::Private::add(const McpGatewayServer &server, const QUuid &agentId,
                              ProcessAgent &agent)
{
    ProxyOptions proxy; // no marker: a file each would be one too many
    proxy.inject = false;
    proxy.retry = server.retry;
    proxy.callTimeout = server.callTimeout;
    proxy.failFast = !server.onDemand; // nothing starts that one but who waits for it
    proxy.maximumInFlightBytes = mostInFlightBytes;
    proxy.maximumHeldBytes = mostInFlightBytes;
    proxy.nonce = nonce + "-proxy";
    ProxiedServer::Options proxied;
    if (server.onDemand) {
        proxy.maximumRetries = 1; // respawned once for it (S0)
        proxied.onDemand.emplace(*server.onDemand);
        onDemand.insert(static_cast<int>(names.size()));
    }
    proxied.session = std::move(proxy);
    names.append(server.name);
    servers.push_back(
        std::make_unique<ProxiedServer>(supervisor, agentId, agent, std::move(proxied)));
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
        act();
    });
    connect(proxied, &ProxiedServer::refused, q, [this, server](const ProxyRefusal &refusal) {
        session->serverRefused(server, refusal, now());
        act();
    });
    connect(proxied, &ProxiedServer::settled, q, [this] { perform(); });
    connect(proxied, &ProxiedServer::noted, q,
            [this, name](const QString &text) { Q_EMIT q->noted(name, text); });
    connect(proxied, &ProxiedServer::errorLine, q,
            [this, name](const QByteArray &line) { Q_EMIT q->errorLine(name, line); });
}

void McpGateway::Private::begin()
{
    GatewayOptions core;
    core.servers = names;
    core.onDemand = onDemand;
    core.inject = options.inject;
    core.listTime = options.listTime;
    core.nonce = nonce + "-gateway";
    session.emplace(std::move(core));
    for (const std::unique_ptr<ProxiedServer> &server : servers)
        server->start();
    client.setPaused(false);
}

void McpGateway::Private::clientLines(const std::vector<FramedLine> &lines)
{
    for (const FramedLine &line : lines) {
        if (line.isTooLong)
            session->clientLineTooLong(line, now());
        else
            session->clientLine(line.bytes, now());
        act();
    }
    perform();
}

void McpGateway::Private::end(bool isHurried)
{
    isEnding = true;
    if (!session) {
        client.finish();
        return;
    }
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
        client.add(action.bytes);
        return;
    case GatewayAction::Kind::ToServer:
        toServer(action.server, action.bytes, action.origin);
        return;
    case GatewayAction::Kind::RestartServer:
        session->restartDecided(action.server,
                                at(action.server)
                                    .restart(action.text, QLatin1String(InjectedTools::restartName))
                                    .value_or(true),
                                now());
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

void McpGateway::Private::toServer(int server, const QByteArray &line, RequestOrigin origin)
{
    if (at(server).unreadSize() > mostUnread)
        at(server).fail(QStringLiteral("it does not read what it is sent"));
    at(server).clientLine(line, origin);
}

void McpGateway::Private::flush()
{
    if (isPerforming)
        return;
    client.flush();
    const bool isFull = client.isFull();
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
    if (isEnding || !client.isFull())
        return;
    if (client.hasHungUp())
        end(true);
    else
        clientLook.armIn(lookInterval);
}

void McpGateway::Private::lookWhetherEnded()
{
    if (isPerforming || !isEnding)
        return;
    const bool allEnded = std::all_of(
        servers.begin(), servers.end(),
        [](const std::unique_ptr<ProxiedServer> &server) { return server->hasEnded(); });
    if (allEnded)
        client.finish();
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
