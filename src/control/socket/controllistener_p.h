// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/files/hostlock_p.h"
#include "base/uniquefd_p.h"

#include <rekindle/lifecycle/scheduler.h>

#include <QFileSystemWatcher>
#include <QObject>
#include <QSocketNotifier>

#include <sys/types.h>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace Rekindle {

/// Accepts the connections of a Unix socket. Only the owner of the lock file beside it binds or
/// removes the socket, so that a second host of the same name cannot replace it. If the socket is
/// removed by another program, it is bound again.
class ControlListener : public QObject
{
    Q_OBJECT

public:
    /// `accepted` is called with each connection.
    ControlListener(QString path, Scheduler &scheduler, std::function<void(UniqueFd)> accepted);
    /// Removes the socket.
    ~ControlListener() override;

    /// Returns an empty text if it listens, otherwise why not.
    [[nodiscard]] QString listen();

Q_SIGNALS:
    /// The socket was removed or replaced by another program. The same text is repeated at most
    /// once a minute.
    void socketChanged(const QString &text);

private:
    [[nodiscard]] QString bindSocket();
    void acceptAll();
    void checkSocket();
    void report(const QString &text);
    void watchFolder();
    void removeSocket();
    [[nodiscard]] bool isBound() const;

    const QString m_path;
    Scheduler &m_scheduler;
    const std::function<void(UniqueFd)> m_accepted;
    std::unique_ptr<HostLock> m_lock;
    UniqueFd m_socket;
    std::unique_ptr<QSocketNotifier> m_readable;
    QFileSystemWatcher m_folder;
    Deadline m_acceptAgain;
    Deadline m_bindAgain;
    std::optional<std::pair<dev_t, ino_t>> m_bound; ///< the file of the socket
    QString m_reported;
    Instant m_reportAgain{};
};

} // namespace Rekindle
