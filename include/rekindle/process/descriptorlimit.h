// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/process/export.h>

namespace Rekindle {

/// Raises the limit of open descriptors of this process (RLIMIT_NOFILE). An agent needs one to five
/// descriptors (docs/process.md), and the default limit of most systems is 1,024.
class REKINDLE_PROCESS_EXPORT DescriptorLimit
{
public:
    /// Raises the soft limit to the hard limit. Returns false if the kernel refuses.
    ///
    /// Processes that Rekindle launches get the soft and hard limits from before the first call,
    /// because some programs close all possible descriptors or use select(). Processes that the
    /// host starts by other means inherit the raised limit. If the host lowers its hard limit
    /// afterwards, its agents inherit the limits of the host.
    ///
    /// Thread-safe. Can be called repeatedly. Rekindle itself never calls it.
    static bool raise();
};

} // namespace Rekindle
