// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "httprequest_p.h"

#include <rekindle/lifecycle/scheduler.h>

#include <QTcpSocket>

namespace Rekindle {

/// One connection of a client: it waits for a request, hands it on, and writes the one answer. It
/// deletes itself when the client has gone, and cuts the client off when its time is over.
class MetricsConnection : public QObject
{
    Q_OBJECT

public:
    MetricsConnection(Scheduler &scheduler, qsizetype maxRequestSize, Duration timeLimit,
                      QObject *parent);
    ~MetricsConnection() override;

    /// Takes an accepted socket over; false if that fails.
    [[nodiscard]] bool open(qintptr descriptor);

    /// The answer to `requested`, once. `headers` are whole lines.
    void answer(HttpStatus status, const QByteArray &contentType, const QByteArray &body,
                const QByteArray &headers = {});

Q_SIGNALS:
    /// A GET or a HEAD, of which only the body will not be sent; answer() has to follow.
    void requested(const QByteArray &path);

    /// It is over; the object goes with the next turn of the event loop.
    void closed();

private:
    enum class Phase { Reading, Answering, Draining, Closed };

    void read();
    void take(const HttpHead &head);
    void refuse(HttpStatus status, const QByteArray &headers = {});
    void written();
    void close();

    QTcpSocket m_socket;
    Scheduler &m_scheduler;
    Deadline m_limit;
    const qsizetype m_maxRequestSize;
    const Duration m_timeLimit;
    Phase m_phase = Phase::Reading;
    QByteArray m_request;
    bool m_withoutBody = false;
    bool m_isRefused = false;
};

} // namespace Rekindle
