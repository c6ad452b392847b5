// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "fdwatcher_p.h"

#include <QElapsedTimer>

#include <sys/epoll.h>

#include <array>
#include <cerrno>
#include <utility>

namespace Rekindle {

namespace {
// All events of a batch are handled, because the kernel reports their descriptors last the next
// time. Otherwise, one that is always ready could delay all others.
constexpr int eventsPerBatch = 16;

// Limit how long one activation blocks the event loop. Work that follows exits, such as writing the
// state file, is done once per activation.
constexpr int eventsPerActivation = 256;
constexpr int millisecondsPerActivation = 5;
} // namespace

std::shared_ptr<FdWatcher> FdWatcher::ofThisThread()
{
    static thread_local std::weak_ptr<FdWatcher> current;
    std::shared_ptr<FdWatcher> watcher = current.lock();
    if (watcher)
        return watcher;
    UniqueFd epoll(::epoll_create1(EPOLL_CLOEXEC));
    if (!epoll.isOpen())
        return nullptr;
    watcher.reset(new FdWatcher(std::move(epoll)));
    current = watcher;
    return watcher;
}

FdWatcher::FdWatcher(UniqueFd epoll)
    : m_epoll(std::move(epoll))
    , m_notifier(m_epoll.get(), QSocketNotifier::Read)
{
    QObject::connect(&m_notifier, &QSocketNotifier::activated, &m_notifier, [this] { dispatch(); });
}

FdWatcher::~FdWatcher()
{
    // The notifier must not watch a closed descriptor.
    m_notifier.setEnabled(false);
}

int FdWatcher::add(int fd, Direction direction, FdListener &listener)
{
    if (fd < 0)
        return EBADF;
    const auto index = static_cast<std::size_t>(fd);
    if (index >= m_entries.size())
        m_entries.resize(index + 1);
    const std::uint32_t serial = ++m_serial;
    epoll_event event{};
    if (direction == Direction::Read)
        event.events = EPOLLIN | EPOLLRDHUP;
    else if (direction == Direction::Write)
        event.events = EPOLLOUT; // errors and hang-ups are always reported
    event.data.u64 = (std::uint64_t{serial} << 32) | static_cast<std::uint32_t>(fd);
    if (::epoll_ctl(m_epoll.get(), EPOLL_CTL_ADD, fd, &event) != 0)
        return errno;
    m_entries[index] = {&listener, serial};
    return 0;
}

void FdWatcher::remove(int fd)
{
    m_entries[static_cast<std::size_t>(fd)] = {};
    ::epoll_ctl(m_epoll.get(), EPOLL_CTL_DEL, fd, nullptr);
}

void FdWatcher::dispatch()
{
    // A listener may release the last reference.
    const std::shared_ptr<FdWatcher> alive = ofThisThread();
    std::array<epoll_event, eventsPerBatch> events{};
    QElapsedTimer elapsed;
    elapsed.start();
    int count = 0;
    int handled = 0;
    do {
        count = ::epoll_wait(m_epoll.get(), events.data(), eventsPerBatch, 0);
        for (int i = 0; i < count; ++i) {
            const std::uint64_t data = events[static_cast<std::size_t>(i)].data.u64;
            const auto fd = static_cast<std::uint32_t>(data);
            const Entry entry = m_entries[fd];
            if (entry.listener && entry.serial == static_cast<std::uint32_t>(data >> 32))
                entry.listener->fdReady(static_cast<int>(fd));
        }
        handled += count;
    } while (count == eventsPerBatch && handled < eventsPerActivation
             && !elapsed.hasExpired(millisecondsPerActivation));
}

} // namespace Rekindle
