// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "enlargedpipe_p.h"

#include <fcntl.h>

#include <atomic>
#include <utility>

namespace Rekindle {

namespace {

std::atomic<int> enlargedPipes = 0;

} // namespace

bool EnlargedPipe::enlarge(int fd)
{
    constexpr int largest = 1024 * 1024; // for users without privileges
    if (m_isCounted || enlargedPipes.load() >= most)
        return false;
    const int size = ::fcntl(fd, F_GETPIPE_SZ);
    if (size <= 0 || size >= largest)
        return false;
    m_isCounted = true;
    if (enlargedPipes.fetch_add(1) < most && ::fcntl(fd, F_SETPIPE_SZ, largest) > size)
        return true;
    reset();
    return false;
}

void EnlargedPipe::reset()
{
    if (std::exchange(m_isCounted, false))
        enlargedPipes.fetch_sub(1);
}

} // namespace Rekindle
