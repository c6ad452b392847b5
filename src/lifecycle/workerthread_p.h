// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "workerrun_p.h"

#include <QThread>

#include <memory>

namespace Rekindle {

/// The thread of one start of a worker. It touches nothing of the agent, only the run.
class WorkerThread final : public QThread
{
public:
    explicit WorkerThread(std::shared_ptr<WorkerRun> run);

    /// Takes over a thread that nobody waits for any more, and destroys it after it has ended.
    /// `isHung`: the end of the application does not wait for it either; for others it waits for a
    /// second, so that their destructors do not run into those of the program. Thread-safe.
    static void setAside(std::unique_ptr<WorkerThread> thread, bool isHung);
    [[nodiscard]] static int stranded();

private:
    void run() override;
    void work(WorkerRun &run);

    const std::shared_ptr<WorkerRun> m_run;
};

} // namespace Rekindle
