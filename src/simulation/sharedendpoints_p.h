// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/healthprobe.h>
#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/simulation/failuremodel.h>

#include <QHash>
#include <QString>

#include <functional>
#include <memory>
#include <vector>

namespace Rekindle {

/// What the shared breakers of a simulation protect, such as an API. Each endpoint has the name of
/// its breaker, and can be down for a time.
class SharedEndpoints
{
public:
    /// `wentDown` is called with the name of an endpoint whenever an outage begins.
    SharedEndpoints(Scheduler &scheduler, const QList<SharedOutage> &outages,
                    std::function<void(const QString &)> wentDown);

    void takeDown(const QString &name, Duration time);
    [[nodiscard]] bool isDown(const QString &name) const;
    /// A probe of the endpoint, which responds at once. This object must outlive it.
    [[nodiscard]] HealthCheck check(const QString &name, const HealthSchedule &schedule) const;

private:
    Scheduler &m_scheduler;
    const std::function<void(const QString &)> m_wentDown;
    QHash<QString, Instant> m_downUntil;
    std::vector<std::unique_ptr<Deadline>> m_next; ///< the next outage of each kind
};

} // namespace Rekindle
