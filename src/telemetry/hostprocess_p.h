// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/processes/processstat_p.h"

#include <QString>
#include <QtGlobal>

#include <optional>

namespace Rekindle {

/// Identifies a process, also after it has exited and its id was used again.
struct HostProcess
{
    qint64 processId = 0;
    QString boot{};         ///< the boot id; empty: unknown
    QString pidNamespace{}; ///< empty: unknown
    qint64 startTicks = 0;  ///< start time since the boot; 0: unknown

    /// Returns this process.
    [[nodiscard]] static HostProcess own();

    /// Returns whether the process is running; nullopt if it belongs to another PID namespace or
    /// /proc hides it.
    [[nodiscard]] std::optional<bool> isAlive() const;

    /// Returns the same, given what the system reports about an existing process with this id.
    [[nodiscard]] std::optional<bool> isAliveBy(const std::optional<ProcessStat> &stat) const;
};

} // namespace Rekindle
