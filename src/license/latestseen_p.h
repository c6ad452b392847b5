// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

#include <QString>

#include <optional>

namespace Rekindle {

/// The latest known wall-clock time, stored in a file that several hosts may share. An unusable
/// file is reported once, in the logging category rekindle.license, and never invalidates a
/// license.
class LatestSeen
{
public:
    /// If `path` is empty, the time is not stored.
    explicit LatestSeen(const QString &path);

    [[nodiscard]] std::optional<UtcTime> time() const { return m_time; }

    /// Reads the file again, because another host may have recorded a later time.
    void reload();

    /// Records the current time and writes the file, if it is later than the latest known time.
    void record(UtcTime now);

private:
    void write();
    void warn(const QString &text);

    QString m_path;
    std::optional<UtcTime> m_time;
    bool m_usable;
    bool m_hasWarned = false;
};

} // namespace Rekindle
