// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QtGlobal>

#include <chrono>

namespace Rekindle {

/// What the processes of a group use together.
struct GroupUsage
{
    qint64 residentBytes = 0;
    /// Of the processes and of the children for which they have waited. Less than before if a
    /// process has exited for which none of them has waited.
    std::chrono::milliseconds cpuTime{0};
    int processes = 0;
};

} // namespace Rekindle
