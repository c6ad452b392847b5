// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/processes/processpass_p.h"

#include <rekindle/lifecycle/scheduler.h>

#include <sys/types.h>

#include <functional>
#include <memory>
#include <unordered_map>

namespace Rekindle {

/// Detects when process groups without a leader are empty. Zombies do not count, because in some
/// containers no process reaps orphans. All groups share one pass over /proc, every 20 ms while
/// there is a group.
class GroupCensus : public std::enable_shared_from_this<GroupCensus>
{
public:
    /// Use perScheduler().
    explicit GroupCensus(Scheduler &scheduler);

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

    void scan();
    void endPass();

    Deadline m_next;
    ProcessPass m_pass;
    std::unordered_map<pid_t, Group> m_groups;
};

} // namespace Rekindle
