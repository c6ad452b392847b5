// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/mcp/mcpgateway.h>

#include "mcp/gateway/gatewaysession_p.h"
#include "mcp/proxy/injectedtools_p.h"
#include "mcp/transport/clientlines_p.h"
#include "proxiedserver_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

// Limit for each server. The client is never paused for one server, because that would delay the
// others.
constexpr qsizetype maxInFlightBytes = qsizetype{32} * 1024 * 1024;

// Limit for each server. Its session rejects requests earlier, so these are responses and
// notifications.
constexpr qsizetype maxUnread = qsizetype{64} * 1024 * 1024;

} // namespace

/// Binds a GatewaySession to its client and its servers.
class McpGateway::Private
{
public:
    Private(McpGateway *gateway, AgentSupervisor &theSupervisor, const McpGatewayOptions &options);

    void end(bool isHurried);

    void connectClient();
    void connectServer(int server);
    void clientLines(const std::vector<FramedLine> &lines);

    void performActions();
    void finishEvent();
    void perform(const GatewayAction &action);
    void updateFlow();

    [[nodiscard]] Instant now() const { return supervisor.scheduler().now(); }
    [[nodiscard]] ProxiedServer &at(int server)
    {
        return *servers[static_cast<std::size_t>(server)];
    }

    McpGateway *const q;
    AgentSupervisor &supervisor;
    GatewayOptions sessionOptions;
    std::optional<GatewaySession> session; // created by begin()
    ClientLines client;
    std::vector<std::unique_ptr<ProxiedServer>> servers;
    Deadline deadline; // of the session
    bool isPerforming = false;
    bool isInputEnded = false; // the client has closed its end
    bool isEnding = false;
};

McpGateway::Private::Private(McpGateway *gateway, AgentSupervisor &theSupervisor,
                             const McpGatewayOptions &options)
    : q(gateway)
    , supervisor(theSupervisor)
    , client(options.input, options.output, theSupervisor.scheduler())
    , deadline(theSupervisor.scheduler(), [this] {
        session->timePassed(now());
        finishEvent();
    })
{
    sessionOptions.inject = options.inject;
    sessionOptions.listTime = options.listTime;
    sessionOptions.firstId = OwnIds::randomFirst();
    connectClient();
}

void McpGateway::Private::connectClient()
{
    connect(&client, &ClientLines::lines, q,
            [this](const std::vector<FramedLine> &lines) { clientLines(lines); });
    connect(&client, &ClientLines::ended, q, [this] {
        isInputEnded = true;
        finishEvent();
    });
    connect(&client, &ClientLines::hungUp, q, [this] {
        if (!isEnding)
            end(true);
    });
    connect(&client, &ClientLines::drained, q, [this] { updateFlow(); });
    connect(&client, &ClientLines::broken, q, [this](const QString &fault) {
        if (!fault.isEmpty())
            Q_EMIT q->outputFailed(fault);
        end(true);
    });
    connect(&client, &ClientLines::finished, q, &McpGateway::ended);
}

void McpGateway::Private::connectServer(int server)
{
    ProxiedServer *const proxied = &at(server);
    const QString name = sessionOptions.servers[server];
    connect(proxied, &ProxiedServer::started, q, [this, server] {
        session->serverStarted(server, now());
        finishEvent();
    });
    connect(proxied, &ProxiedServer::progressed, q,
            [this, server] { session->serverProgressed(server, now()); });
    connect(proxied, &ProxiedServer::handshakeReplayed, q,
            [this, server](const QByteArray &capabilities) {
                session->handshakeReplayed(server, capabilities, now());
                performActions();
            });
    connect(proxied, &ProxiedServer::processExited, q,
            [this, server] { session->serverExited(server, now()); });
    connect(proxied, &ProxiedServer::toClient, q, [this, server](const QByteArray &line) {
        session->serverLine(server, line, now());
        performActions();
    });
    connect(proxied, &ProxiedServer::refused, q, [this, server](const ProxyRefusal &refusal) {
        session->serverRefused(server, refusal, now());
        performActions();
    });
    connect(proxied, &ProxiedServer::restartDecided, q,
            [this, server](bool isAccepted, const QString &whyGivenUp) {
                session->restartDecided(server, isAccepted, now(), whyGivenUp);
                performActions();
            });
    connect(proxied, &ProxiedServer::eventFinished, q, [this] { finishEvent(); });
    connect(proxied, &ProxiedServer::noted, q,
            [this, name](const QString &text) { Q_EMIT q->noted(name, text); });
    connect(proxied, &ProxiedServer::errorLine, q,
            [this, name](const QByteArray &line) { Q_EMIT q->errorLine(name, line); });
    connect(proxied, &ProxiedServer::callFinished, q, &McpGateway::callFinished);
}

void McpGateway::Private::clientLines(const std::vector<FramedLine> &lines)
{
    for (const FramedLine &line : lines) {
        session->clientLine(line, now());
        performActions();
    }
    finishEvent();
}

void McpGateway::Private::end(bool isHurried)
{
    isEnding = true;
    if (!session) {
        client.finish();
        return;
    }
    client.setPaused(true);
    performActions();
    session->clientClosed(now());
    performActions();
    for (const std::unique_ptr<ProxiedServer> &server : servers)
        server->end(isHurried);
    finishEvent();
}

// Called after each line, because its actions must precede the next line.
void McpGateway::Private::performActions()
{
    if (std::exchange(isPerforming, true))
        return; // the outer call performs the new actions
    for (auto actions = session->takeActions(); !actions.empty();
         actions = session->takeActions()) {
        for (const GatewayAction &action : actions)
            perform(action);
    }
    isPerforming = false;
}

// Called after each event: performs its actions, then arms the timer and writes to the client.
void McpGateway::Private::finishEvent()
{
    if (isPerforming)
        return;
    if (session)
        performActions();
    // What the client has sent before the end of its input is answered.
    if (isInputEnded && !isEnding && !(session && session->isWaiting()))
        end(false);
    if (!session)
        return;
    if (const auto next = session->nextDeadline())
        deadline.arm(*next);
    else
        deadline.disarm();
    updateFlow();
}

void McpGateway::Private::perform(const GatewayAction &action)
{
    switch (action.kind) {
    case GatewayAction::Kind::ToClient:
        client.add(action.bytes);
        return;
    case GatewayAction::Kind::ToServer: {
        if (at(action.server).unreadSize() > maxUnread)
            at(action.server).fail(QStringLiteral("it does not read what it is sent"));
        const FramedLine line{.bytes = action.bytes};
        at(action.server).clientLines({&line, 1}, action.origin, action.arrived);
        return;
    }
    case GatewayAction::Kind::RestartServer:
        // The decision comes later if the action is part of an event of this server.
        at(action.server).restart(action.text, QLatin1String(InjectedTools::restartName));
        return;
    case GatewayAction::Kind::DescribeServer:
        session->serverDescribed(action.server, at(action.server).record());
        return;
    case GatewayAction::Kind::FailServer:
        at(action.server).fail(action.text);
        return;
    case GatewayAction::Kind::Note:
        Q_EMIT q->noted(sessionOptions.servers.value(action.server), action.text);
        return;
    }
}

// Writes to the client, and pauses all sides while the client does not read.
void McpGateway::Private::updateFlow()
{
    if (isPerforming)
        return;
    client.flush();
    const bool isFull = client.isFull();
    bool haveAllEnded = true;
    for (const std::unique_ptr<ProxiedServer> &server : servers) {
        server->setPaused(isFull);
        haveAllEnded = haveAllEnded && server->hasEnded();
    }
    if (session && !isEnding)
        client.setPaused(isFull);
    if (isEnding && haveAllEnded)
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
    const int index = static_cast<int>(d->servers.size());
    const RestartPolicy policy = d->supervisor.policyEvaluator().policy(agentId);
    ProxiedServer::Options proxied;
    ProxyOptions &proxy = proxied.session;
    proxy.inject = false;
    proxy.retry = server.retry;
    proxy.calls.retry = server.toolRetry;
    if (!server.toolBreaker)
        proxy.calls.policy.circuitBreaker.reset();
    proxy.callTimeout = server.callTimeout;
    proxy.failFastBeforeReady =
        !server.onDemand; // a server on demand starts only for a held request
    proxy.maximumInFlightBytes = maxInFlightBytes;
    proxy.maximumHeldBytes = maxInFlightBytes;
    proxy.firstId = d->sessionOptions.firstId + OwnIds::distance;
    if (server.onDemand) {
        proxied.onDemand.emplace(d->supervisor, *server.onDemand);
        d->sessionOptions.onDemand.insert(index);
    }
    d->sessionOptions.handshakeTimes.insert(index, policy.startTimeout);
    d->sessionOptions.tools.insert(index, server.tools);
    d->sessionOptions.policies.insert(index, policy);
    if (server.callTimeout)
        d->sessionOptions.callTimeouts.insert(index, *server.callTimeout);
    d->sessionOptions.servers.append(server.name);
    d->servers.push_back(
        std::make_unique<ProxiedServer>(d->supervisor, agentId, agent, std::move(proxied)));
    d->connectServer(index);
}

void McpGateway::begin()
{
    d->session.emplace(d->sessionOptions);
    for (const std::unique_ptr<ProxiedServer> &server : d->servers)
        server->start();
    d->client.setPaused(false);
}

void McpGateway::end() { d->end(true); }

} // namespace Rekindle
