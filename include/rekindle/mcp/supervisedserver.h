// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/toolbackend.h>
#include <rekindle/policy/presets.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/policy/validation.h>
#include <rekindle/process/processdefinition.h>

#include <memory>

namespace Rekindle {

class AgentSupervisor;
class McpAgent;

/// Keeps a server running in the background by its policy. Calls wait for the server and never
/// start it.
///
/// The server is an agent of the host's supervisor under the given name. The supervisor's
/// startAll(), stopAll(), events and license tier apply to it.
class REKINDLE_MCP_EXPORT SupervisedServer final : public ToolBackend
{
    Q_OBJECT

public:
    /// Creates the server and adds it to `supervisor`, which must outlive this object. It is not
    /// started. stdin and stdout of the definition are pipes, as with McpAgent. The preset (S2) has
    /// unlimited restarts with delays from 1 s, doubling to 60 s, plus up to 50 %; the server is
    /// stable after 60 s.
    SupervisedServer(AgentSupervisor &supervisor, const QString &name,
                     const ProcessDefinition &definition,
                     const RestartPolicy &policy = *preset(u"stdio-backend"),
                     const McpClientOptions &client = {}, QObject *parent = nullptr);

    /// Kills the server. For an orderly stop, call stop() first and wait until the supervisor
    /// reports the exit.
    ~SupervisedServer() override;

    /// Returns why the supervisor has rejected the server. In that case, it cannot be started.
    [[nodiscard]] const QList<Fault> &faults() const;

    void start();
    /// Stops the server by the stop sequence of its definition: close stdin, SIGTERM, SIGKILL. A
    /// pending restart is canceled.
    void stop();

    [[nodiscard]] QString name() const override;
    [[nodiscard]] McpClient &client() override;
    [[nodiscard]] McpAgent &agent() const;

    /// Waits for a server that is starting or will start. If the server was stopped, was given up,
    /// or does not start within `within`, the result is at once an error of kind NotReady with its
    /// last failure.
    QFuture<Start> ensureStarted(Duration within) override;

    /// Returns false, because the policy restarts the server.
    [[nodiscard]] bool restartsOnExit() const override { return false; }
    QFuture<Start> respawn(Duration within) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
