// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "fdwatcher_p.h"

#include <QByteArray>

#include <sys/types.h>

#include <functional>

namespace Rekindle {

/// The receiving end of sd_notify: waits for READY=1 from a member of one process group. All
/// other states are ignored. The socket is in the abstract namespace under a random name.
class NotifySocket final : public FdListener
{
public:
    explicit NotifySocket(std::function<void()> onReady);
    ~NotifySocket() override;

    /// 0 or an errno.
    int open();
    void close();

    /// "NOTIFY_SOCKET=..."
    [[nodiscard]] const QByteArray &environmentEntry() const { return m_entry; }

    /// From here on it is listened to.
    int begin(pid_t group);

private:
    void fdReady(int fd) override;
    bool receive(bool &ready);

    std::function<void()> m_onReady;
    UniqueFd m_socket;
    std::shared_ptr<FdWatcher> m_watcher;
    QByteArray m_entry;
    pid_t m_group = 0;
};

} // namespace Rekindle
