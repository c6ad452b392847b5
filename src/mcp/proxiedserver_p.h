// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "lineframer_p.h"
#include "proxysession_p.h"
#include "serverinput_p.h"

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/process/processagent.h>

#include <QObject>
#include <QUuid>

namespace Rekindle {

/// A server of a gateway: a ProxySession, the process under its supervisor that it is the session
/// of, and what goes between the two. It never waits: what the process does not read is kept, as
/// much as the session lets requests be under way.
class ProxiedServer : public QObject
{
    Q_OBJECT

public:
    /// The process is one of WatchdogProxy::serverDefinition(), not started yet.
    ProxiedServer(AgentSupervisor &supervisor, const QUuid &id, ProcessAgent &agent,
                  ProxyOptions options);

    void start();

    /// A line of the session's client.
    void clientLine(const QByteArray &line);

    /// Another process instead of this one; false if there were too many of late.
    [[nodiscard]] bool restart(const QString &reason);

    /// It is of no use: its policy decides.
    void fail(const QString &why);

    /// Nobody needs it any more: it gets what it was sent, unless `isHurried`, and is stopped.
    void end(bool isHurried);

    /// Nothing of it runs, or will.
    [[nodiscard]] bool hasEnded() const;

    /// Nothing is read from it meanwhile.
    void setPaused(bool isPaused) { m_agent.setOutputPaused(isPaused); }

    [[nodiscard]] const InjectedTools::RestartRecord &record() const { return m_session.record(); }

Q_SIGNALS:
    void started();
    void processGone(); ///< before anything that comes of it
    void toClient(const QByteArray &line);
    void noted(const QString &text);
    void errorLine(const QByteArray &line);
    void ended(); ///< perhaps: see hasEnded()

private:
    void connectAgent();
    void processStarted();
    void output(const QByteArray &bytes);
    void outputEnded();
    void gone(ServerEnd::Kind kind, FailureDetail detail);
    void lookAhead();
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
    ProxySession m_session;
    LineFramer m_lines;
    ServerInput m_input;
    Deadline m_deadline;  // of the session
    Deadline m_inputLook; // at the end, while the process does not take what it was sent
    Deadline m_deafTime;  // for one that has closed its stdin to end
    Deadline m_eofTime;   // for one that is restarted to end by itself
    QString m_deafWhy;
    bool m_isPerforming = false;
    bool m_isAccepted = false; // the last restart
    bool m_isEnding = false;
    bool m_isHurried = false;
    bool m_isStopAsked = false;
};

} // namespace Rekindle
