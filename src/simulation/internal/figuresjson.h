// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsonwriter.h"

#include <rekindle/simulation/simulationresult.h>

namespace Rekindle {

/// Writes the members that a simulation and a replay have in common.
REKINDLE_SIMULATION_EXPORT void writeFigures(JsonWriter &json, const SimulationResult &result);

} // namespace Rekindle
