// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "threadpriority_p.h"

#include <unistd.h>

namespace Rekindle {

void lowerPriorityOfThisThread()
{
    constexpr int increment = 5;
    // In contrast to POSIX, Linux changes only the thread. Lowering always succeeds.
    [[maybe_unused]] const int priority = ::nice(increment);
}

} // namespace Rekindle
