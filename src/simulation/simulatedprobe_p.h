// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/healthprobe.h>

namespace Rekindle {

class SimulatedAgent;

/// Tests a SimulatedAgent: succeeds or fails at once, and never ends if the agent hangs.
class SimulatedProbe final : public HealthProbe
{
    Q_OBJECT

public:
    /// `agent` must outlive the probe.
    explicit SimulatedProbe(const SimulatedAgent &agent);

    void start(Duration timeout) override;
    void cancel() override {}

private:
    const SimulatedAgent &m_agent;
};

} // namespace Rekindle
