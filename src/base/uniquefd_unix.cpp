// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "uniquefd_p.h"

#include <fcntl.h>

#include <atomic>
#include <utility>

namespace Rekindle {

UniqueFd aboveStandard(UniqueFd fd)
{
    if (!fd.isOpen() || fd.get() > STDERR_FILENO)
        return fd;
    return UniqueFd(::fcntl(fd.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

UniqueFd longLived(UniqueFd fd)
{
    constexpr int firstNumber = 256;
    if (!fd.isOpen() || fd.get() >= firstNumber)
        return fd;
    UniqueFd moved(::fcntl(fd.get(), F_DUPFD_CLOEXEC, firstNumber));
    return moved.isOpen() ? std::move(moved) : std::move(fd);
}

int nullFile()
{
    static std::atomic<int> shared = -1;
    if (const int fd = shared; fd >= 0)
        return fd;
    UniqueFd opened = aboveStandard(UniqueFd(::open("/dev/null", O_RDWR | O_CLOEXEC)));
    int none = -1;
    if (opened.isOpen() && shared.compare_exchange_strong(none, opened.get()))
        return opened.release();
    return none;
}

} // namespace Rekindle
