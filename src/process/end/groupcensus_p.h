// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/scheduler.h>

#include <dirent.h>
#include <sys/types.h>

#include <memory>
#include <unordered_map>

namespace Rekindle {

/// Detects when process groups without a leader are empty. Zombies do not count, because in some
/// containers no process reaps orphans. All groups share one pass over /proc, every 20 ms while
/// there is a group, in slices that do not block the event loop.
class GroupCensus
{
public:
    class Listener
    {
    public:
        virtual ~Listener();

        /// The group was removed. May do anything.
        virtual void groupIsEmpty() = 0;
    };

    /// The census of this thread and scheduler, which exists while it is referenced.
    static std::shared_ptr<GroupCensus> of(Scheduler &scheduler);

    void add(pid_t group, Listener &listener);
    void remove(pid_t group);

private:
    struct Group
    {
        Listener *listener = nullptr;
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
