// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>
#include <rekindle/simulation/export.h>

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace Rekindle {

/// The result of one run of a simulation.
struct REKINDLE_SIMULATION_EXPORT SimulationResult
{
    /// What an agent does during a span of time.
    enum class Phase {
        Stopped, ///< it should not run: not started, stopped by an operator, or exited without a
                 ///< failure
        Up,      ///< ready
        Down,    ///< it starts, waits for a restart, or stops
        Open,    ///< its breaker is open
        GaveUp,  ///< given up, failed or gated: it is not restarted
    };
    struct Span
    {
        Duration begin{0};
        Phase phase = Phase::Stopped;

        bool operator==(const Span &) const = default;
    };

    struct Agent
    {
        QString name{};
        qint64 starts = 0;
        qint64 failures = 0;
        Duration up{0};
        Duration down{0}; ///< the time in which it should run and was not ready
        Duration longestOutage{0};
        Duration breakerOpen{0};
        std::optional<qint64> moves{}; ///< of a placed agent: starts on another node than before
        Duration twoCopies{0}; ///< of a placed agent: the time in which several nodes ran it
        std::optional<Duration> gaveUpAt{}; ///< for the first time
        std::optional<int> attemptsLeft{};  ///< at the end; empty: unlimited
        QList<Span> spans{};                ///< if SimulationOptions::recordsSpans
        QList<Duration> failedAt{};         ///< if SimulationOptions::recordsSpans

        /// Returns `up` in percent of the time in which it should run; 100 if it never should.
        [[nodiscard]] double upPercent() const;

        bool operator==(const Agent &) const = default;
    };

    /// The restarts in the span of a given length that has the most.
    struct Herd
    {
        qint64 restarts = 0;
        Duration at{0}; ///< when the span begins

        bool operator==(const Herd &) const = default;
    };

    /// The beginning of the run until the first violation. A simulation of this length with the
    /// same seed violates the same rule.
    struct ViolatingPrefix
    {
        qint64 inputs = 0;
        qint64 steps = 0; ///< of the trace
        Duration length{0};

        bool operator==(const ViolatingPrefix &) const = default;
    };

    quint64 seed = 0;
    Duration length{0};
    qint64 inputs = 0;   ///< of the state tables of all agents
    qint64 restarts = 0; ///< automatic and requested ones
    Herd herdInSecond{};
    Herd herdInTenth{};       ///< in 100 ms
    qint64 longestQueue = 0;  ///< the most starts that waited for the governor at the same time
    qint64 unusedSteps = 0;   ///< steps of the trace whose agent did not run
    QStringList violations{}; ///< rules that were violated, with the time: defects of Rekindle
    std::optional<ViolatingPrefix> violatingPrefix{}; ///< if there are violations
    /// In the order of the configuration; then those that reloads add.
    QList<Agent> agents{};

    [[nodiscard]] double restartsPerHour() const;

    /// Returns the agent with the lowest upPercent(), the first one if several have it. Null if
    /// there is no agent.
    [[nodiscard]] const Agent *lowestAgent() const;

    /// Returns the lowest Agent::upPercent() of all agents; 100 if there is no agent.
    [[nodiscard]] double lowestUpPercent() const;

    /// Returns a figure by its name, for example "web.up" or "restartsPerHour". Empty if it does
    /// not exist. docs/simulation.md lists the names.
    [[nodiscard]] std::optional<double> figure(const QString &name) const;

    /// Whether the figure of this name is a time, in seconds.
    [[nodiscard]] static bool isTime(const QString &figure);

    /// Returns the names of all figures: of the run, and of each agent.
    [[nodiscard]] QStringList figureNames() const;

    bool operator==(const SimulationResult &) const = default;
};

/// Returns the result as a JSON object on one line. The same result has the same bytes.
[[nodiscard]] REKINDLE_SIMULATION_EXPORT QByteArray toJson(const SimulationResult &result);

} // namespace Rekindle
