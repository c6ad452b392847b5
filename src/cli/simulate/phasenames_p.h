// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/enums.h>
#include <rekindle/simulation/simulationresult.h>

#include <array>

namespace Rekindle {

/// The names of the phases in drawings and traces.
inline constexpr std::array<EnumName<SimulationResult::Phase>, 5> phaseNames = {{
    {SimulationResult::Phase::Stopped, QLatin1String("stopped")},
    {SimulationResult::Phase::Up, QLatin1String("up")},
    {SimulationResult::Phase::Down, QLatin1String("down")},
    {SimulationResult::Phase::Open, QLatin1String("breaker open")},
    {SimulationResult::Phase::GaveUp, QLatin1String("given up")},
}};

} // namespace Rekindle
