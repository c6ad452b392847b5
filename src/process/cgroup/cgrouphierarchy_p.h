// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/process/cgrouplimits.h>

#include <QByteArray>
#include <QByteArrayList>
#include <QStringList>

#include <optional>
#include <utility>
#include <variant>

namespace Rekindle {

/// The control group (cgroup v2) of this process, in which its agents get groups of their own. It
/// must be delegated: this user may create groups in it.
class CgroupHierarchy
{
public:
    /// `folder` is the folder of this process's control group; empty: there is none.
    explicit CgroupHierarchy(QByteArray folder)
        : m_folder(std::move(folder))
    {
    }

    /// The hierarchy of this process. Thread-safe.
    static CgroupHierarchy &instance();

    /// Returns the folder of a process with these contents of /proc/PID/mountinfo and
    /// /proc/PID/cgroup; empty if version 2 is not mounted.
    [[nodiscard]] static QByteArray folderFrom(const QByteArray &mounts, const QByteArray &cgroups);

    /// Creates a group for a start of an agent. Returns its folder, or why there is none. Limits
    /// that do not apply, because their controllers are not available, are in `missing`.
    [[nodiscard]] std::variant<QByteArray, QString> create(const CgroupLimits &limits,
                                                           QStringList &missing);

private:
    [[nodiscard]] QString enable(const QByteArrayList &controllers);
    [[nodiscard]] QString leave();
    void removeOldGroups();

    QByteArray m_folder;
    bool m_isManaged = false; ///< by systemd, which has not delegated it
    int m_count = 0;
};

/// Writes to a file of a control group. Returns 0 or the error number.
int writeCgroupFile(const QByteArray &path, const QByteArray &text);

/// Reads a file of a control group; empty if it cannot be read.
[[nodiscard]] QByteArray readCgroupFile(const QByteArray &path);

/// Returns the line `oom_kill` of a file of a control group, if there is one.
[[nodiscard]] std::optional<qint64> oomKillsIn(const QByteArray &path);

} // namespace Rekindle
