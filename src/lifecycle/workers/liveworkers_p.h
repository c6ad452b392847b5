// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "workerthread_p.h"

#include <memory>
#include <mutex>
#include <vector>

namespace Rekindle {

/// The workers' threads of this process that have not ended, and the owner of those whose agent
/// waits for them no longer. Thread-safe.
///
/// At the end of the application it asks all threads to end and gives them a second together, so
/// that their destructors do not run into those of the program. It waits for none that was found
/// to hang.
class LiveWorkers
{
public:
    /// Never destroyed: a thread may still be there when the program ends.
    static LiveWorkers &all();

    /// Its thread has been started.
    void add(const std::shared_ptr<WorkerRun> &run);
    /// Takes over a thread, and destroys it some time after it has ended.
    void setAside(std::unique_ptr<WorkerThread> thread, const std::shared_ptr<WorkerRun> &run,
                  bool isHung);
    [[nodiscard]] int setAsideCount();

private:
    struct Entry
    {
        std::shared_ptr<WorkerRun> run;
        std::unique_ptr<WorkerThread> thread{}; // none while it is the agent's
        bool isHung = false;
    };

    void removeEnded(); // the mutex is held
    void endAll();

    std::mutex m_mutex;
    std::vector<Entry> m_entries;
    bool m_endsWithTheApplication = false;
};

} // namespace Rekindle
