// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <utility>

namespace Rekindle {

/// Owns one file descriptor.
class UniqueFd
{
public:
    UniqueFd() = default;
    explicit UniqueFd(int fd)
        : m_fd(fd)
    {
    }
    ~UniqueFd() { reset(); }
    UniqueFd(UniqueFd &&other) noexcept
        : m_fd(other.release())
    {
    }
    UniqueFd &operator=(UniqueFd &&other) noexcept
    {
        reset(other.release());
        return *this;
    }

    [[nodiscard]] int get() const { return m_fd; }
    [[nodiscard]] bool isOpen() const { return m_fd >= 0; }
    [[nodiscard]] int release() { return std::exchange(m_fd, -1); }
    void reset(int fd = -1)
    {
        const int old = std::exchange(m_fd, fd);
        if (old >= 0)
            ::close(old);
    }

private:
    int m_fd = -1;
};

/// Returns the descriptor, or a duplicate with a number above 2 if it is one of the three standard
/// descriptors, which a host may have closed. On failure the result is closed and errno is set.
[[nodiscard]] UniqueFd aboveStandard(UniqueFd fd);

/// Moves a long-lived descriptor of a running agent to number 256 or above, so
/// that low numbers remain free for the descriptors of a launch. See LaunchRequest::standardFds.
/// If that is not possible, returns it unchanged.
[[nodiscard]] UniqueFd longLived(UniqueFd fd);

/// Returns /dev/null for reading and writing, which is opened once per process. Its number is low
/// if a low one is free. -1 with errno set on failure. Thread-safe.
[[nodiscard]] int nullFile();

} // namespace Rekindle
