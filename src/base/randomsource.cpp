// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "randomsource_p.h"

#include <QRandomGenerator>

#include <random>

namespace Rekindle {

std::function<double()> systemRandom()
{
    std::mt19937_64 engine(QRandomGenerator::system()->generate64());
    return [engine]() mutable {
        constexpr double step = 1.0 / (1ULL << 53U);
        return static_cast<double>(engine() >> 11U) * step;
    };
}

} // namespace Rekindle
