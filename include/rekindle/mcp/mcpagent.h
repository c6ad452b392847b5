// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/mcpclient.h>
#include <rekindle/process/protocolagent.h>

#include <memory>

namespace Rekindle {

/// Runs an MCP server on stdio as an agent (spec 6, 9). It is ready after a successful handshake.
/// If the handshake fails, the process is killed and the failure reason is InitializationFailed.
/// Everything else is as in ProcessAgent. Use it from the thread it lives in.
class REKINDLE_MCP_EXPORT McpAgent : public ProtocolAgent
{
    Q_OBJECT

public:
    /// Creates the agent. stdin and stdout of `definition` are always pipes, and its readiness is
    /// always the handshake. `scheduler` must outlive the agent.
    McpAgent(ProcessDefinition definition, Scheduler &scheduler, McpClientOptions options = {},
             QObject *parent = nullptr);
    ~McpAgent() override;

    /// Returns the client of the server. It is the same object for all starts.
    [[nodiscard]] McpClient &client();

private:
    void handshake() override;

    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
