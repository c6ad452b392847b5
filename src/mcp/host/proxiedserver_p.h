// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/proxy/proxysession_p.h"
#include "mcp/tools/spawnpolicies_p.h"
#include "mcp/transport/lineframer_p.h"
#include "mcp/transport/serverinput_p.h"

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/process/processagent.h>

#include <QObject>
#include <QUuid>

#include <functional>
#include <optional>
#include <span>

namespace Rekindle {

/// The server behind a proxy: a ProxySession, the process under its supervisor that it is the
/// session of, and what goes between the two. It never waits: what the process does not read is
/// kept, and whoever feeds it looks at how much that is.
///
/// In the source: proxiedserverondemand.cpp has the starts of one that runs on demand.
class ProxiedServer : public QObject
{
    Q_OBJECT

public:
    struct Options
    {
        ProxyOptions session{};

        /// A process that its policy does not start again after a clean end is the end of all, not
        /// one that is given up and can be asked for.
        bool endsWithProcess = false;

        /// A request that needs the process has it started, with this policy for its starts;
        /// nothing else does. Nothing: it is started by start(), and kept up by its agent's policy.
        std::optional<SpawnPolicies> onDemand{};

        /// What the marker file says, where the session offers tools that tell it.
        std::function<MarkerReading()> readMarker{};
    };

    /// The process is one of ProcessDefinition::stdioServer(), not started yet.
    ProxiedServer(AgentSupervisor &supervisor, const QUuid &id, ProcessAgent &agent,
                  Options options);

    void start();

    /// Lines of the session's client.
    void clientLines(std::span<const FramedLine> lines);
    /// One line of the gateway, which is the session's client.
    void clientLine(const QByteArray &line, RequestOrigin origin);

    /// Another process instead of this one. False if there were too many of late; nothing if one is
    /// on its way already. `method` is for the marker.
    std::optional<bool> restart(const QString &reason, const QString &method);

    /// It is of no use: its policy decides.
    void fail(const QString &why);

    /// Nobody needs it any more: it gets what it was sent, unless `isHurried`, and is stopped.
    void end(bool isHurried);

    /// Nothing more is taken from the client.
    [[nodiscard]] bool isEnding() const { return m_isEnding; }

    /// Nothing of it runs, or will.
    [[nodiscard]] bool hasEnded() const;

    /// Nothing is read from it meanwhile.
    void setPaused(bool isPaused) { m_agent.setOutputPaused(isPaused); }

    /// What it was sent and does not read, in bytes.
    [[nodiscard]] qsizetype unreadSize() const { return m_input.size(); }

    /// It has read nothing of that for 2 s.
    [[nodiscard]] bool isStalled();

    [[nodiscard]] const RestartRecord &record() const { return m_session.record(); }

Q_SIGNALS:
    void started();
    void processGone(); ///< before anything that comes of it
    void toClient(const QByteArray &line);
    void refused(const ProxyRefusal &refusal); ///< for the client, in order with toClient()
    void settled(); ///< what came of the last things that happened has been said
    void restarted(const RestartMarker &marker); ///< for the marker file
    void noted(const QString &text);
    void errorLine(const QByteArray &line);

private:
    void connectAgent();
    void processStarted();
    void output(const QByteArray &bytes);
    void outputEnded();
    void gone(ServerEnd::Kind kind, FailureDetail detail);
    [[nodiscard]] FailureDetail endedByItself() const;
    void lookAhead();
    void startOnDemand();
    void attendOnDemand();
    void isDeaf();
    void act();
    void perform();
    void carryOut(const ProxyAction &action);
    void requestRestart(const QString &reason);
    void failProcess(const QString &why);
    void finishInput();

    [[nodiscard]] ServerOutlook outlook() const;
    [[nodiscard]] RestartPolicyEvaluator &evaluator() const { return m_supervisor.evaluator(); }
    [[nodiscard]] Instant now() const { return m_supervisor.scheduler().now(); }

    AgentSupervisor &m_supervisor;
    const QUuid m_id;
    ProcessAgent &m_agent;
    const bool m_endsWithProcess;
    const std::optional<SpawnPolicies> m_onDemand;
    const std::function<MarkerReading()> m_readMarker;
    ProxySession m_session;
    LineFramer m_lines;
    ServerInput m_input;
    Deadline m_deadline;  // of the session
    Deadline m_inputLook; // at the end, while the process does not take what it was sent
    Deadline m_takenLook; // while much is kept of what the process works on
    Deadline m_deafTime;  // for one that has closed its stdin to end
    Deadline m_eofTime;   // for one that is restarted to end by itself
    QString m_deafWhy;
    bool m_isPerforming = false;
    std::optional<bool> m_isAccepted; // what was decided about the restart that was asked for last
    bool m_isEnding = false;
    bool m_isStarting = false; // on demand, and it has not proven itself since
    bool m_isAsked = false;    // by restart(), and it has not come yet
    bool m_isHurried = false;
    bool m_isStopAsked = false;
};

} // namespace Rekindle
