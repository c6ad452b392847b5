// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/healthprobe.h>
#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/simulation/failuremodel.h>

#include <QString>

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace Rekindle {

/// What is down for a time in a simulation, by its name: the service behind a shared breaker, or a
/// node of a fleet.
class Outages
{
public:
    /// `changed` is called whenever an outage begins, and when a name is no longer down.
    Outages(Scheduler &scheduler, const QList<Outage> &outages,
            std::function<void(const QString &name, bool isDown)> changed);

    void takeDown(const QString &name, Duration time);
    [[nodiscard]] bool isDown(const QString &name) const;
    /// A probe of the service, which responds at once. This object must outlive it.
    [[nodiscard]] HealthCheck check(const QString &name, const HealthSchedule &schedule) const;

private:
    Scheduler &m_scheduler;
    const std::function<void(const QString &name, bool isDown)> m_changed;
    std::map<QString, Deadline> m_ends;            ///< of current and past outages
    std::vector<std::unique_ptr<Deadline>> m_next; ///< the next outage of each kind
};

} // namespace Rekindle
