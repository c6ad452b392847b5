// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QtGlobal>

namespace Rekindle {

/// Prevents two hosts from using one state file. The lock is a separate file, PATH.lock, because
/// each write replaces the state file. It is released when the process exits or is killed.
class HostLock
{
public:
    HostLock() = default;
    ~HostLock();
    Q_DISABLE_COPY_MOVE(HostLock)

    /// Returns an empty text if the lock was acquired, otherwise the error.
    [[nodiscard]] QString acquire(const QString &path);

private:
    int m_descriptor = -1;
};

} // namespace Rekindle
