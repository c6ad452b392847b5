// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/process/export.h>

class QString;

namespace Rekindle {

/// A lock that a host and its guard hold together. If the host is killed, the lock is released when
/// the guard has killed what is left and has exited. The next host acquires it then.
///
/// It is a lock of a byte (F_OFD_SETLK), so the file may have another lock (flock()). Thread-safe.
class REKINDLE_PROCESS_EXPORT GuardLock
{
public:
    /// Opens the file of the lock, which must exist. Call it before the first process is started.
    /// Returns false if the file cannot be opened.
    [[nodiscard]] static bool open(const QString &file);

    /// Returns whether the lock was acquired. Returns false while an earlier guard holds it. Call
    /// it after open().
    [[nodiscard]] static bool acquire();
};

} // namespace Rekindle
