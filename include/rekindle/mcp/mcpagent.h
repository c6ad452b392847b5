// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/agent.h>
#include <rekindle/mcp/mcpclient.h>
#include <rekindle/process/processdefinition.h>

#include <memory>

namespace Rekindle {

/// Runs an MCP server on stdio as an agent (spec 6, 9). It is ready after a successful handshake.
/// If the handshake fails, the process is killed and the failure reason is InitializationFailed.
/// Everything else is as in ProcessAgent. Use it from the thread it lives in.
class REKINDLE_MCP_EXPORT McpAgent : public Agent
{
    Q_OBJECT

public:
    /// Creates the agent. stdin and stdout of `definition` are always pipes, and its readiness is
    /// always the handshake. `scheduler` must outlive the agent.
    McpAgent(ProcessDefinition definition, Scheduler &scheduler, McpClientOptions options = {},
             QObject *parent = nullptr);
    ~McpAgent() override;

    /// The definition of the next start, with its streams and its readiness as they are used.
    [[nodiscard]] const ProcessDefinition &definition() const;

    /// Replaces the definition from the next start on: ProcessAgent::setDefinition().
    void setDefinition(ProcessDefinition definition);

    void start() override;
    void stop() override;
    void kill() override;
    /// The stop sequence limits the stop and ends with stuck().
    [[nodiscard]] std::optional<Duration> defaultStopTimeout() const override { return {}; }
    [[nodiscard]] bool isAlive() const override;
    [[nodiscard]] qint64 processId() const override;
    [[nodiscard]] QString statusText() const override;
    [[nodiscard]] QList<OutputFile> outputFiles() const override;
    [[nodiscard]] std::optional<Instant> recyclingAt() const override;
    [[nodiscard]] QStringList storedDescriptors() const override;
    void discardStored() override;
    /// The probes of ProcessDefinition::health.
    [[nodiscard]] std::vector<HealthCheck> ownHealthChecks() override;

    /// Returns the client of the server. It is the same object for all starts.
    [[nodiscard]] McpClient &client();

Q_SIGNALS:
    /// A line that the server wrote to stderr, if stderr of the definition is Lines.
    void errorLine(const QByteArray &line);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
