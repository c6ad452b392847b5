// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/uniquefd_p.h"

#include <rekindle/lifecycle/scheduler.h>

#include <QByteArray>
#include <QObject>

namespace Rekindle {

class Supervision;

/// Reports what the host does to the service manager that has started this process: the protocol of
/// sd_notify(3), as a client. Without NOTIFY_SOCKET in the environment it does nothing.
class ServiceNotifier : public QObject
{
    Q_OBJECT

public:
    explicit ServiceNotifier(Supervision &supervision);

    /// Call it when all agents were started. READY=1 is sent when none of them is starting, STATUS=
    /// when the text has changed, but at most once a second, and WATCHDOG=1 if the service manager
    /// expects it. STOPPING=1 is sent when the agents are stopped.
    void begin();

    /// Call them around a reload: RELOADING=1, READY=1.
    void beginReload();
    void endReload();

private:
    [[nodiscard]] bool isActive() const { return m_socket.isOpen(); }
    void updateSoon();
    void update();
    void feedWatchdog();
    [[nodiscard]] QByteArray status() const;
    bool send(const QByteArray &message);

    Supervision &m_supervision;
    UniqueFd m_socket; ///< closed without a service manager
    Deadline m_update;
    Deadline m_watchdog;
    Duration m_watchdogInterval{0}; ///< 0: none is expected
    QByteArray m_status;            ///< the last one that was sent
    Instant m_nextUpdate{};
    bool m_hasBegun = false;
    bool m_isReady = false;    ///< READY=1 was sent
    bool m_isStopping = false; ///< STOPPING=1 was sent
};

} // namespace Rekindle
