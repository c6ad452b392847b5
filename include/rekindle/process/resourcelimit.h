// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/process/export.h>

#include <QStringList>

#include <limits>

namespace Rekindle {

/// One limit of setrlimit(2), in the unit of that limit: bytes, seconds or a count.
struct REKINDLE_PROCESS_EXPORT ResourceLimit
{
    static constexpr quint64 unlimited = std::numeric_limits<quint64>::max();

    quint64 soft = unlimited; ///< at most `hard`
    quint64 hard = unlimited;

    /// The names of all limits: as for setrlimit(2), in lower case and without RLIMIT_.
    [[nodiscard]] static QStringList names();

    /// "1024", "unlimited" or "[1024, 4096]".
    [[nodiscard]] QString toString() const;

    bool operator==(const ResourceLimit &) const = default;
};

} // namespace Rekindle
