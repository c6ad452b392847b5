// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace Rekindle {

/// What tells this boot of the machine from all others: within one, monotonic clocks of all
/// processes are the same. Empty where the system does not say.
[[nodiscard]] QString bootId();

} // namespace Rekindle
