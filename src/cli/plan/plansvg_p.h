// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "plan_p.h"

#include <QByteArray>

namespace Rekindle {

/// Draws a bar for each attempt with its jitter, and a line where the breaker opens.
[[nodiscard]] QByteArray planSvg(const Plan &plan);

} // namespace Rekindle
