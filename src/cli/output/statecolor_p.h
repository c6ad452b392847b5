// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace Rekindle {

/// The escape sequence of the color of a state, such as "Running"; empty: no color.
[[nodiscard]] const char *stateColor(const QString &state, bool isUnhealthy);

} // namespace Rekindle
