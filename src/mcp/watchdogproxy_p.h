// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/watchdogproxy.h>

#include "clientpipe_p.h"
#include "lineframer_p.h"
#include "markerfile_p.h"
#include "proxysession_p.h"
#include "serverinput_p.h"

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/policy/slidingwindow.h>
#include <rekindle/process/processagent.h>

#include <QThreadPool>

namespace Rekindle {

/// Binds a ProxySession to its pipes. In the source: watchdogserver.cpp has the server's side,
/// watchdogproxy.cpp the client's and what the session wants done.
class WatchdogProxy::Private
{
public:
    Private(WatchdogProxy *proxy, AgentSupervisor &theSupervisor, const QUuid &agentId,
            ProcessAgent &theAgent, WatchdogOptions theOptions);

    void connectAgent();
    void connectClient();

    void clientBytes(const QByteArray &bytes);
    void clientEnded();
    void clientBroken(const QString &fault);
    void serverStarted();
    void serverBytes(const QByteArray &bytes);
    void serverOutputEnded();
    void serverGone(ServerEnd::Kind kind, FailureDetail detail);
    void lookAhead();
    void serverIsDeaf();
    [[nodiscard]] QString reasonInMarker();
    [[nodiscard]] MarkerReading markerOfBefore();

    void act();
    void perform();
    void carryOut(const ProxyAction &action);
    void requestRestart(const QString &reason);
    [[nodiscard]] bool isRestartAccepted(const QString &reason);
    void failServer(const QString &why);
    void writeMarker(const RestartMarker &marker);
    void flush();
    void lookAtInput();
    void endServer();
    void finishInput();
    void lookWhetherEnded();
    void drainTimePassed();
    void tellEnd(bool cutsOff);

    [[nodiscard]] ServerOutlook outlook() const;
    [[nodiscard]] RestartPolicyEvaluator &evaluator() const { return supervisor.evaluator(); }
    [[nodiscard]] Scheduler &scheduler() const { return supervisor.scheduler(); }
    [[nodiscard]] Instant now() const { return supervisor.scheduler().now(); }

    WatchdogProxy *const q;
    AgentSupervisor &supervisor;
    const QUuid id;
    ProcessAgent &agent;
    MarkerFile markerFile;
    ProxySession session;
    ClientPipe client;
    LineFramer clientLines;
    LineFramer serverLines;
    std::vector<FramedLine> lines; // kept for its memory
    ServerInput toServer;
    Deadline deadline;  // of the session
    Deadline inputLook; // while the server does not take what the client has sent
    Deadline takenLook; // while much is kept of what the server works on
    Deadline deafTime;  // for a server that has closed its stdin to end
    Deadline eofTime;   // for one that is restarted to end by itself
    Deadline drainTime;
    qsizetype drainLeft = 0; // what the client had to read when that began
    const UtcTime beginning; // of the proxy
    UtcTime serverStart{};
    QString deafWhy; // the server that is ended for it
    std::optional<RestartMarker> written;
    bool isPerforming = false;
    bool mayRead = false;   // the client: a server has come, or none will
    bool isEnding = false;  // nothing more comes from the client
    bool isHurried = false; // nor is what has come worth waiting for
    bool isStopAsked = false;
    bool hasEnded = false;
    bool isBroken = false;          // the output, and that was told
    std::optional<bool> isAccepted; // what was decided about the restart that was asked for last
    SlidingWindow hostRestarts;     // whether there is a server or not: nobody looks at them
    QThreadPool markerThread;       // files may take their time; its end is waited for first
};

} // namespace Rekindle
