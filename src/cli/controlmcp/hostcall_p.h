// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "controltools_p.h"

#include <rekindle/control/controlclient.h>
#include <rekindle/lifecycle/scheduler.h>

#include <QJsonArray>
#include <QObject>

namespace Rekindle {

/// One request to a host, on a connection of its own: a host that was restarted needs no special
/// treatment, and the end of the connection cancels the request.
class HostCall : public QObject
{
    Q_OBJECT

public:
    HostCall(HostRequest request, Scheduler &scheduler, QObject *parent);

    /// Connects to an address of HostChoice. succeeded() or failed() follows from the event loop.
    void start(const QString &address);

Q_SIGNALS:
    // One of both is emitted once.
    void succeeded(const QJsonObject &result);
    void failed(const QString &why);

private:
    using Reply = ControlResult<QJsonValue>;

    void begin();
    void sendRequest();
    void takeReply(const Reply &reply);
    void takeEvent(const ControlEvent &event);
    void takeEnd(const QString &cursor);
    void succeed(const QJsonObject &result);
    void fail(const QString &why);

    const HostRequest m_request;
    ControlClient m_client;
    Deadline m_limit;
    QJsonArray m_events;
    QString m_cursor; ///< after the last of m_events, or before the request
    QJsonObject m_gap;
    bool m_hasMore = false;
    bool m_isDone = false;
};

} // namespace Rekindle
