// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "reaper_p.h"

#include <sys/wait.h>

#include <algorithm>
#include <utility>

namespace Rekindle {

Reaper &Reaper::ofThisThread()
{
    static thread_local Reaper reaper;
    return reaper;
}

Reaper::~Reaper()
{
    for (Entry &entry : m_entries) {
        m_watcher->remove(entry.pidFd.get());
        reap(entry);
    }
}

void Reaper::take(UniqueFd pidFd, GuardSlot slot)
{
    Reaper &reaper = ofThisThread();
    Entry entry{std::move(pidFd), std::move(slot)};
    if (reap(entry))
        return;
    if (!reaper.m_watcher)
        reaper.m_watcher = FdWatcher::ofThisThread();
    if (!reaper.m_watcher
        || reaper.m_watcher->add(entry.pidFd.get(), FdWatcher::Direction::Read, reaper) != 0)
        return; // out of resources: a zombie until the host exits
    reaper.m_entries.push_back(std::move(entry));
}

bool Reaper::reap(Entry &entry)
{
    siginfo_t info{};
    const int result =
        ::waitid(P_PIDFD, static_cast<id_t>(entry.pidFd.get()), &info, WEXITED | WNOHANG);
    if (result == 0 && info.si_pid == 0)
        return false;
    entry.slot.end();
    return true;
}

void Reaper::fdReady(int fd)
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(),
                                    [fd](const Entry &entry) { return entry.pidFd.get() == fd; });
    if (found == m_entries.end() || !reap(*found))
        return;
    m_watcher->remove(fd);
    std::swap(*found, m_entries.back());
    m_entries.pop_back();
    // Releases the watcher of the thread.
    if (m_entries.empty())
        m_watcher.reset();
}

} // namespace Rekindle
