// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/simulation/simulationresult.h>

namespace Rekindle {

class TraceFile;

/// Describes one run: a table of the agents, a timeline of `width` characters if the result has
/// spans, and the totals.
[[nodiscard]] QByteArray simulationText(const SimulationResult &result, int width);

/// Describes several runs: the worst five, each with the agent that was up for the lowest share of
/// the time, and the options that repeat it.
[[nodiscard]] QByteArray simulationsText(QList<SimulationResult> results);

/// Describes a recorded run and the same run with other settings: a table with the rows of both
/// side by side, and the totals of both.
[[nodiscard]] QByteArray comparisonText(const SimulationResult &recorded,
                                        const SimulationResult &changed);

/// The message for a run that has exceeded its limit of work before the end: the limit, the time at
/// which the run ended, and the agent with the most starts.
[[nodiscard]] QString exceededWork(const SimulationResult &result, qint64 limit, Duration length);

/// The message for a figure that does not exist: the figures that exist, and the most similar one.
[[nodiscard]] QString unknownFigure(const SimulationResult &result, const QString &name);

/// Draws a row with the phases of each agent. The result must have spans.
[[nodiscard]] QByteArray simulationSvg(const SimulationResult &result);

/// Writes a track for each agent, with its phases as slices and its failures as instants. The
/// result must have spans.
void writeTrace(const SimulationResult &result, TraceFile &trace);

} // namespace Rekindle
