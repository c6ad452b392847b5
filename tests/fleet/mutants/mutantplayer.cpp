// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Plays seeds of the simulated fleet until a rule is violated:
//
//     mutantplayer COUNT [RATE DEVIATION IN PERMILLE [FIRST SEED]]
//
// With a count of 0, prints the trace of the first seed. `run` links it with a changed source.

#include "fleet/fleetworld.h"

#include <cstdio>
#include <cstdlib>

int main(int count, char **arguments)
{
    const auto argument = [count, arguments](int index, qint64 otherwise) {
        return index < count ? std::atoll(arguments[index]) : otherwise;
    };
    const qint64 seeds = argument(1, 0);
    const qint64 deviation = argument(2, 100);
    const qint64 first = argument(3, 1);
    Rekindle::Duration recovery{0};
    Rekindle::Duration gap{0};
    qint64 starts = 0;
    for (qint64 seed = first; seed < first + std::max<qint64>(seeds, 1); ++seed) {
        Rekindle::FleetWorld world(
            {.seed = static_cast<quint64>(seed), .rateDeviation = deviation, .trace = seeds == 0});
        const QString fault = world.play();
        for (const QString &line : world.trace())
            std::printf("%s\n", qPrintable(line));
        if (!fault.isEmpty()) {
            std::printf("%lld\t%s\n", static_cast<long long>(seed), qPrintable(fault));
            return EXIT_FAILURE;
        }
        recovery = std::max(recovery, world.recovery());
        gap = std::max(gap, world.longestGap());
        starts += world.starts();
    }
    std::fprintf(stderr, "%lld starts, longest recovery %s, longest gap of a handover %s\n",
                 static_cast<long long>(starts), qPrintable(Rekindle::durationToString(recovery)),
                 qPrintable(Rekindle::durationToString(gap)));
    return EXIT_SUCCESS;
}
