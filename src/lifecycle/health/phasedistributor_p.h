// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

namespace Rekindle {

/// Assigns each probe a phase within its interval, so that the runs of many probes are spread
/// evenly. Multiples of the golden ratio are distributed more evenly than random numbers, for any
/// count.
class PhaseDistributor
{
public:
    /// Returns the next phase, from 0 to less than `interval`. The first one is 0.
    [[nodiscard]] Duration next(Duration interval)
    {
        constexpr double goldenRatio = 0.6180339887498949;
        const double phase = m_phase;
        m_phase += goldenRatio;
        if (m_phase >= 1)
            m_phase -= 1;
        return std::chrono::duration_cast<Duration>(interval * phase);
    }

private:
    double m_phase = 0;
};

} // namespace Rekindle
