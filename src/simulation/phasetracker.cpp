// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "phasetracker_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

using Phase = SimulationResult::Phase;

Phase phaseOf(InstanceState state)
{
    switch (state) {
    case InstanceState::Stopped:
        return Phase::Stopped;
    case InstanceState::Running:
        return Phase::Up;
    case InstanceState::CircuitOpen:
        return Phase::Open;
    case InstanceState::Exhausted:
    case InstanceState::Failed:
    case InstanceState::Gated:
        return Phase::GaveUp;
    case InstanceState::Starting:
    case InstanceState::Waiting:
    case InstanceState::Evaluating:
    case InstanceState::Stopping:
        return Phase::Down;
    }
    Q_UNREACHABLE();
}

bool isOutage(Phase phase) { return phase != Phase::Up && phase != Phase::Stopped; }

} // namespace

PhaseTracker::PhaseTracker(SimulationResult::Agent &result, bool recordsSpans)
    : m_result(result)
    , m_recordsSpans(recordsSpans)
{
    if (m_recordsSpans)
        m_result.spans.append({Duration{0}, m_phase});
}

void PhaseTracker::change(InstanceState state, Duration now)
{
    const Phase phase = phaseOf(state);
    if (phase == Phase::GaveUp && !m_result.gaveUpAt)
        m_result.gaveUpAt = now;
    if (phase != m_phase)
        enter(phase, now);
}

void PhaseTracker::enter(Phase phase, Duration now)
{
    const Phase before = std::exchange(m_phase, phase);
    const Duration spent = now - std::exchange(m_since, now);
    if (before == Phase::Up)
        m_result.up += spent;
    else if (isOutage(before))
        m_result.down += spent;
    if (!isOutage(before))
        m_downSince = now;
    else
        m_result.longestOutage = std::max(m_result.longestOutage, now - m_downSince);
    if (m_recordsSpans)
        m_result.spans.append({now, phase});
}

void PhaseTracker::changeBreaker(bool isOpen, Duration now)
{
    if (isOpen && !m_openSince)
        m_openSince = now;
    else if (!isOpen && m_openSince)
        m_result.breakerOpen += now - *std::exchange(m_openSince, std::nullopt);
}

void PhaseTracker::finish(Duration now)
{
    changeBreaker(false, now);
    enter(m_phase, now);
    if (m_recordsSpans)
        m_result.spans.removeLast();
}

} // namespace Rekindle
