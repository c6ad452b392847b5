// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/enums.h>
#include <rekindle/simulation/simulationresult.h>

namespace Rekindle {

/// Adds up how long an agent was in each phase.
class PhaseTracker
{
public:
    /// `result` must outlive it.
    PhaseTracker(SimulationResult::Agent &result, bool recordsSpans);

    void change(InstanceState state, Duration now);
    /// The breaker opened (true), or is no longer open.
    void changeBreaker(bool isOpen, Duration now);
    /// Call it once, at the end of the run.
    void finish(Duration now);

private:
    void enter(SimulationResult::Phase phase, Duration now);

    SimulationResult::Agent &m_result;
    const bool m_recordsSpans;
    SimulationResult::Phase m_phase = SimulationResult::Phase::Stopped;
    Duration m_since{0};     // of the phase
    Duration m_downSince{0}; // of an outage
    std::optional<Duration> m_openSince;
};

} // namespace Rekindle
