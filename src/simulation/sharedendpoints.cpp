// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "sharedendpoints_p.h"

#include "simulatedprobe_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

SharedEndpoints::SharedEndpoints(Scheduler &scheduler, const QList<SharedOutage> &outages,
                                 std::function<void(const QString &)> wentDown)
    : m_scheduler(scheduler)
    , m_wentDown(std::move(wentDown))
{
    for (const SharedOutage &each : outages) {
        const std::size_t index = m_next.size();
        m_next.push_back(std::make_unique<Deadline>(scheduler, [this, each, index] {
            m_next[index]->armIn(each.every);
            takeDown(each.shared, each.time);
        }));
        m_next.back()->armIn(each.every);
    }
}

void SharedEndpoints::takeDown(const QString &name, Duration time)
{
    Instant &until = m_downUntil[name];
    until = std::max(until, m_scheduler.now() + time);
    m_wentDown(name);
}

bool SharedEndpoints::isDown(const QString &name) const
{
    const auto until = m_downUntil.constFind(name);
    return until != m_downUntil.cend() && m_scheduler.now() < *until;
}

HealthCheck SharedEndpoints::check(const QString &name, const HealthSchedule &schedule) const
{
    return {name, schedule,
            std::make_unique<SimulatedProbe>([this, name] { return !isDown(name); })};
}

} // namespace Rekindle
