// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/simulation/simulationresult.h>

namespace Rekindle {

/// Draws a row with the phases of each agent. The result must have spans.
[[nodiscard]] QByteArray simulationSvg(const SimulationResult &result);

/// A trace for ui.perfetto.dev in the JSON format of Chrome: a track for each agent, with its
/// phases as slices and its failures as instants. Needs SimulationOptions::recordsSpans.
[[nodiscard]] QByteArray simulationPerfetto(const SimulationResult &result);

} // namespace Rekindle
