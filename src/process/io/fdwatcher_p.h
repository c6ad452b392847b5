// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "uniquefd_p.h"

#include <QSocketNotifier>

#include <cstdint>
#include <memory>
#include <vector>

namespace Rekindle {

/// Hears of descriptors that are ready.
class FdListener
{
public:
    virtual ~FdListener();

    /// May do anything, its own destruction included.
    virtual void fdReady(int fd) = 0;
};

/// All descriptors of a thread behind one notifier: ten thousand agents cost Qt's event dispatcher
/// as much as one. Level triggered. Lives as long as somebody holds it.
class FdWatcher
{
public:
    enum class Direction {
        Read,
        Write,
        Neither, ///< only that the other end is closed
    };

    /// The one of this thread; null, with errno set, where the system has none to give.
    static std::shared_ptr<FdWatcher> ofThisThread();

    ~FdWatcher();
    Q_DISABLE_COPY_MOVE(FdWatcher)

    /// 0 or an errno. A hang-up counts as ready.
    int add(int fd, Direction direction, FdListener &listener);

    /// To be called before the descriptor is closed. Nothing is heard of it afterwards, not even
    /// what was already read from the kernel.
    void remove(int fd);

private:
    struct Entry
    {
        FdListener *listener = nullptr;
        std::uint32_t serial = 0; // tells a descriptor from an earlier one of the same number
    };

    explicit FdWatcher(UniqueFd epoll);
    void dispatch();

    UniqueFd m_epoll;
    QSocketNotifier m_notifier;
    std::vector<Entry> m_entries;
    std::uint32_t m_serial = 0;
};

} // namespace Rekindle
