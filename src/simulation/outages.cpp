// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "outages_p.h"

#include "simulatedprobe_p.h"

#include <utility>

namespace Rekindle {

Outages::Outages(Scheduler &scheduler, const QList<Outage> &outages,
                 std::function<void(const QString &name, bool isDown)> changed)
    : m_scheduler(scheduler)
    , m_changed(std::move(changed))
{
    for (const Outage &each : outages) {
        const std::size_t index = m_next.size();
        m_next.push_back(std::make_unique<Deadline>(scheduler, [this, each, index] {
            m_next[index]->armIn(each.every);
            takeDown(each.name, each.time);
        }));
        m_next.back()->armIn(each.every);
    }
}

void Outages::takeDown(const QString &name, Duration time)
{
    Deadline &end = m_ends.try_emplace(name, m_scheduler, [this, name] { m_changed(name, false); })
                        .first->second;
    if (!end.isArmed() || end.due() - m_scheduler.now() < time)
        end.armIn(time);
    m_changed(name, true);
}

// At the end of an outage, its deadline may not have been called yet.
bool Outages::isDown(const QString &name) const
{
    const auto end = m_ends.find(name);
    return end != m_ends.end() && end->second.isArmed() && m_scheduler.now() < end->second.due();
}

HealthCheck Outages::check(const QString &name, const HealthSchedule &schedule) const
{
    return {name, schedule,
            std::make_unique<SimulatedProbe>([this, name] { return !isDown(name); })};
}

} // namespace Rekindle
