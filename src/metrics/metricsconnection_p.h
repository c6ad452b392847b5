// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "httprequest_p.h"

#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/metrics/metricsserver.h>

#include <QList>
#include <QObject>
#include <QSocketNotifier>

namespace Rekindle {

/// A connection of a client: reads one request and writes one response. Deletes itself when the
/// client disconnects or a time limit has expired. A client that has only closed its own direction
/// gets its response; QTcpSocket cannot do this.
class MetricsConnection : public QObject
{
    Q_OBJECT

public:
    /// Takes over an accepted socket.
    MetricsConnection(int descriptor, Scheduler &scheduler, const MetricsServerOptions &limits,
                      QObject *parent);
    ~MetricsConnection() override;

    /// Responds to requested(). `headers` are complete lines.
    void respond(HttpStatus status, const QByteArray &contentType, const QByteArray &body,
                 const QByteArray &headers = {});

    /// Returns since when the client has neither sent a part of its request nor read a part of the
    /// response; Instant::max() while the response is being created.
    [[nodiscard]] Instant idleSince() const { return m_idleSince; }

    /// Reads what the client has sent so far, if anything.
    void read();

    /// Closes the connection without a response.
    void close();

Q_SIGNALS:
    /// Emitted for GET and HEAD. Call respond() once; for HEAD, the body is not sent.
    void requested(const QByteArray &path, const QByteArray &host);

    /// Emitted when the connection is closed. The object is deleted by the event loop.
    void closed();

private:
    enum class Phase { Reading, Responding, Draining, Closed };

    void readRequest(QByteArrayView part);
    void handle(const HttpHead &head);
    void refuse(HttpStatus status, const QByteArray &headers = {});
    void write();
    void restartIdleTimeout(Duration timeout);
    void release();

    int m_descriptor; ///< -1: closed
    QSocketNotifier m_readable;
    QSocketNotifier m_writable;
    Scheduler &m_scheduler;
    const MetricsServerOptions m_limits;
    const Instant m_end;
    Deadline m_limit;
    Instant m_idleSince{};
    Phase m_phase = Phase::Reading;
    QByteArray m_request;
    QList<QByteArray> m_response; ///< parts that are not sent yet
    qsizetype m_sent = 0;         ///< bytes of the first part
    bool m_withoutBody = false;
};

} // namespace Rekindle
