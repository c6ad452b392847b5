// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/agent.h>
#include <rekindle/mcp/mcpclient.h>
#include <rekindle/process/processdefinition.h>

#include <memory>

namespace Rekindle {

/// An agent that is an MCP server on stdio: a process whose ready is a successful handshake (spec
/// 6, 9). A handshake that fails is a failed start: InitializationFailed, and the process is
/// killed. Everything else is as ProcessAgent has it. Use it from the thread it lives in.
class REKINDLE_MCP_EXPORT McpAgent : public Agent
{
    Q_OBJECT

public:
    /// stdin and stdout of the definition are piped and its readiness is the handshake, whatever
    /// it says. `scheduler` must outlive the agent.
    McpAgent(ProcessDefinition definition, Scheduler &scheduler, McpClientOptions options = {},
             QObject *parent = nullptr);
    ~McpAgent() override;

    void start() override;
    void stop() override;
    void kill() override;
    [[nodiscard]] bool isAlive() const override;
    [[nodiscard]] qint64 processId() const override;

    /// The same one through all starts.
    [[nodiscard]] McpClient &client();

Q_SIGNALS:
    /// A line of the server's stderr, if the definition has it delivered.
    void errorLine(const QByteArray &line);

    /// The server did not end within the whole stop sequence.
    void stuck();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
