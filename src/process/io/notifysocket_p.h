// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "descriptorstore_p.h"
#include "fdwatcher_p.h"
#include "notifymessage_p.h"

#include <QByteArray>

#include <sys/types.h>

#include <functional>

namespace Rekindle {

/// Receives sd_notify messages from the members of one process group. The socket is in the abstract
/// namespace and has a random name.
class NotifySocket final : public FdListener
{
public:
    /// `onMessage` may destroy the socket. `store` receives the descriptors of messages; if it is
    /// null, they are ignored.
    NotifySocket(DescriptorStore *store, std::function<void(NotifyMessage)> onMessage);
    ~NotifySocket() override;

    /// Returns 0 or an errno.
    [[nodiscard]] int open();

    /// "NOTIFY_SOCKET=..."
    [[nodiscard]] const QByteArray &environmentEntry() const { return m_entry; }

    /// Starts to receive messages from `group`. Returns 0 or an errno.
    [[nodiscard]] int begin(pid_t group);

private:
    void fdReady(int fd) override;
    bool receive(NotifyMessage &received);
    void store(const NotifyMessage::Descriptors &request, std::vector<UniqueFd> descriptors,
               bool isComplete);

    DescriptorStore *const m_store;
    std::function<void(NotifyMessage)> m_onMessage;
    UniqueFd m_socket;
    std::shared_ptr<FdWatcher> m_watcher;
    QByteArray m_entry;
    pid_t m_group = 0;
    bool m_hasWarned = false;
};

} // namespace Rekindle
