// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/uniquefd_p.h"
#include "host/internal/agenttally.h"

#include <rekindle/lifecycle/scheduler.h>

#include <QByteArray>
#include <QObject>

namespace Rekindle {

class AgentHost;

/// Reports what the host does to the service manager that has started this process: the protocol of
/// sd_notify(3), as a client. Without NOTIFY_SOCKET in the environment it does nothing.
///
/// READY=1 is sent from the event loop when no agent is starting, STATUS= when the text has
/// changed, but at most once a second, and WATCHDOG=1 if the service manager expects it. STOPPING=1
/// is sent when the agents are stopped.
class ServiceNotifier : public QObject
{
    Q_OBJECT

public:
    /// `host` must outlive this object.
    explicit ServiceNotifier(const AgentHost &host);

    /// Call them around a reload: RELOADING=1, READY=1.
    void beginReload();
    void endReload();

private:
    void updateSoon();
    void update();
    void feedWatchdog();
    [[nodiscard]] QByteArray status() const;
    bool send(const QByteArray &message);

    const AgentHost &m_host;
    const AgentTally m_tally;
    const Scheduler &m_scheduler;
    UniqueFd m_socket; ///< closed without a service manager
    Deadline m_update;
    Deadline m_watchdog;
    Duration m_watchdogInterval{0}; ///< 0: none is expected
    QByteArray m_status;            ///< the last one that was sent
    Instant m_nextUpdate{};
    bool m_isReady = false;    ///< READY=1 was sent
    bool m_isStopping = false; ///< STOPPING=1 was sent
};

} // namespace Rekindle
