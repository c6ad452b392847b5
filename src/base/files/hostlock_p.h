// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/uniquefd_p.h"

#include <QString>

namespace Rekindle {

/// Prevents two hosts from using one file. The lock is a separate file, PATH.lock, because each
/// write may replace the file. It is released when the process exits or is killed.
class HostLock
{
public:
    /// Returns an empty text if the lock was acquired, otherwise the error. `isOwnPath`: no user
    /// has chosen the path, so the contents of the file do not matter.
    [[nodiscard]] QString acquire(const QString &path, bool isOwnPath = false);

    /// Releases the lock and removes its file.
    void remove();

    /// Whether the lock was acquired and its file still exists. Otherwise another host can acquire
    /// the same lock.
    [[nodiscard]] bool isHeld() const;

    /// Whether acquire() has failed because another host has the lock.
    [[nodiscard]] bool isUsedElsewhere() const { return m_isUsedElsewhere; }

private:
    QString m_file;
    UniqueFd m_fd;
    bool m_isUsedElsewhere = false;
};

} // namespace Rekindle
