// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcpsession_p.h"

#include <rekindle/mcp/mcpgateway.h>

namespace Rekindle {

/// Serves many MCP servers through the gateway.
class McpGatewaySession : public McpSession
{
    Q_OBJECT

public:
    McpGatewaySession(const McpRequest &request, Messages &messages);

private:
    [[nodiscard]] QList<UsedFile> otherFiles() const override;
    [[nodiscard]] int prepare() override;
    void begin() override { m_gateway->begin(); }
    void end() override { m_gateway->end(); }

    std::unique_ptr<McpGateway> m_gateway;
};

} // namespace Rekindle
