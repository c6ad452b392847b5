// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/mcpgateway.h>

#include "clientlines_p.h"
#include "mcp/gateway/gatewaysession_p.h"
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
    void clientLines(const std::vector<FramedLine> &lines);
    void lookAtClient();

    void act();
    void perform();
    void carryOut(const GatewayAction &action);
    void toServer(int server, const QByteArray &line, RequestOrigin origin);
    void flush();
    void lookWhetherEnded();

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
    QSet<int> onDemand;
    std::optional<GatewaySession> session; // from begin() on
    ClientLines client;
    std::vector<std::unique_ptr<ProxiedServer>> servers;
    Deadline deadline; // of the session
    Deadline clientLook;
    bool isPerforming = false;
    bool isEnding = false;
};

} // namespace Rekindle
