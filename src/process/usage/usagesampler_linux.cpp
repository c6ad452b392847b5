// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "usagesampler_p.h"

#include "base/processes/processstat_p.h"

#include <ctime>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

namespace Rekindle {

namespace {

constexpr int shareOfCore = 100; // 1 of 100 parts: 1 %

// So that a pass does not block the event loop. They take some milliseconds.
constexpr int entriesPerSlice = 200;

Duration threadTime()
{
    timespec time = {};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

} // namespace

UsageSampler::UsageSampler(Scheduler &scheduler, std::optional<Duration> pause)
    : m_scheduler(scheduler)
    , m_pause(pause)
    , m_next(scheduler, [this] { scan(); })
{
}

void UsageSampler::add(pid_t group, Duration firstWait, Callback callback)
{
    const Instant due = m_scheduler.now() + firstWait;
    m_groups[group] = {firstWait, std::move(callback), due, false, {}};
    arm(due);
}

void UsageSampler::remove(pid_t group)
{
    m_groups.erase(group);
    if (m_groups.empty()) {
        m_next.disarm();
        m_folder.reset();
        if (m_pause)
            m_earliest = Instant::min();
    }
}

void UsageSampler::scan()
{
    if (!m_folder)
        beginPass();
    const Duration before = threadTime();
    const bool isLast = !m_folder || !readSlice();
    m_passTime += threadTime() - before;
    if (isLast)
        endPass();
    else
        m_next.armIn(Duration{0});
}

void UsageSampler::beginPass()
{
    m_folder.reset(::opendir("/proc"));
    const Instant now = m_scheduler.now();
    m_passTime = {};
    for (auto &[id, group] : m_groups) {
        if (now < group.due - group.wait / 2)
            continue;
        group.due = now + group.wait;
        group.isMeasured = m_folder != nullptr;
        group.usage = {};
    }
}

// Returns false after the last process.
bool UsageSampler::readSlice()
{
    for (int i = 0; i < entriesPerSlice; ++i) {
        const dirent *const entry = ::readdir(m_folder.get());
        if (!entry) {
            m_folder.reset();
            return false;
        }
        count(entry->d_name);
    }
    return true;
}

void UsageSampler::count(const char *process)
{
    if (process[0] < '1' || process[0] > '9')
        return;
    const std::optional<ProcessStat> stat = ProcessStat::of(std::atoi(process));
    if (!stat || stat->hasExited())
        return;
    const auto found = m_groups.find(stat->group);
    if (found == m_groups.end() || !found->second.isMeasured)
        return;
    GroupUsage &usage = found->second.usage;
    usage.residentBytes += stat->residentBytes;
    usage.cpuTime += stat->cpuTime + stat->childrenCpuTime;
    ++usage.processes;
}

void UsageSampler::endPass()
{
    std::vector<pid_t> measured;
    for (const auto &[id, group] : m_groups) {
        if (group.isMeasured)
            measured.push_back(id);
    }
    m_earliest = m_scheduler.now() + m_pause.value_or(shareOfCore * m_passTime);
    armNext();
    const std::shared_ptr<UsageSampler> alive = shared_from_this();
    for (const pid_t id : measured) {
        // An earlier callback may have removed or added this group.
        const auto found = m_groups.find(id);
        if (found == m_groups.end() || !std::exchange(found->second.isMeasured, false))
            continue;
        // Copies, because the callback may remove the group.
        const Callback callback = found->second.callback;
        const GroupUsage usage = found->second.usage;
        const Duration wait = callback(usage);
        if (const auto again = m_groups.find(id); again != m_groups.end()) {
            again->second.wait = wait;
            again->second.due = m_scheduler.now() + wait;
            arm(again->second.due);
        }
    }
}

void UsageSampler::arm(Instant due)
{
    if (m_folder)
        return; // endPass() calls armNext()
    const Instant when = std::max(due, m_earliest);
    if (!m_next.isArmed() || when < m_next.due())
        m_next.arm(when);
}

void UsageSampler::armNext()
{
    const auto next =
        std::min_element(m_groups.begin(), m_groups.end(),
                         [](const auto &a, const auto &b) { return a.second.due < b.second.due; });
    m_next.disarm();
    if (next != m_groups.end())
        arm(next->second.due);
}

} // namespace Rekindle
