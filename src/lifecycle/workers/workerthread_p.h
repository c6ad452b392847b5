// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "workerrun_p.h"

#include <QThread>

#include <memory>

namespace Rekindle {

/// The thread of one start of a worker. It accesses the run, never the agent.
class WorkerThread final : public QThread
{
public:
    WorkerThread(WorkerFactory factory, std::shared_ptr<WorkerRun> run);

private:
    void run() override;
    void work(WorkerRun &run);

    WorkerFactory m_factory; // used only by the thread once it runs
    const std::shared_ptr<WorkerRun> m_run;
};

} // namespace Rekindle
