// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/virtualscheduler.h>

namespace Rekindle {

/// The boot clock of a simulated machine: it runs at `permille` of the time of the world.
class NodeClock final : public Clock
{
public:
    NodeClock(const Clock &world, qint64 permille)
        : m_world(world)
        , m_booted(world.now())
        , m_permille(permille)
    {
    }

    [[nodiscard]] Instant now() const override
    {
        return Instant((m_world.now() - m_booted) * m_permille / 1000);
    }
    [[nodiscard]] UtcTime utcNow() const override { return m_world.utcNow(); }

    /// The first time of the world at which now() is at least this.
    [[nodiscard]] Instant worldTime(Instant node) const
    {
        const qint64 ticks = node.time_since_epoch().count();
        return m_booted + Duration((ticks * 1000 + m_permille - 1) / m_permille);
    }

private:
    const Clock &m_world;
    Instant m_booted;
    qint64 m_permille;
};

/// The deadlines of one process of a simulated machine.
class NodeScheduler final : public Scheduler
{
public:
    NodeScheduler(Scheduler &world, const NodeClock &clock)
        : Scheduler(clock)
        , m_clock(clock)
        , m_wake(world, [this] { run(); })
    {
    }

    /// As SIGSTOP and SIGCONT: nothing runs, and what is due then runs late.
    void setPaused(bool paused)
    {
        m_paused = paused;
        nextDueChanged();
    }
    [[nodiscard]] bool isPaused() const { return m_paused; }

private:
    void nextDueChanged() override
    {
        if (m_paused || nextDue() == Instant::max())
            m_wake.disarm();
        else
            m_wake.arm(std::max(m_clock.worldTime(std::max(nextDue(), Instant{})),
                                m_clock.worldTime(now())));
    }
    void run()
    {
        fireDue(now(), 1);
        nextDueChanged();
    }

    const NodeClock &m_clock;
    bool m_paused = false;
    Deadline m_wake;
};

} // namespace Rekindle
