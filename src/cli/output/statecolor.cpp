// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "statecolor_p.h"

namespace Rekindle {

const char *stateColor(const QString &state, bool isUnhealthy)
{
    constexpr const char *green = "\x1b[32m";
    constexpr const char *yellow = "\x1b[33m";
    constexpr const char *red = "\x1b[31m";
    if (state == QLatin1String("Running"))
        return isUnhealthy ? yellow : green;
    if (state == QLatin1String("Waiting") || state == QLatin1String("Starting")
        || state == QLatin1String("Stopping"))
        return yellow;
    return state == QLatin1String("Stopped") ? "" : red;
}

} // namespace Rekindle
