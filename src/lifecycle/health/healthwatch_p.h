// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "probecycle_p.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace Rekindle {

/// The health of one agent: all its probes and what it finds itself, and what they say together.
class HealthWatch final : private ProbeCycle::Listener
{
public:
    struct News
    {
        AgentHealthStatus before;
        AgentHealthStatus after;
        std::optional<QString> wedged; ///< why; at most once in a start
    };

    /// `onNews` may destroy the watch.
    HealthWatch(std::vector<HealthCheck> checks, AgentHealthStatus known,
                ProbeCycle::Surroundings &surroundings, std::function<void(const News &)> onNews);

    /// Another start begins, which may fail before anything has started.
    void renew();

    // What the agent does. ready() and ended() tell no news from inside the call.
    void started();
    void ready();
    void ended();

    /// The agent's own finding.
    void probed(const ProbeResult &result, int misses);

    [[nodiscard]] const AgentHealthStatus &status() const { return m_status; }

private:
    void answered(const ProbeCycle &cycle, const ProbeCycle::Answer &answer) override;
    void condemned(const ProbeCycle &cycle, const QString &text) override;

    void note(const ProbeResult &result);
    void wedged(const AgentHealthStatus &before, const QString &why);
    void tell(const News &news) const;

    std::function<void(const News &)> m_onNews;
    const Scheduler &m_scheduler;
    AgentHealthStatus m_status;
    std::optional<int> m_ownMisses; ///< of what the agent finds itself; none if it has not yet
    std::vector<std::unique_ptr<ProbeCycle>> m_cycles;
    bool m_isAlive = false;
};

} // namespace Rekindle
