// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/toolbackend.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/policy/validation.h>
#include <rekindle/process/processdefinition.h>

#include <QUuid>

#include <memory>

namespace Rekindle {

class AgentSupervisor;
class McpAgent;

/// The preset `stdio-backend` (S2): 1 s x2 to 60 s and up to half of it more, for ever, forgiven
/// after 60 s.
[[nodiscard]] REKINDLE_MCP_EXPORT RestartPolicy stdioBackendPolicy();

/// A server that is kept running in the background by its policy (S2's supervisor), whether anybody
/// calls or not. Calls wait for it; they never start it.
///
/// It is an agent of the host's supervisor, under the name given, whose startAll(), stopAll(),
/// events and licence tier hold for it.
class REKINDLE_MCP_EXPORT SupervisedServer final : public ToolBackend
{
    Q_OBJECT

public:
    /// `supervisor` must outlive it. It is not started yet. As with McpAgent, stdin and stdout of
    /// the definition are piped.
    SupervisedServer(AgentSupervisor &supervisor, const QString &name,
                     const ProcessDefinition &definition,
                     const RestartPolicy &policy = stdioBackendPolicy(),
                     const McpClientOptions &client = {}, QObject *parent = nullptr);

    /// Ends the server at once; for an orderly end call stop() before, and wait until the
    /// supervisor tells that it has stopped.
    ~SupervisedServer() override;

    /// Why the supervisor has refused it; then nothing is ever started.
    [[nodiscard]] const QList<Fault> &faults() const;

    /// Under which the supervisor knows it; null if it was refused.
    [[nodiscard]] QUuid id() const;

    void start();
    /// EOF, SIGTERM, SIGKILL, as its definition has it; a restart that waits is cancelled.
    void stop();

    [[nodiscard]] QString name() const override;
    [[nodiscard]] McpClient &client() override;
    [[nodiscard]] McpAgent &agent() const;

    /// Waits for a server that is starting or will be. Where none can be there in that time, for it
    /// was stopped, given up, or waits longer than that for its next start, says so at once: an
    /// error of kind NotReady with how the last one ended.
    QFuture<Start> ensureStarted(Duration within) override;

    /// False: it is restarted anyway.
    [[nodiscard]] bool restartsOnExit() const override;
    QFuture<Start> respawn(Duration within) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
