// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/instance.h>

#include <QHash>
#include <QObject>
#include <QStringList>
#include <QUuid>

#include <array>

namespace Rekindle {

class AgentSupervisor;

/// Counts the agents of a supervisor by state, and reports when none is active anymore. Create it
/// before agents are started.
class AgentTally : public QObject
{
    Q_OBJECT

public:
    /// The supervisor must outlive this object.
    explicit AgentTally(AgentSupervisor &supervisor);

    /// By state.
    [[nodiscard]] const std::array<int, instanceStateCount> &counts() const { return m_counts; }
    [[nodiscard]] int count(InstanceState state) const;
    [[nodiscard]] int total() const { return static_cast<int>(m_states.size()); }

    /// Whether no agent runs and none has a pending start.
    [[nodiscard]] bool hasEnded() const;

    /// Whether an agent is not ready yet and has not failed since its start, or is about to be
    /// started, also if it is queued by a governor.
    [[nodiscard]] bool isStarting() const;

    /// The number of exhausted, failed and gated agents.
    [[nodiscard]] int givenUp() const;

    /// The agents that do not run because of a failure, with their states: "web (CircuitOpen)".
    [[nodiscard]] QStringList down() const;

Q_SIGNALS:
    void ended();

private:
    void add(const QUuid &id);
    void look();
    [[nodiscard]] bool isAnyActive() const; ///< runs or has a pending start
    [[nodiscard]] bool isAboutToStart(const QUuid &id) const;

    AgentSupervisor &m_supervisor;
    QHash<QUuid, InstanceState> m_states;
    std::array<int, instanceStateCount> m_counts{};
};

} // namespace Rekindle
