// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/healthprobe.h>

namespace Rekindle {

class Agent;

/// Succeeds if the agent has emitted Agent::heartbeat() since the previous run, or emits it during
/// this one. A run without an earlier heartbeat calls Agent::requestHeartbeat().
/// Agent::reportedUnhealthy() makes the probe fail for good.
class REKINDLE_LIFECYCLE_EXPORT HeartbeatProbe final : public HealthProbe
{
    Q_OBJECT

public:
    /// `agent` must outlive the last run of the probe.
    explicit HeartbeatProbe(const Agent &agent, QObject *parent = nullptr);

    void start(Duration timeout) override;
    void cancel() override;
    void reset() override;

private:
    void onHeartbeat();

    const Agent &m_agent;
    bool m_isFirst = true;  ///< the next run is the first one of a start
    bool m_hasBeat = false; ///< since the previous run
    bool m_running = false;
};

} // namespace Rekindle
