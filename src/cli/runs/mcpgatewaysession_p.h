// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcpsession_p.h"

#include <rekindle/config/mcpservers.h>
#include <rekindle/mcp/mcpgateway.h>

namespace Rekindle {

/// The options of `rekindle mcp --config`.
struct McpGatewayRequest
{
    HostOptions host;
    QString configuration; ///< the file with the servers
    QList<McpServerDefinition> servers;
    RestartPolicy policy; ///< for servers without their own
    CallRetry retry = CallRetry::Safe;
    std::optional<Duration> callTimeout{};
    McpGatewayOptions gateway;
};

/// Serves many MCP servers through the gateway.
class McpGatewaySession : public McpSession
{
    Q_OBJECT

public:
    McpGatewaySession(McpGatewayRequest request, Messages &messages);

private:
    [[nodiscard]] QList<UsedFile> otherFiles() const override;
    [[nodiscard]] int prepare() override;
    void begin() override { m_gateway->begin(); }
    void end() override { m_gateway->end(); }

    McpGatewayRequest m_request;
    std::unique_ptr<McpGateway> m_gateway;
};

} // namespace Rekindle
