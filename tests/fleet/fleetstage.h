// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/fleet/fleetnode.h>
#include <rekindle/fleet/fleetrecords.h>
#include <rekindle/fleet/virtualstore.h>
#include <rekindle/lifecycle/virtualscheduler.h>

namespace Rekindle {

/// A node with placed agents that a test reaps, and a log of what the node does.
class StagedNode final : public FleetAgents
{
public:
    StagedNode(VirtualStoreServer &server, Scheduler &scheduler, const QString &name,
               const QString &run, const QString &previousRun = {})
        : store(server, scheduler)
        , node(store, scheduler, *this,
               {.node = name, .run = run, .previousRun = previousRun, .times = {}})
    {
    }

    void start(const QString &agent, qint64 token) override
    {
        log.append(QStringLiteral("start %1").arg(agent));
        lastToken = token;
    }
    void stop(const QString &agent) override
    {
        log.append(QStringLiteral("stop %1").arg(agent));
        if (reapsAtOnce)
            node.reaped(agent);
    }
    void setKillDeadline(Instant deadline) override { killDeadline = deadline; }
    void report(const QString &fault) override { faults.append(fault); }

    /// What was done since the last call.
    QString done() { return std::exchange(log, {}).join(QLatin1String(", ")); }

    bool reapsAtOnce = true;
    qint64 lastToken = 0;
    Instant killDeadline{};
    QStringList log;
    QStringList faults;
    VirtualStore store;
    FleetNode node;
};

} // namespace Rekindle
