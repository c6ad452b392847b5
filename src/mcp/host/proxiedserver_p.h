// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/proxy/proxysession_p.h"
#include "mcp/tools/ondemandstarter_p.h"
#include "process/internal/serverinput.h"
#include "wire/lineframer_p.h"

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/process/processagent.h>

#include <QObject>
#include <QUuid>

#include <functional>
#include <optional>
#include <span>

namespace Rekindle {

/// The server behind a proxy: connects a ProxySession to a process under a supervisor. Never
/// blocks. Lines that the process does not read are queued; the owner checks unreadSize().
///
/// A line of the client enters the session in clientLines(), a line of the process in output().
/// performActions() performs what the session decides about it; finishEvent() then writes to the
/// process and arms the timers.
class ProxiedServer : public QObject
{
    Q_OBJECT

public:
    struct Options
    {
        ProxyOptions session{};

        /// Whether the session ends if the process exits with 0 and its policy does not restart it.
        /// Otherwise, the server is given up and can be restarted on request.
        bool endsWithProcess = false;

        /// Starts the process on demand. Without a value, start() starts the process, and the
        /// policy of its agent applies.
        std::optional<OnDemandStarter> onDemand{};

        /// Reads the marker file, for the tools that the session offers.
        std::function<MarkerReading()> readMarker{};
    };

    /// The agent was created from ProcessDefinition::stdioServer() and is not started yet.
    ProxiedServer(AgentSupervisor &supervisor, const QUuid &id, ProcessAgent &agent,
                  Options options);

    void start();

    /// `arrived` is when a gateway, which is the session's client, got them, if not now.
    void clientLines(std::span<const FramedLine> lines,
                     RequestOrigin origin = RequestOrigin::Client,
                     std::optional<Instant> arrived = {});

    /// Restarts the process. restartDecided() follows. Returns false if the restart was refused,
    /// and no value if another one is in progress, the session ends, or an event is being handled.
    /// `method` is for the marker.
    std::optional<bool> restart(const QString &reason, const QString &method);

    /// Reports the process as unhealthy; its policy decides.
    void fail(const QString &why);

    /// Stops the process. Unless `isHurried`, the process first reads what was sent.
    void end(bool isHurried);

    /// Returns whether lines of the client are not accepted anymore.
    [[nodiscard]] bool isEnding() const { return m_isEnding; }

    /// Returns whether nothing runs or will be started.
    [[nodiscard]] bool hasEnded() const;

    /// Pauses reading from the process.
    void setPaused(bool isPaused) { m_agent.setOutputPaused(isPaused); }

    /// Returns the number of bytes that the process has not read.
    [[nodiscard]] qsizetype unreadSize() const { return m_input.size(); }

    /// Returns whether the process has read none of them for 2 s.
    [[nodiscard]] bool isStalled();

    [[nodiscard]] const RestartRecord &record() const { return m_session.record(); }

Q_SIGNALS:
    void started();
    void progressed(); ///< the process has written something during its start
    /// Another process has accepted the session's handshake. `capabilities` is a JSON object.
    void handshakeReplayed(const QByteArray &capabilities);
    void processExited(); ///< exited or failed to start; emitted before the session handles it
    void toClient(const QByteArray &line);
    void refused(const ProxyRefusal &refusal); ///< for the client, in order with toClient()
    /// Also if a restart is already in progress. `whyGivenUp`: why the server was not running.
    void restartDecided(bool isAccepted, const QString &whyGivenUp);
    void eventFinished(); ///< all actions of an event were performed

    // For the marker file. A requested restart is only reported before the old process is stopped.
    void restarting(const RestartMarker &marker); ///< without its time
    void restarted(const RestartMarker &marker);

    void noted(const QString &text);
    void errorLine(const QByteArray &line);
    void callFinished(const ToolCallFinished &call);

private:
    void connectAgent();
    void processStarted();
    void output(const QByteArray &bytes);
    void outputEnded();
    void noteProgress();
    void handleExit(ServerExit::Kind kind, FailureDetail detail);
    [[nodiscard]] FailureDetail exitDetail() const;
    void updateOnDemand();
    void failClosedInput();
    void performActions();
    void finishEvent();
    void perform(const ProxyAction &action);
    void requestRestart(const ProxyAction &request);
    void restartLater(const AgentSnapshot &snapshot, const QString &reason);
    void restartNow();
    void failProcess(const Failure &failure);
    void reportCall(ToolCallFinished call);
    void finishInput();

    [[nodiscard]] ServerOutlook outlook() const;
    [[nodiscard]] RestartPolicyEvaluator &policyEvaluator() const
    {
        return m_supervisor.policyEvaluator();
    }
    [[nodiscard]] Instant now() const { return m_supervisor.scheduler().now(); }

    AgentSupervisor &m_supervisor;
    const QUuid m_id;
    ProcessAgent &m_agent;
    const bool m_endsWithProcess;
    std::optional<OnDemandStarter> m_onDemand;
    const std::function<MarkerReading()> m_readMarker;
    ProxySession m_session;
    LineFramer m_lines;
    ServerInput m_input;
    Deadline m_deadline;        // of the session
    Deadline m_inputCheck;      // whether the process still reads, at the end of the session
    Deadline m_closedInputTime; // when a process that has closed its stdin must have exited
    Deadline m_restartTime;     // of a requested start that the policy delays
    QString m_restartReason;
    std::optional<Instant> m_startedAt;
    std::optional<FailureDetail> m_supervisorFault; // why the supervisor stops the process
    bool m_isPerforming = false;
    std::optional<bool> m_isAccepted; // the decision about the last requested restart
    QString m_whyGivenUp;             // why the server was not running then
    bool m_isEnding = false;
    bool m_isRestartPending = false; // requested by restart()
    bool m_isHurried = false;
    bool m_isStopRequested = false;
};

} // namespace Rekindle
