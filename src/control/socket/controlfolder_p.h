// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <sys/types.h>

class QProcessEnvironment;

namespace Rekindle {

class HostLock;

/// Returns the folder of the control sockets of this user; empty if there is none. It may not exist
/// yet.
[[nodiscard]] QString controlFolder();

/// The same for a user with this environment. `runUser` is the parent of the runtime folders that
/// logind creates.
[[nodiscard]] QString controlFolder(const QProcessEnvironment &environment, uid_t user,
                                    const QString &runUser);

/// Creates the folder with mode 0700 if it does not exist. Returns an empty text if only the
/// owner can write to it, otherwise the fault.
[[nodiscard]] QString prepareControlFolder(const QString &path);

/// The same for a folder that must exist.
[[nodiscard]] QString faultOfControlFolder(const QString &path);

/// The path of a socket in the folder. If it is too long for a Unix socket, its name is a hash of
/// the name.
[[nodiscard]] QString controlSocketPath(const QString &folder, const QString &name);

/// Acquires the lock of a socket, and waits while removeSocketsOfKilledHosts() of another process
/// has it. Returns an empty text or the fault.
[[nodiscard]] QString acquireSocketLock(HostLock &lock, const QString &socketPath);

/// Removes the sockets and locks of hosts that were killed: files of this user that are named as a
/// host names them, and whose lock no process has.
void removeSocketsOfKilledHosts(const QString &folder);

} // namespace Rekindle
