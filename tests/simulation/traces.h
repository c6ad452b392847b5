// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/simulation/simulationtrace.h>

namespace Rekindle {

/// The steps of these lines.
inline QList<SimulationStep> traceOf(const QByteArray &lines)
{
    const Parsed<QList<SimulationStep>> parsed = parseSimulationTrace(lines);
    if (!parsed)
        qFatal("%s", qPrintable(parsed.messages().join(u'\n')));
    return *parsed.value;
}

} // namespace Rekindle
