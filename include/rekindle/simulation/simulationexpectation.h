// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/json/parsed.h>
#include <rekindle/simulation/simulationresult.h>

#include <QString>

namespace Rekindle {

/// A comparison of a figure of a simulation with a value, for example "web.up >= 99.5".
class REKINDLE_SIMULATION_EXPORT SimulationExpectation
{
public:
    /// Reads NAME OPERATOR VALUE. The operators are <, <=, >, >=, == and !=. The value is a number,
    /// or a duration such as "30s" for a figure in seconds. Never throws. Thread-safe.
    [[nodiscard]] static Parsed<SimulationExpectation> parse(const QString &text);

    /// The name of the figure; see SimulationResult::figure().
    [[nodiscard]] const QString &figure() const { return m_figure; }

    /// Whether the value was written as a duration; the figure must be a time.
    [[nodiscard]] bool isTime() const { return m_isTime; }

    /// Returns whether a value of the figure meets it.
    [[nodiscard]] bool isMetBy(double value) const;

private:
    enum class Comparison { Less, LessOrEqual, Greater, GreaterOrEqual, Equal, NotEqual };

    QString m_figure;
    Comparison m_comparison = Comparison::Equal;
    double m_value = 0;
    bool m_isTime = false;
};

} // namespace Rekindle
