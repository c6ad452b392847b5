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
    /// Kills before the first call do not count.
    static OomKills &instance();

    /// Returns the file that reports a kill, once for each kill; nothing if there is none.
    [[nodiscard]] std::optional<QString> take();

    /// Returns the file with the counter for a program whose /proc/self/cgroup has these contents;
    /// empty if there is none below `root`, usually /sys/fs/cgroup.
    [[nodiscard]] static QByteArray counterFile(const QByteArray &cgroups, const QByteArray &root);

private:
    OomKills();

    std::mutex m_mutex;
    const QByteArray m_file;
    qint64 m_taken; // including those before the first call of instance()
};

} // namespace Rekindle
