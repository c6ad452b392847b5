// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

namespace Rekindle {

/// Gives each probe its own place within its interval, so that ten thousand of them do not fall
/// into step. Steps of the golden ratio lie evenly at any count, more so than random ones.
class PhaseSpread
{
public:
    /// 0 the first time, then somewhere from 0 to below `interval`.
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
