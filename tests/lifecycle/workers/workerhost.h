// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "stage.h"
#include "workertest.h"

#define TRY_WORDS(host, word, count)                                                               \
    QTRY_COMPARE_WITH_TIMEOUT((host).words(QStringLiteral(word)), count, longWait)

namespace Rekindle {

/// A supervisor in virtual time with one started worker.
class WorkerHost
{
public:
    /// By default, the worker runs the jobs of the channel.
    explicit WorkerHost(const QString &policy, const WorkerOptions &options = {},
                        const WorkerFactory &factory = {})
        : supervisor(scheduler, {}, [](const QUuid &) { return 0.5; })
        , log(supervisor.policyEvaluator())
    {
        grantAll(supervisor);
        id = supervisor
                 .add(QStringLiteral("worker"),
                      std::make_unique<WorkerAgent>(factory ? factory : channelFactory(channel),
                                                    options, scheduler),
                      policyOf(policy))
                 .id;
        QObject::connect(&supervisor, &AgentSupervisor::allStopped, &log,
                         [this] { log.write({}, QStringLiteral("ALLSTOPPED")); });
        supervisor.start(id);
        scheduler.advance(Duration::zero());
    }

    [[nodiscard]] int words(const QString &word) const
    {
        return static_cast<int>(log.text().split(u' ').count(word));
    }
    [[nodiscard]] QString message() const
    {
        return supervisor.snapshot(id)->lastFailure->detail.message;
    }

    Channel channel = std::make_shared<WorkerChannel>();
    VirtualClock clock;
    VirtualScheduler scheduler{clock};
    AgentSupervisor supervisor;
    EventLog log;
    QUuid id;
};

} // namespace Rekindle
