// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "fdwatcher_p.h"

#include <QByteArray>

#include <sys/types.h>

#include <functional>

namespace Rekindle {

/// The receiving end of sd_notify: hears the members of one process group. The socket is in the
/// abstract namespace under a random name.
class NotifySocket final : public FdListener
{
public:
    /// What one or more messages said; all other states are ignored.
    struct Message
    {
        bool ready = false;     ///< READY=1
        bool heartbeat = false; ///< WATCHDOG=1
        bool gaveUp = false;    ///< WATCHDOG=trigger
    };

    /// `onMessage` may destroy the socket.
    explicit NotifySocket(std::function<void(Message)> onMessage);
    ~NotifySocket() override;

    /// 0 or an errno.
    [[nodiscard]] int open();
    void close();

    /// "NOTIFY_SOCKET=..."
    [[nodiscard]] const QByteArray &environmentEntry() const { return m_entry; }

    /// From here on it is listened to. 0 or an errno: it would hear nothing, ever.
    [[nodiscard]] int begin(pid_t group);

private:
    void fdReady(int fd) override;
    bool receive(Message &heard);

    std::function<void(Message)> m_onMessage;
    UniqueFd m_socket;
    std::shared_ptr<FdWatcher> m_watcher;
    QByteArray m_entry;
    pid_t m_group = 0;
};

} // namespace Rekindle
