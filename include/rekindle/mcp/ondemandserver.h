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

/// Options of the starts of an OnDemandServer.
struct OnDemandOptions
{
    /// Policy of one start with all its attempts. A start includes process, handshake and
    /// tools/list. A server that exits with 0 before it is ready has failed. The policy has no
    /// effect while the server is ready. The preset (S0) has 5 retries with delays from 250 ms,
    /// doubling to 5 s, plus up to 50 %.
    RestartPolicy spawn = *preset(u"spawn");

    /// Whether the call starts the server again, once, if the server exits during the call and a
    /// retry is safe. If the server exits again, the call ends.
    bool restartsOnExit = false;

    McpClientOptions client{};
};

/// Starts a server at the first call that needs it (S0). Nothing is restarted in the background: if
/// the server exits while no call is in flight, the next call starts it. A server that exits with
/// 42 is restarted at once.
///
/// If all waiting callers cancel during a start, the start continues, so that the server is ready
/// for the next call. The start is not retried.
///
/// The server is an agent of the host's supervisor under the given name. The supervisor's events,
/// log, metrics and license tier apply to it, and the supervisor can start and stop it. While it
/// stops, pending waits do not start it again, but a new call does. Therefore, delete the callers
/// before stopAll(). After the server was removed from the supervisor, ensureStarted() fails.
class REKINDLE_MCP_EXPORT OnDemandServer final : public ToolBackend
{
    Q_OBJECT

public:
    /// Creates the server and adds it to `supervisor`, which must outlive this object. stdin and
    /// stdout of the definition are pipes, as with McpAgent.
    OnDemandServer(AgentSupervisor &supervisor, const QString &name,
                   const ProcessDefinition &definition, const OnDemandOptions &options = {},
                   QObject *parent = nullptr);

    /// Kills the server. For an orderly stop, call stop() first and wait until the supervisor
    /// reports the exit.
    ~OnDemandServer() override;

    /// Returns why the supervisor has rejected the server. In that case, ensureStarted() fails.
    [[nodiscard]] const QList<Fault> &faults() const;

    [[nodiscard]] QString name() const override;
    [[nodiscard]] McpClient &client() override;
    [[nodiscard]] McpAgent &agent() const;

    /// Starts the server if necessary and waits at most `within` for it. If there is no server in
    /// that time, or all attempts have failed, the result is an error of kind NotReady with the
    /// reason.
    QFuture<Start> ensureStarted(Duration within) override;
    [[nodiscard]] bool restartsOnExit() const override;
    QFuture<Start> respawn(Duration within) override;

    /// Stops the server in order: EOF, SIGTERM, SIGKILL, by its definition. Pending waits end when
    /// the server has exited. The next call starts it again.
    void stop();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
