// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/toolbackend.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/policy/validation.h>
#include <rekindle/process/processdefinition.h>

#include <memory>

namespace Rekindle {

class AgentSupervisor;
class McpAgent;

/// The preset `spawn` (S0): 5 more tries after 250 ms x2 to 5 s and up to half of it more.
[[nodiscard]] REKINDLE_MCP_EXPORT RestartPolicy spawnPolicy();

/// How an OnDemandServer goes about its starts.
struct OnDemandOptions
{
    /// Of one start with all its tries: process, handshake and tools/list count as one (S0's
    /// initial spawn and health check), and one that exits with 0 before it is ready has failed.
    /// Once the server is ready, the policy means nothing until the next start.
    RestartPolicy spawn = spawnPolicy();

    /// S0's restart_on_exit: a call that fails because its server died has it started anew, once; a
    /// second loss ends the call.
    bool restartsOnExit = false;

    McpClientOptions client{};
};

/// A server that is started by the first call that needs it (S0: "supervision is cooperative via
/// call sites"). Nothing of it runs in the background: one that dies while nobody calls is gone
/// until the next call. A server that exits with 42 asks for its restart itself, and gets it.
///
/// A start that was begun goes on when those who waited for it have lost their patience, so that a
/// server that starts slowly is there for the next call; it is not tried again for nobody.
///
/// The server is an agent of the host's supervisor, under the name given: its events, logs,
/// metrics and the licence tier are those of the host, which may also stop it; startAll() starts
/// it like any other. While it is being stopped nobody's wait has it started again, but the next
/// call does: delete the callers before stopAll(). Once it is removed from the supervisor nothing
/// is ever started, and ensureStarted() says so.
class REKINDLE_MCP_EXPORT OnDemandServer final : public ToolBackend
{
    Q_OBJECT

public:
    /// `supervisor` must outlive it. As with McpAgent, stdin and stdout of the definition are
    /// piped.
    OnDemandServer(AgentSupervisor &supervisor, const QString &name,
                   const ProcessDefinition &definition, const OnDemandOptions &options = {},
                   QObject *parent = nullptr);

    /// Ends the server at once. For an orderly end call stop() before, and wait until the
    /// supervisor tells that it has stopped.
    ~OnDemandServer() override;

    /// Why the supervisor has refused it; then nothing is ever started, and ensureStarted() says
    /// so.
    [[nodiscard]] const QList<Fault> &faults() const;

    [[nodiscard]] QString name() const override;
    [[nodiscard]] McpClient &client() override;
    [[nodiscard]] McpAgent &agent() const;

    /// Who waits longer than the tries take learns of the last one; who does not, with an error of
    /// kind NotReady either way, why there is none.
    QFuture<Start> ensureStarted(Duration within) override;
    [[nodiscard]] bool restartsOnExit() const override;
    QFuture<Start> respawn(Duration within) override;

    /// Ends the server in order: EOF, SIGTERM, SIGKILL, as its definition has it. Who waits for it,
    /// or comes to do so while it ends, is told once it has; the next call starts it again.
    void stop();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
