// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QtGlobal>

namespace Rekindle {

/// Keeps two hosts from one state file. The lock is a file of its own beside it, PATH.lock, for the
/// state file itself is another one after each write. It ends with its process, however that ends.
class HostLock
{
public:
    HostLock() = default;
    ~HostLock();
    Q_DISABLE_COPY_MOVE(HostLock)

    /// An empty text means that it is taken; else it says why not.
    [[nodiscard]] QString take(const QString &path);

private:
    int m_descriptor = -1;
};

} // namespace Rekindle
