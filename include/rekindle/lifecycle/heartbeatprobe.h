// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/healthprobe.h>

namespace Rekindle {

class Agent;

/// Good if the agent has emitted Agent::heartbeat() since the last run, or does so within this one.
/// Agent::gaveUp() condemns it.
class REKINDLE_LIFECYCLE_EXPORT HeartbeatProbe final : public HealthProbe
{
    Q_OBJECT

public:
    /// `agent` must outlive the probe, or have no signals left to emit.
    explicit HeartbeatProbe(const Agent &agent, QObject *parent = nullptr);

    void start(Duration timeout) override;
    void cancel() override;
    void reset() override;

private:
    void beat();

    bool m_isFirst = true; ///< the next run is the first one of a start, and wants no beat yet
    bool m_beaten = false; ///< since the last run
    bool m_running = false;
};

} // namespace Rekindle
