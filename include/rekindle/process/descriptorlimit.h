// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/process/export.h>

namespace Rekindle {

/// How many descriptors this process may have (RLIMIT_NOFILE). An agent needs one and up to four
/// more (docs/process.md), and most systems give a process 1,024 unless it asks for more.
class REKINDLE_PROCESS_EXPORT DescriptorLimit
{
public:
    /// Lets this process have as many as its hard limit allows. False if the kernel refuses.
    ///
    /// Every process that Rekindle launches has the limits, soft and hard, that were in force at
    /// the first call, from before its first instruction: there are programs that close all
    /// possible descriptors, or use select(). What a host starts by other means has the raised one.
    /// A host that lowers its hard limit afterwards passes its own limits on.
    ///
    /// Thread-safe; calling it again does no harm. Whether to call it is for the host to decide.
    static bool raise();
};

} // namespace Rekindle
