// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/host/export.h>
#include <rekindle/policy/enums.h>

#include <QStringList>

#include <array>

namespace Rekindle {

class AgentSupervisor;

/// Counts the agents of a supervisor by state, at each call.
class REKINDLE_HOST_EXPORT AgentTally
{
public:
    /// The supervisor must outlive this object.
    explicit AgentTally(const AgentSupervisor &supervisor)
        : m_supervisor(supervisor)
    {
    }

    [[nodiscard]] std::array<int, instanceStateCount> counts() const;
    [[nodiscard]] int count(InstanceState state) const;
    [[nodiscard]] int total() const;

    /// Whether an agent is not ready yet and has not failed since its start, or is about to be
    /// started, also if it is queued by a governor.
    [[nodiscard]] bool isStarting() const;

    /// The number of exhausted, failed and gated agents.
    [[nodiscard]] int givenUp() const;

    /// The agents that do not run because of a failure, with their states: "web (CircuitOpen)".
    [[nodiscard]] QStringList down() const;

private:
    const AgentSupervisor &m_supervisor;
};

} // namespace Rekindle
