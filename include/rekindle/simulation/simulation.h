// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/config/configuration.h>
#include <rekindle/policy/licensetier.h>
#include <rekindle/simulation/failuremodel.h>
#include <rekindle/simulation/simulationresult.h>
#include <rekindle/simulation/simulationtrace.h>

namespace Rekindle {

/// The options of a simulation.
struct SimulationOptions
{
    Duration length = std::chrono::hours(24);
    quint64 seed = 1;
    FailureModels models{};
    QList<SimulationStep> trace{}; ///< in the order of time; steps after `length` are not executed
    LicenseTier tier = LicenseTier::Enterprise;
    bool recordsSpans = false; ///< for a timeline; needs memory for each change of an agent
};

/// Runs the agents of a configuration in virtual time: an AgentSupervisor with all its rules
/// restarts simulated agents. No program is executed, and no clock is read.
///
/// The same configuration, options and version give the same result. Health probes are simulated
/// only while an agent hangs or is unhealthy, which makes long runs fast. Custom evaluators are not
/// loaded; the base type of their policy decides.
///
/// Blocks until the end of the run. Can be called from any thread, but only while a
/// QCoreApplication exists. Needs no event loop.
[[nodiscard]] REKINDLE_SIMULATION_EXPORT SimulationResult
simulate(const Configuration &configuration, const SimulationOptions &options = {});

/// Returns a fault for each step whose agent or shared breaker does not exist in the configuration.
[[nodiscard]] REKINDLE_SIMULATION_EXPORT QList<Fault>
unknownAgents(const Configuration &configuration, const QList<SimulationStep> &trace);

/// Returns a fault for each model whose agent does not exist in the configuration, and for each
/// outage whose shared breaker does not.
[[nodiscard]] REKINDLE_SIMULATION_EXPORT QList<Fault>
unknownAgents(const Configuration &configuration, const FailureModels &models);

} // namespace Rekindle
