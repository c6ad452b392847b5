// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/restartplan.h>

namespace Rekindle {

/// Draws a bar for each attempt with its jitter, and a line where the breaker opens.
[[nodiscard]] QByteArray planSvg(const RestartPlan &plan);

} // namespace Rekindle
