// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/json/parsed.h>
#include <rekindle/policy/enums.h>
#include <rekindle/policy/timepoint.h>
#include <rekindle/simulation/export.h>

#include <QByteArray>
#include <QList>
#include <QString>

namespace Rekindle {

/// Something that happens at a given time of a simulation: to an agent, to what a shared breaker
/// protects, to a node of a fleet, or to the configuration.
struct SimulationStep
{
    enum class Kind {
        Exit,      ///< the process exits with `number`
        Signal,    ///< the process is killed by the signal `number`
        Hang,      ///< the process answers no probe anymore and does not exit by itself
        Unhealthy, ///< for `time`, its probes fail
        Slow,      ///< its next start takes `time` longer
        Line,      ///< the process writes the line `text`, which can make it ready
        Operator,  ///< an operator issues `command`
        Down,      ///< `shared` is down for `time`; see FailureModels::outages
        Partition, ///< the store is not reachable from `node` for `time`
        Crash,     ///< `node` loses power, and starts again after `time`
        Reload,    ///< the configuration `file` replaces the current one
    };

    Duration at{0}; ///< since the beginning of the simulation
    QString agent{};
    QString shared{}; ///< of Down: the name of the breaker, instead of an agent
    QString node{};   ///< of Partition and Crash, instead of an agent
    QString file{};   ///< of Reload, instead of an agent
    Kind kind = Kind::Exit;
    int number = 0;
    Duration time{0};
    QString text{}; ///< of Line
    OperatorCommand command = OperatorCommand::Start;
    int line = 0;   ///< of the trace; 0 if the step was not read from one
    int column = 0; ///< of the name or the file

    bool operator==(const SimulationStep &) const = default;
};

/// Reads a trace: a JSON object on each line, for example
/// {"at": "12.5s", "agent": "web", "do": "exit", "code": 1}. Empty lines are ignored. The steps
/// are returned in the order of their times. Never throws. Thread-safe.
[[nodiscard]] REKINDLE_SIMULATION_EXPORT Parsed<QList<SimulationStep>>
parseSimulationTrace(const QByteArray &lines);

} // namespace Rekindle
