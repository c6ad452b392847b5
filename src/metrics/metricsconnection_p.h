// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "httprequest_p.h"

#include <rekindle/lifecycle/scheduler.h>

#include <QTcpSocket>

namespace Rekindle {

/// A connection of a client: reads one request and writes one response. Deletes itself when the
/// client disconnects or the time limit has expired.
class MetricsConnection : public QObject
{
    Q_OBJECT

public:
    /// Takes over an accepted socket.
    MetricsConnection(QTcpSocket *socket, Scheduler &scheduler, qsizetype maxRequestSize,
                      Duration timeLimit, QObject *parent);

    /// Responds to requested(). `headers` are complete lines.
    void respond(HttpStatus status, const QByteArray &contentType, const QByteArray &body,
                 const QByteArray &headers = {});

Q_SIGNALS:
    /// Emitted for GET and HEAD. Call respond() once; for HEAD, the body is not sent.
    void requested(const QByteArray &path);

    /// Emitted when the connection is closed. The object is deleted by the event loop.
    void closed();

private:
    enum class Phase { Reading, Responding, Draining, Closed };

    void read();
    void handle(const HttpHead &head);
    void refuse(HttpStatus status, const QByteArray &headers = {});
    void written();
    void close();

    QTcpSocket &m_socket;
    Scheduler &m_scheduler;
    Deadline m_limit;
    const qsizetype m_maxRequestSize;
    Phase m_phase = Phase::Reading;
    QByteArray m_request;
    bool m_withoutBody = false;
    bool m_isRefused = false;
};

} // namespace Rekindle
