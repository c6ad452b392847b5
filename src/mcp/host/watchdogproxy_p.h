// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/watchdogproxy.h>

#include "clientlines_p.h"
#include "markerfile_p.h"
#include "proxiedserver_p.h"

#include <rekindle/policy/slidingwindow.h>

#include <QThreadPool>

namespace Rekindle {

/// Binds a client to its one server, makes each wait for the other, and keeps the marker file.
class WatchdogProxy::Private
{
public:
    Private(WatchdogProxy *proxy, AgentSupervisor &theSupervisor, const QUuid &agentId,
            ProcessAgent &theAgent, const WatchdogOptions &options);

    void connectClient();
    void connectServer();
    void settle();
    void lookAtServer();

    void writeMarker(const RestartMarker &marker);
    [[nodiscard]] MarkerReading markerOfBefore();
    [[nodiscard]] QString reasonInMarker();

    [[nodiscard]] Scheduler &scheduler() const { return supervisor.scheduler(); }

    WatchdogProxy *const q;
    AgentSupervisor &supervisor;
    ProcessAgent &agent;
    MarkerFile markerFile;
    const QString serverName; // in that file, which servers may share
    const UtcTime beginning;  // of the proxy
    std::optional<RestartMarker> written;
    ClientLines client;
    ProxiedServer server;
    Deadline serverLook;        // while the server does not take what the client has sent
    bool mayRead = false;       // the client: a server has come, or none will
    SlidingWindow hostRestarts; // whether there is a server or not: nobody looks at them
    QThreadPool markerThread;   // files may take their time; its end is waited for first
};

} // namespace Rekindle
