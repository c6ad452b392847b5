// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

#include <QString>

#include <optional>

namespace Rekindle {

/// The latest wall-clock time that was ever seen, kept in a file over restarts; several hosts may
/// share it. A file that cannot be used is told once, in the log category rekindle.license, and
/// otherwise does no harm: it must not lock out who has a licence.
class LatestSeen
{
public:
    /// Without a path it is kept in memory only.
    explicit LatestSeen(const QString &path);

    [[nodiscard]] std::optional<UtcTime> time() const { return m_time; }

    /// Another host may have seen a later one.
    void readAgain();

    /// This is the time now: remembers it if it is later than all before. Writes the file.
    void see(UtcTime now);

private:
    void write();
    void warn(const QString &text);

    QString m_path;
    std::optional<UtcTime> m_time;
    bool m_usable;
    bool m_told = false;
};

} // namespace Rekindle
