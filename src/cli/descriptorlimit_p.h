// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QtGlobal>

#include <sys/resource.h>

#include <optional>

namespace Rekindle {

/// Lets this process have as many descriptors as the system allows it: each agent needs one, and
/// two more where its lines are read. The agents get the limit that this process was given, for
/// there are programs that close all possible descriptors, or use select().
class DescriptorLimit
{
public:
    DescriptorLimit();

    /// To be called for a process that was just started.
    void restoreFor(qint64 processId) const;

private:
    std::optional<rlimit> m_original; ///< nothing if it is unchanged
};

} // namespace Rekindle
