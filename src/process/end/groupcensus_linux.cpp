// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "groupcensus_p.h"

#include <utility>
#include <vector>

namespace Rekindle {

namespace {

constexpr Duration betweenPasses = std::chrono::milliseconds(20);

} // namespace

GroupCensus::GroupCensus(Scheduler &scheduler)
    : m_next(scheduler, [this] { scan(); })
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
        m_pass.cancel();
    }
}

void GroupCensus::scan()
{
    if (!m_pass.isRunning()) {
        if (!m_pass.begin()) {
            m_next.armIn(betweenPasses);
            return;
        }
        for (auto &[id, group] : m_groups) {
            group.counted = true;
            group.seen = false;
        }
    }
    const bool hasMore = m_pass.readSlice([this](const ProcessStat &stat) {
        if (const auto found = m_groups.find(stat.group); found != m_groups.end())
            found->second.seen = true;
    });
    if (hasMore)
        m_next.armIn(Duration{0});
    else
        endPass();
}

void GroupCensus::endPass()
{
    const auto isEmpty = [](const Group &group) { return group.counted && !group.seen; };
    std::vector<pid_t> empty;
    for (const auto &[id, group] : m_groups) {
        if (isEmpty(group))
            empty.push_back(id);
    }
    m_next.armIn(betweenPasses);
    const std::shared_ptr<GroupCensus> alive = shared_from_this();
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
