// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/scheduler.h>

#include <dirent.h>
#include <sys/types.h>

#include <functional>
#include <memory>
#include <unordered_map>

namespace Rekindle {

/// Detects when process groups without a leader are empty. Zombies do not count, because in some
/// containers no process reaps orphans. All groups share one pass over /proc, every 20 ms while
/// there is a group, in slices that do not block the event loop.
class GroupCensus
{
public:
    /// The census of this thread and scheduler, which exists while it is referenced.
    static std::shared_ptr<GroupCensus> of(Scheduler &scheduler);

    /// `onEmpty` is called once, after the group was removed. It may do anything.
    void add(pid_t group, std::function<void()> onEmpty);
    void remove(pid_t group);

private:
    struct Group
    {
        std::function<void()> onEmpty;
        bool counted = false; // from the start of the pass
        bool seen = false;
    };

    explicit GroupCensus(Scheduler &scheduler);
    void scan();
    void beginPass();
    void endPass();

    struct CloseFolder
    {
        void operator()(DIR *folder) const { ::closedir(folder); }
    };

    Scheduler &m_scheduler;
    Deadline m_next;
    std::unique_ptr<DIR, CloseFolder> m_folder;
    std::unordered_map<pid_t, Group> m_groups;
};

} // namespace Rekindle
