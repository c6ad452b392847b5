// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/process/export.h>

#include <QtGlobal>

#include <optional>

namespace Rekindle {

struct ProcessDefinition;

/// The limit of open descriptors of this process (RLIMIT_NOFILE). The default of most systems is
/// 1,024.
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

    /// Returns the hard limit; nullopt if there is none. Thread-safe.
    [[nodiscard]] static std::optional<qint64> hard();

    /// Returns how many descriptors of the host a running agent uses, 1 to 5: one for the process,
    /// one for each stream that is a pipe to the host, and one for the notify socket. Probes that
    /// run, stored descriptors and a shared terminal need more.
    [[nodiscard]] static int neededBy(const ProcessDefinition &definition);
};

} // namespace Rekindle
