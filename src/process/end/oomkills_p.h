// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>

#include <mutex>
#include <optional>

namespace Rekindle {

/// Counts the processes that the kernel has killed because the cgroup of this program, which its
/// agents share, or the whole machine was out of memory. Any thread may use it.
class OomKills
{
public:
    static OomKills &instance();

    /// Kills before the first call do not count.
    void begin();

    /// Returns the file that reports a kill, once for each kill; nothing if there is none.
    [[nodiscard]] std::optional<QString> take();

    /// Returns the file with the counter for a program whose /proc/self/cgroup has these contents;
    /// empty if there is none below `root`, usually /sys/fs/cgroup.
    [[nodiscard]] static QByteArray counterFile(const QByteArray &cgroups, const QByteArray &root);

private:
    OomKills() = default;
    [[nodiscard]] std::optional<qint64> read() const;

    std::mutex m_mutex;
    bool m_hasBegun = false;
    QByteArray m_file;
    qint64 m_taken = 0; // including those before begin()
};

} // namespace Rekindle
