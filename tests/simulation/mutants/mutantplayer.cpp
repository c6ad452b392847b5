// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Plays random inputs until a rule is violated. `run` links it with a changed policy table.

#include "policy/table/randominputs.h"

#include <cstdio>
#include <cstdlib>

int main(int count, char **arguments)
{
    const int seeds = count == 2 ? std::atoi(arguments[1]) : 0;
    for (int seed = 1; seed <= seeds; ++seed) {
        const Rekindle::InstanceChecker checker =
            Rekindle::playRandomInputs(static_cast<std::uint32_t>(seed));
        if (!checker.fault().isEmpty()) {
            std::printf("%d\t%s\n", seed, qPrintable(checker.fault()));
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}
