// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/scheduler.h>

#include <dirent.h>
#include <sys/types.h>

#include <memory>
#include <unordered_map>

namespace Rekindle {

/// Tells when a process group whose leader is gone has no living member left. Zombies do not
/// count: where nobody adopts and reaps orphans, they stay. All groups share one look at the
/// processes, every 20 ms while there is a group to look for, in slices that keep the event loop
/// free.
class GroupCensus
{
public:
    class Listener
    {
    public:
        virtual ~Listener();

        /// The group is no longer looked for. May do anything.
        virtual void groupIsEmpty() = 0;
    };

    /// The one of this thread for that scheduler; it lives as long as somebody holds it.
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
    void look();
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
