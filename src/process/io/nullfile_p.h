// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "uniquefd_p.h"

namespace Rekindle {

/// Returns the descriptor, or a duplicate with a number above 2 if it is one of the three standard
/// descriptors, which a host may have closed. On failure the result is closed and errno is set.
[[nodiscard]] UniqueFd aboveStandard(UniqueFd fd);

/// Returns /dev/null for reading and writing, which is opened once per process. -1 with errno set
/// on failure. Thread-safe.
[[nodiscard]] int nullFile();

} // namespace Rekindle
