// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace Rekindle {

/// Posts work from other threads to the event loop of an object. The threads share the mailbox,
/// because they may outlive the object. Qt's event only announces the work, because ThreadSanitizer
/// does not see the synchronization inside Qt. If work runs a nested event loop, that loop does the
/// rest of the work.
class Mailbox : public std::enable_shared_from_this<Mailbox>
{
public:
    explicit Mailbox(QObject *receiver)
        : m_receiver(receiver)
    {
    }
    Q_DISABLE_COPY_MOVE(Mailbox)

    /// Calls `work` in the receiver's thread; ignored after close(). Thread-safe.
    void post(std::function<void()> work)
    {
        const std::lock_guard lock(m_mutex);
        if (!m_receiver)
            return;
        m_work.push_back(std::move(work));
        announce();
    }

    /// Call this in the receiver's thread before the receiver is destroyed.
    void close()
    {
        const std::lock_guard lock(m_mutex);
        m_receiver = nullptr;
        m_work.clear();
    }

private:
    void announce()
    {
        if (!std::exchange(m_isAnnounced, true))
            QMetaObject::invokeMethod(
                m_receiver, [self = shared_from_this()] { self->deliver(); }, Qt::QueuedConnection);
    }

    void deliver()
    {
        std::unique_lock lock(m_mutex);
        m_isAnnounced = false;
        while (!m_work.empty()) { // close() removes all work
            const std::function<void()> work = std::move(m_work.front());
            m_work.pop_front();
            if (!m_work.empty())
                announce();
            lock.unlock();
            work();
            lock.lock();
        }
    }

    std::mutex m_mutex;
    QObject *m_receiver;
    std::deque<std::function<void()>> m_work;
    bool m_isAnnounced = false;
};

} // namespace Rekindle
