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

/// How many agents of a supervisor are in which state, and the moment at which nothing is left to
/// do. Make it when all agents are added.
class AgentTally : public QObject
{
    Q_OBJECT

public:
    /// The supervisor must outlive it.
    explicit AgentTally(AgentSupervisor &supervisor);

    [[nodiscard]] int count(InstanceState state) const;
    [[nodiscard]] int total() const { return static_cast<int>(m_states.size()); }

    /// Nothing runs, is about to run, or waits for its time.
    [[nodiscard]] bool hasEnded() const;

    /// Agents that will not be restarted although they did not end well.
    [[nodiscard]] int givenUp() const;

    /// Those that do not run and did not end well, each with its state: "web (CircuitOpen)".
    [[nodiscard]] QStringList down() const;

Q_SIGNALS:
    void ended();

private:
    void look();

    AgentSupervisor &m_supervisor;
    QHash<QUuid, InstanceState> m_states;
    std::array<int, instanceStateCount> m_counts{};
};

} // namespace Rekindle
