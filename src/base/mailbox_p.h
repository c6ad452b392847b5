// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>

#include <mutex>
#include <utility>

namespace Rekindle {

/// Posts work from other threads to the event loop of an object. The threads share the mailbox,
/// because they may outlive the object.
class Mailbox
{
public:
    explicit Mailbox(QObject *receiver)
        : m_receiver(receiver)
    {
    }
    Q_DISABLE_COPY_MOVE(Mailbox)

    /// Calls `work` in the receiver's thread; ignored after close(). Thread-safe.
    template<typename Work>
    void post(Work &&work)
    {
        const std::lock_guard lock(m_mutex);
        if (m_receiver)
            QMetaObject::invokeMethod(m_receiver, std::forward<Work>(work), Qt::QueuedConnection);
    }

    /// Call this in the receiver's thread before the receiver is destroyed.
    void close()
    {
        const std::lock_guard lock(m_mutex);
        m_receiver = nullptr;
    }

private:
    std::mutex m_mutex;
    QObject *m_receiver;
};

} // namespace Rekindle
