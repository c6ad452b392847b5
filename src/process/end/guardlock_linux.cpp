// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "process/internal/guardlock.h"

#include "processguard_p.h"

#include <QFile>

#include <fcntl.h>

namespace Rekindle {

bool GuardLock::open(const QString &file)
{
    UniqueFd fd(::open(QFile::encodeName(file).constData(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
    if (!fd.isOpen())
        return false;
    ProcessGuard::instance().setLockFile(std::move(fd));
    return true;
}

bool GuardLock::acquire() { return ProcessGuard::instance().acquireLock(); }

} // namespace Rekindle
