// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

#include <QStringView>

namespace Rekindle {

/// Random numbers that depend only on a seed, a name and their position in the sequence. Further
/// draws of one agent therefore do not change the draws of the others. The generator is SplitMix64.
class CounterRandom
{
public:
    CounterRandom(quint64 seed, QStringView name);

    /// Uniform in [0, 1).
    [[nodiscard]] double next();
    /// Exponential with this mean.
    [[nodiscard]] Duration exponential(Duration mean);

private:
    quint64 m_state;
};

} // namespace Rekindle
