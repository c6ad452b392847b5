// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "groupusage_p.h"

#include <rekindle/lifecycle/scheduler.h>

#include <dirent.h>
#include <sys/types.h>

#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>

namespace Rekindle {

/// Measures process groups repeatedly. One pass over /proc measures all groups for which at least
/// half of their wait has passed, so that the cost hardly depends on the number of groups. The
/// passes use at most 1 % of a core: after an expensive pass, all groups wait longer.
class UsageSampler : public std::enable_shared_from_this<UsageSampler>
{
public:
    /// Called after each wait, or earlier by up to half of it, also for a group without processes.
    /// Returns the next wait. It may add and remove groups and destroy objects.
    using Callback = std::function<Duration(const GroupUsage &usage)>;

    /// Use perScheduler(). With `pause`, the passes are not limited to 1 % of a core, and this is
    /// the time between two of them.
    explicit UsageSampler(Scheduler &scheduler, std::optional<Duration> pause = std::nullopt);

    void add(pid_t group, Duration firstWait, Callback callback);
    void remove(pid_t group);

private:
    struct Group
    {
        Duration wait{};
        Callback callback;
        Instant due{};
        bool isMeasured = false; // by this pass
        GroupUsage usage{};
    };

    void scan();
    void beginPass();
    [[nodiscard]] bool readSlice();
    void count(const char *process);
    void endPass();
    void arm(Instant due);
    void armNext();

    Scheduler &m_scheduler;
    const std::optional<Duration> m_pause;
    Deadline m_next;
    Duration m_passTime{0};              // CPU time of the current pass
    Instant m_earliest = Instant::min(); // of the next pass
    struct CloseFolder
    {
        void operator()(DIR *folder) const { ::closedir(folder); }
    };
    std::unique_ptr<DIR, CloseFolder> m_folder; // /proc, during a pass
    std::unordered_map<pid_t, Group> m_groups;
};

} // namespace Rekindle
