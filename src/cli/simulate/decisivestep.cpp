// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "decisivestep_p.h"

namespace Rekindle {

std::optional<qsizetype> decisiveStep(const Configuration &configuration,
                                      const SimulationOptions &options,
                                      const SimulationExpectation &expectation)
{
    SimulationOptions shorter = options;
    shorter.recordsSpans = false;
    const auto isMetWith = [&](qsizetype steps) {
        shorter.trace = options.trace.first(steps);
        // An agent that a later reload adds has no figures.
        const std::optional<double> value =
            simulate(configuration, shorter).figure(expectation.figure());
        return !value || expectation.isMetBy(*value);
    };
    if (!isMetWith(0))
        return {};
    qsizetype met = 0;
    qsizetype notMet = options.trace.size();
    while (notMet - met > 1) {
        const qsizetype middle = met + (notMet - met) / 2;
        (isMetWith(middle) ? met : notMet) = middle;
    }
    return met;
}

} // namespace Rekindle
