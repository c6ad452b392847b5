// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "groupcensus_p.h"

#include "base/processstat_p.h"

#include <cstdlib>
#include <utility>
#include <vector>

namespace Rekindle {

namespace {

constexpr Duration betweenPasses = std::chrono::milliseconds(20);

// About 2 ms.
constexpr int entriesPerSlice = 200;

// The group of a living process; 0 for a zombie and for entries that are not processes.
pid_t livingGroup(const char *name)
{
    if (name[0] < '1' || name[0] > '9')
        return 0;
    const auto stat = ProcessStat::of(std::atoi(name));
    return stat && !stat->hasExited() ? stat->group : 0;
}

} // namespace

std::shared_ptr<GroupCensus> GroupCensus::of(Scheduler &scheduler)
{
    static thread_local std::unordered_map<Scheduler *, std::weak_ptr<GroupCensus>> all;
    std::weak_ptr<GroupCensus> &known = all[&scheduler];
    std::shared_ptr<GroupCensus> census = known.lock();
    if (!census) {
        std::erase_if(all, [](const auto &entry) { return entry.second.expired(); });
        census.reset(new GroupCensus(scheduler));
        all[&scheduler] = census;
    }
    return census;
}

GroupCensus::GroupCensus(Scheduler &scheduler)
    : m_scheduler(scheduler)
    , m_next(scheduler, [this] { scan(); })
{
}

void GroupCensus::add(pid_t group, std::function<void()> onEmpty)
{
    m_groups[group] = {std::move(onEmpty), false, false};
    if (!m_next.isArmed())
        m_next.armIn(Duration{0});
}

void GroupCensus::remove(pid_t group)
{
    m_groups.erase(group);
    if (m_groups.empty()) {
        m_next.disarm();
        m_folder.reset();
    }
}

void GroupCensus::scan()
{
    if (!m_folder)
        beginPass();
    if (!m_folder) {
        m_next.armIn(betweenPasses);
        return;
    }
    for (int i = 0; i < entriesPerSlice; ++i) {
        const dirent *entry = ::readdir(m_folder.get());
        if (!entry) {
            endPass();
            return;
        }
        if (const pid_t group = livingGroup(entry->d_name)) {
            if (const auto found = m_groups.find(group); found != m_groups.end())
                found->second.seen = true;
        }
    }
    m_next.armIn(Duration{0});
}

void GroupCensus::beginPass()
{
    m_folder.reset(::opendir("/proc"));
    for (auto &[id, group] : m_groups) {
        group.counted = true;
        group.seen = false;
    }
}

void GroupCensus::endPass()
{
    m_folder.reset();
    const auto isEmpty = [](const Group &group) { return group.counted && !group.seen; };
    std::vector<pid_t> empty;
    for (const auto &[id, group] : m_groups) {
        if (isEmpty(group))
            empty.push_back(id);
    }
    m_next.armIn(betweenPasses);
    const std::shared_ptr<GroupCensus> alive = of(m_scheduler);
    for (const pid_t id : empty) {
        // An earlier callback may have removed this group.
        const auto found = m_groups.find(id);
        if (found == m_groups.end() || !isEmpty(found->second))
            continue;
        const std::function<void()> onEmpty = std::move(found->second.onEmpty);
        remove(id);
        onEmpty();
    }
}

} // namespace Rekindle
