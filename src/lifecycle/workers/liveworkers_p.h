// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "workerthread_p.h"

#include <memory>
#include <mutex>
#include <vector>

namespace Rekindle {

/// The worker threads of this process that have not ended. It owns the abandoned ones. Thread-safe.
///
/// When the application exits, it requests all threads to end and waits for one second in total, so
/// that the workers are destroyed before static objects. It does not wait for hung threads.
class LiveWorkers
{
public:
    /// Returns the only object. It is never destroyed, because a thread may outlive static objects.
    static LiveWorkers &all();

    /// Adds a run whose thread was started.
    void add(const std::shared_ptr<WorkerRun> &run);
    /// Takes ownership of an abandoned thread, and destroys it after its end.
    void adopt(std::unique_ptr<WorkerThread> thread, const std::shared_ptr<WorkerRun> &run,
               bool isHung);
    [[nodiscard]] int abandonedCount();

private:
    struct Entry
    {
        std::shared_ptr<WorkerRun> run;
        std::unique_ptr<WorkerThread> thread{}; // null while the agent owns it
        bool isHung = false;
    };

    void removeEnded(); // requires the mutex
    void stopAll();

    std::mutex m_mutex;
    std::vector<Entry> m_entries;
    bool m_hasPostRoutine = false;
};

} // namespace Rekindle
