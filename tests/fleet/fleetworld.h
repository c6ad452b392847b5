// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "nodescheduler.h"

#include <rekindle/fleet/fleetnode.h>
#include <rekindle/fleet/virtualstore.h>

#include <QStringList>

#include <map>
#include <random>

namespace Rekindle {

/// Random machines with placed agents, and random faults. Deterministic by its seed.
class FleetWorld
{
public:
    struct Options
    {
        quint64 seed = 1;
        qint64 rateDeviation = 100; ///< of the clocks, in permille
        bool trace = false;
    };

    explicit FleetWorld(Options options);
    ~FleetWorld();
    Q_DISABLE_COPY_MOVE(FleetWorld)

    /// Plays faults for some minutes, then checks that all agents run again, drains a node, moves
    /// an agent and shuts a node down. Returns the first violated rule; empty if there is none.
    QString play();

    [[nodiscard]] const QStringList &trace() const { return m_trace; }
    /// How long after the last fault the last agent was up.
    [[nodiscard]] Duration recovery() const { return m_recovery; }
    /// The longest time without a copy of an agent during a handover.
    [[nodiscard]] Duration longestGap() const { return m_longestGap; }
    [[nodiscard]] int starts() const { return m_starts; }

private:
    class Machine;
    class Copy;
    friend class Machine;
    friend class Copy;

    struct AgentState
    {
        int copies = 0;
        qint64 token = 0;
        Instant changed{};
    };

    [[nodiscard]] double uniform();
    [[nodiscard]] Duration between(double least, double most); ///< in seconds
    [[nodiscard]] qint64 randomRate();
    void note(const QString &text);
    void violate(const QString &rule);
    void began(const QString &agent, const QString &node, qint64 token);
    void ended(const QString &agent, const QString &node);
    void checkWrite(const FleetTransaction &transaction);
    void partitionOwner(const QByteArray &key);
    void later(Duration delay, std::function<void()> action);

    void scheduleFault();
    [[nodiscard]] Duration timeOfFault(double least, double most); ///< in seconds
    void fault();
    void faultOfStore();
    void heal();
    [[nodiscard]] bool areAllUp() const;
    [[nodiscard]] Machine &holder() const; ///< of the first agent
    void recover();
    void drain();
    void move();
    void shutDown();
    void checkHandover(const Machine &from);

    Options m_options;
    std::mt19937_64 m_random;
    VirtualClock m_clock;
    VirtualScheduler m_scheduler;
    VirtualStoreServer m_server;
    QStringList m_agents;
    std::vector<std::unique_ptr<Machine>> m_machines;
    std::map<QString, AgentState> m_states;
    quint64 m_lastAction = 0;
    std::map<quint64, Deadline> m_actions;
    bool m_healed = false;
    QString m_violation;
    QStringList m_trace;
    Duration m_recovery{0};
    Duration m_longestGap{0};
    int m_starts = 0;
};

} // namespace Rekindle
