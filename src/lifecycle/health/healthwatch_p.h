// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "probecycle_p.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace Rekindle {

/// The health of one agent: its probes and their combined result.
class HealthWatch
{
public:
    struct Change
    {
        AgentHealthStatus before;
        AgentHealthStatus after;
        std::optional<QString> failure; ///< why the agent is unhealthy; at most once per start
    };

    /// `previous` is the known status of the agent. `onChange` may destroy this object.
    HealthWatch(std::vector<HealthCheck> checks, AgentHealthStatus previous,
                ProbeCycle::Shared &shared, std::function<void(const Change &)> onChange);

    /// The next start begins; its launch may fail.
    void renew();

    // Reports about the agent. ready() and ended() do not call `onChange`.
    void started();
    void ready();
    void ended();

    // Reports of its probes.
    void answered(const ProbeCycle &cycle, const ProbeCycle::Answer &answer);
    void reportedUnhealthy(const ProbeCycle &cycle, const QString &text);

    [[nodiscard]] const AgentHealthStatus &status() const { return m_status; }

private:
    void record(const ProbeResult &result);
    void fail(const AgentHealthStatus &before, const QString &reason);
    void notify(const Change &change) const;

    std::function<void(const Change &)> m_onChange;
    const Scheduler &m_scheduler;
    AgentHealthStatus m_status;
    std::vector<std::unique_ptr<ProbeCycle>> m_cycles;
    bool m_isAlive = false;
};

} // namespace Rekindle
