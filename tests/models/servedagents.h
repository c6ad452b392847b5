// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "fulllicense.h"
#include "scriptedagent.h"

#include <rekindle/control/controlserver.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/timerscheduler.h>

namespace Rekindle {

/// A host in real time with a control socket.
class ServedAgents
{
public:
    explicit ServedAgents(const QString &folder)
        : server(supervisor, {.socketName = QStringLiteral("web"), .folder = folder})
    {
        grantAll(supervisor);
        if (const QString fault = server.listen(); !fault.isEmpty())
            qFatal("%s", qPrintable(fault));
    }

    QUuid add(const QString &name, const QString &runs = QStringLiteral("started ready"))
    {
        return supervisor
            .add(name, std::make_unique<ScriptedAgent>(scheduler, AgentScript{.runs = runs}))
            .id;
    }

    TimerScheduler scheduler;
    AgentSupervisor supervisor{scheduler};
    ControlServer server;
};

} // namespace Rekindle
