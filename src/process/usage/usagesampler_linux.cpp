// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "usagesampler_p.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace Rekindle {

UsageSampler::UsageSampler(Scheduler &scheduler)
    : m_scheduler(scheduler)
    , m_next(scheduler, [this] { scan(); })
{
}

void UsageSampler::add(pid_t group, Duration interval, Callback callback)
{
    m_groups[group] = {interval, std::move(callback), m_scheduler.now() + interval, false, {}};
    if (!m_pass.isRunning())
        armNext();
}

void UsageSampler::remove(pid_t group)
{
    m_groups.erase(group);
    if (m_groups.empty()) {
        m_next.disarm();
        m_pass.cancel();
    }
}

void UsageSampler::scan()
{
    if (!m_pass.isRunning())
        beginPass();
    const auto count = [this](const ProcessStat &stat) {
        const auto found = m_groups.find(stat.group);
        if (found == m_groups.end() || !found->second.isMeasured)
            return;
        GroupUsage &usage = found->second.usage;
        usage.residentBytes += stat.residentBytes;
        usage.cpuTime += stat.cpuTime + stat.childrenCpuTime;
        ++usage.processes;
    };
    if (m_pass.isRunning() && m_pass.readSlice(count))
        m_next.armIn(Duration{0});
    else
        endPass();
}

void UsageSampler::beginPass()
{
    const bool isReadable = m_pass.begin();
    const Instant now = m_scheduler.now();
    for (auto &[id, group] : m_groups) {
        if (now < group.due - group.interval / 2)
            continue;
        group.due = now + group.interval;
        group.isMeasured = isReadable;
        group.usage = {};
    }
}

void UsageSampler::endPass()
{
    std::vector<pid_t> measured;
    for (const auto &[id, group] : m_groups) {
        if (group.isMeasured)
            measured.push_back(id);
    }
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
        // Without processes, the group has just ended.
        if (usage.processes > 0)
            callback(usage);
    }
}

void UsageSampler::armNext()
{
    const auto next =
        std::min_element(m_groups.begin(), m_groups.end(),
                         [](const auto &a, const auto &b) { return a.second.due < b.second.due; });
    if (next != m_groups.end())
        m_next.arm(next->second.due);
}

} // namespace Rekindle
