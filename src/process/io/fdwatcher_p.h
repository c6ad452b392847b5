// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/uniquefd_p.h"

#include <QSocketNotifier>

#include <cstdint>
#include <memory>
#include <vector>

namespace Rekindle {

/// Is called when a descriptor is ready.
class FdListener
{
public:
    virtual ~FdListener() = default;

    /// May do anything, including the destruction of this object.
    virtual void fdReady(int fd) = 0;
};

/// Watches all descriptors of a thread with one QSocketNotifier, so that the cost of Qt's event
/// dispatcher does not grow with the number of agents. Level triggered.
class FdWatcher
{
public:
    enum class Direction {
        Read,
        Write,
        Neither, ///< only hang-ups
    };

    /// The watcher of this thread, which exists while it is referenced. Null with errno set on
    /// failure.
    static std::shared_ptr<FdWatcher> ofThisThread();

    ~FdWatcher();
    Q_DISABLE_COPY_MOVE(FdWatcher)

    /// Returns 0 or an errno. A hang-up counts as ready.
    int add(int fd, Direction direction, FdListener &listener);

    /// To be called before the descriptor is closed. The listener is not called afterwards, not
    /// even for an event that was already read from the kernel.
    void remove(int fd);

private:
    struct Entry
    {
        FdListener *listener = nullptr;
        std::uint32_t serial = 0; // distinguishes it from an earlier descriptor of the same number
    };

    explicit FdWatcher(UniqueFd epoll);
    void dispatch();

    UniqueFd m_epoll;
    QSocketNotifier m_notifier;
    std::vector<Entry> m_entries;
    std::uint32_t m_serial = 0;
};

} // namespace Rekindle
