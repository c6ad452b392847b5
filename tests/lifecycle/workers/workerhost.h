// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "lifecycle/workerstage.h"
#include "stage.h"

#include <QtTest>

#define TRY_WORDS(host, word, count)                                                               \
    QTRY_COMPARE_WITH_TIMEOUT((host).words(QStringLiteral(word)), count, longWait)

namespace Rekindle {

/// A supervisor in virtual time with one worker.
class WorkerHost
{
public:
    WorkerHost(const WorkerFactory &factory, const QString &policy,
               const WorkerOptions &options = {})
        : supervisor(scheduler, {}, [] { return 0.5; })
        , log(supervisor.evaluator())
    {
        grantAll(supervisor);
        id = supervisor
                 .add(QStringLiteral("worker"),
                      std::make_unique<WorkerAgent>(factory, options, scheduler), policyOf(policy))
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

    VirtualClock clock;
    VirtualScheduler scheduler{clock};
    AgentSupervisor supervisor;
    EventLog log;
    QUuid id;
};

} // namespace Rekindle
