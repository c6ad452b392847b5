// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/json/enumnames.h>

#include <rekindle/policy/instance.h>

#include <array>

namespace Rekindle {

/// The value of `format` in the first line of a state file of any version.
inline constexpr const char *stateFormat = "rekindle-state";

inline constexpr std::array<EnumName<PlannedStart>, 4> plannedStarts = {{
    {PlannedStart::None, QLatin1String("none")},
    {PlannedStart::Operator, QLatin1String("operator")},
    {PlannedStart::Attempt, QLatin1String("attempt")},
    {PlannedStart::Requested, QLatin1String("requested")},
}};

} // namespace Rekindle
