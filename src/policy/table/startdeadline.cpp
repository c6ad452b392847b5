// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/startdeadline.h"

#include <algorithm>

namespace Rekindle {

Instant StartDeadline::extended(Instant current, Instant wanted) const
{
    constexpr int most = 10;
    const Instant latest = startedAt + most * timeout;
    return std::max(current, std::min(wanted, latest));
}

} // namespace Rekindle
