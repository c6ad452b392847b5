// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "uniquefd_p.h"

namespace Rekindle {

/// The same descriptor, or a copy of it, that is none of the three standard ones: a host that has
/// closed those would else be given them. Closed, with errno set, if there is none to give.
[[nodiscard]] UniqueFd aboveStandard(UniqueFd fd);

/// /dev/null for reading and writing, opened once in the life of the host; -1, with errno set, if
/// it cannot be opened. Thread-safe.
[[nodiscard]] int nullFile();

} // namespace Rekindle
