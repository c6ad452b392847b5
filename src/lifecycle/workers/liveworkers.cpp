// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "liveworkers_p.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {
constexpr std::chrono::seconds waitAtExit(1);
} // namespace

LiveWorkers &LiveWorkers::all()
{
    static auto *const workers = new LiveWorkers;
    return *workers;
}

void LiveWorkers::add(const std::shared_ptr<WorkerRun> &run)
{
    const std::scoped_lock lock(m_mutex);
    removeEnded();
    m_entries.push_back({run});
    // Qt removes the routine after its call, and another application object may be created later.
    if (!std::exchange(m_hasPostRoutine, true))
        qAddPostRoutine([] { all().stopAll(); });
}

void LiveWorkers::adopt(std::unique_ptr<WorkerThread> thread, const std::shared_ptr<WorkerRun> &run,
                        bool isHung)
{
    const std::scoped_lock lock(m_mutex);
    // The thread to which the QThread object belongs may end before it.
    thread->moveToThread(nullptr);
    const auto entry = std::ranges::find(m_entries, run, &Entry::run);
    if (entry == m_entries.end())
        return; // it has ended
    entry->thread = std::move(thread);
    entry->isHung = isHung;
    removeEnded();
}

int LiveWorkers::abandonedCount()
{
    const std::scoped_lock lock(m_mutex);
    removeEnded();
    return static_cast<int>(std::ranges::count_if(
        m_entries, [](const Entry &entry) { return entry.thread != nullptr; }));
}

void LiveWorkers::removeEnded()
{
    // Their code has finished, so that the destructor of the thread does not block.
    std::erase_if(m_entries, [](const Entry &entry) { return entry.run->hasEnded(); });
}

void LiveWorkers::stopAll()
{
    std::vector<std::shared_ptr<WorkerRun>> runs;
    {
        const std::scoped_lock lock(m_mutex);
        m_hasPostRoutine = false;
        for (const Entry &entry : m_entries) {
            if (!entry.isHung)
                runs.push_back(entry.run);
        }
    }
    for (const std::shared_ptr<WorkerRun> &run : runs)
        run->requestStop();
    const auto end = std::chrono::steady_clock::now() + waitAtExit;
    for (const std::shared_ptr<WorkerRun> &run : runs)
        run->waitUntilEnded(end);
}

} // namespace Rekindle
