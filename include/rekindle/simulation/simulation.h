// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/config/configuration.h>
#include <rekindle/policy/enums.h>
#include <rekindle/simulation/failuremodel.h>
#include <rekindle/simulation/simulationresult.h>
#include <rekindle/simulation/simulationtrace.h>

#include <limits>

namespace Rekindle {

/// The options of a simulation.
struct SimulationOptions
{
    Duration length = std::chrono::hours(24);
    quint64 seed = 1;
    FailureModels models{};
    QList<SimulationStep> trace{}; ///< in the order of time; steps after `length` are not executed
    /// Configurations of Reload steps, by SimulationStep::file. A Reload step without an entry has
    /// no effect.
    QMap<QString, Configuration> reloads{};
    LicenseTier tier = LicenseTier::Enterprise;
    bool recordsSpans = false; ///< for a timeline; needs memory for each change of an agent
    /// The maximum number of timers and inputs in the run. A run that exceeds it ends early; then
    /// SimulationResult::length is shorter than `length`.
    qint64 workLimit = std::numeric_limits<qint64>::max();
};

/// Runs the agents of a configuration in virtual time: an AgentSupervisor with all its rules
/// restarts simulated agents. No program is executed, and no clock is read.
///
/// The same configuration, options and version give the same result. Health probes are simulated
/// only while an agent hangs or is unhealthy, which makes long runs fast. Custom evaluators are not
/// loaded; the base type of their policy decides.
///
/// A configuration with a fleet is run as several hosts with a simulated store. A placed agent has
/// one result for all of them. The results of local agents are those of the host whose node the
/// configuration names.
///
/// Blocks until the end of the run. Can be called from any thread, but only while a
/// QCoreApplication exists. Needs no event loop.
[[nodiscard]] REKINDLE_SIMULATION_EXPORT SimulationResult
simulate(const Configuration &configuration, const SimulationOptions &options = {});

/// Returns a fault for each step whose agent or shared breaker exists neither in the configuration
/// nor in one of `reloads`, or whose node is not in the fleet, whose nodes `models` can name.
[[nodiscard]] REKINDLE_SIMULATION_EXPORT QList<Fault>
unknownAgents(const Configuration &configuration, const QList<SimulationStep> &trace,
              const QMap<QString, Configuration> &reloads = {}, const FailureModels &models = {});

/// Returns a fault for each model whose agent exists neither in the configuration nor in one of
/// `reloads`, for each outage whose shared breaker does not, and for each node that is not in the
/// fleet.
[[nodiscard]] REKINDLE_SIMULATION_EXPORT QList<Fault>
unknownAgents(const Configuration &configuration, const FailureModels &models,
              const QMap<QString, Configuration> &reloads = {});

/// Returns a fault for each Reload step that a host would reject, because a program becomes an MCP
/// server or a server a program.
[[nodiscard]] REKINDLE_SIMULATION_EXPORT QList<Fault>
rejectedReloads(const Configuration &configuration, const QList<SimulationStep> &trace,
                const QMap<QString, Configuration> &reloads);

} // namespace Rekindle
