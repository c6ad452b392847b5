// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/mcpgateway.h>

#include "clientpipe_p.h"
#include "gatewaysession_p.h"
#include "proxiedserver_p.h"

namespace Rekindle {

/// Binds a GatewaySession to its client and its servers.
class McpGateway::Private
{
public:
    Private(McpGateway *gateway, AgentSupervisor &theSupervisor, McpGatewayOptions theOptions);

    void add(const McpGatewayServer &server, const QUuid &agentId, ProcessAgent &agent);
    void begin();
    void end(bool isHurried);

    void connectClient();
    void connectServer(int server);
    void clientBytes(const QByteArray &bytes);
    void clientEnded();
    void clientBroken(const QString &fault);
    void lookAtClient();

    void act();
    void perform();
    void carryOut(const GatewayAction &action);
    void flush();
    void lookWhetherEnded();
    void drainTimePassed();
    void tellEnd(bool cutsOff);

    /// What the ids of the gateway's own requests to servers begin with.
    [[nodiscard]] QByteArray ownIds() const { return nonce + "-gateway"; }
    [[nodiscard]] Instant now() const { return supervisor.scheduler().now(); }
    [[nodiscard]] ProxiedServer &at(int server)
    {
        return *servers[static_cast<std::size_t>(server)];
    }

    McpGateway *const q;
    AgentSupervisor &supervisor;
    const McpGatewayOptions options;
    const QByteArray nonce;
    QStringList names;
    std::optional<GatewaySession> session; // from begin() on
    ClientPipe client;
    LineFramer clientLines;
    std::vector<std::unique_ptr<ProxiedServer>> servers;
    QByteArray toClient;
    Deadline deadline; // of the session
    Deadline clientLook;
    Deadline drainTime;
    qsizetype drainLeft = 0; // what the client had to read when that began
    bool isPerforming = false;
    bool isBroken = false; // which was told
    bool isEnding = false;
    bool hasEnded = false;
};

} // namespace Rekindle
