// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "usagecontrol_p.h"

#include "process/perscheduler_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

// A request may be refused, for example because there were too many.
constexpr Duration betweenRequests = std::chrono::minutes(1);

Duration spreadAge(const Recycling &recycling, double draw)
{
    const double factor = 1 + recycling.spread * (2 * draw - 1);
    // For a short text of the reason.
    return std::chrono::round<std::chrono::seconds>(
        std::chrono::duration<double, Duration::period>(recycling.maxAge) * factor);
}

} // namespace

UsageControl::UsageControl(const UsageLimits &limits, const Recycling &recycling, pid_t group,
                           Instant startedAt, double draw, Scheduler &scheduler,
                           Callbacks callbacks)
    : m_scheduler(scheduler)
    , m_callbacks(std::move(callbacks))
    , m_group(group)
    , m_age(spreadAge(recycling, draw))
    , m_watch(limits, recycling, startedAt)
    , m_ageReached(scheduler, [this] { aged(); })
{
    if (m_age > Duration{0})
        m_ageReached.arm(startedAt + m_age);
    if (limits.isEmpty() && recycling.memory == 0)
        return;
    m_sampler = perScheduler<UsageSampler>(scheduler);
    m_sampler->add(group, m_watch.untilNext(),
                   [this](const GroupUsage &usage) { return sampled(usage); });
}

UsageControl::~UsageControl()
{
    if (m_sampler)
        m_sampler->remove(m_group);
}

void UsageControl::ready()
{
    m_isReady = true;
    if (m_age > Duration{0} && !m_ageReached.isArmed()) // older than that when it became ready
        m_ageReached.armIn(Duration{0});
}

std::optional<Instant> UsageControl::recyclingAt() const
{
    return m_ageReached.isArmed() ? std::optional(m_ageReached.due()) : std::nullopt;
}

Duration UsageControl::sampled(const GroupUsage &usage)
{
    if (usage.processes == 0)
        return m_watch.untilNext(); // the group has just ended
    m_watch.add(m_scheduler.now(), usage);
    const Duration untilNext = m_watch.untilNext();
    if (const std::optional<QString> excess = m_watch.excess()) {
        std::exchange(m_sampler, nullptr)->remove(m_group);
        m_ageReached.disarm();
        const auto exceeded = m_callbacks.exceeded; // the callback may destroy this object
        exceeded(*excess);
    } else if (const std::optional<QString> reason = m_watch.recyclingReason()) {
        recycle(*reason);
    }
    return untilNext; // this object may be destroyed
}

void UsageControl::aged()
{
    if (!m_isReady)
        return;
    m_ageReached.armIn(betweenRequests);
    recycle(QStringLiteral("recycling: it has run for %1").arg(durationToString(m_age)));
}

void UsageControl::recycle(const QString &reason)
{
    const Instant now = m_scheduler.now();
    if (!m_isReady || now < m_nextRequest)
        return;
    m_nextRequest = now + betweenRequests;
    const auto request = m_callbacks.recycle; // the callback may destroy this object
    request(reason);
}

} // namespace Rekindle
