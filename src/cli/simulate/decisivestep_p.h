// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/simulation/simulation.h>
#include <rekindle/simulation/simulationexpectation.h>

#include <optional>

namespace Rekindle {

/// Finds a step of the trace that makes the difference: with the steps before it, a simulation
/// meets the expectation, and with this step, it does not. Returns its index; nothing if the
/// expectation is not met without the trace either. The whole trace must not meet it. Simulates
/// several times.
[[nodiscard]] std::optional<qsizetype> decisiveStep(const Configuration &configuration,
                                                    const SimulationOptions &options,
                                                    const SimulationExpectation &expectation);

} // namespace Rekindle
