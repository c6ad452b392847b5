// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

namespace Rekindle {

/// Returns a source of random numbers, uniform in [0, 1), seeded by the system.
[[nodiscard]] std::function<double()> systemRandom();

} // namespace Rekindle
