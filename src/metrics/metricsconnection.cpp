// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "metricsconnection_p.h"

#include <algorithm>

namespace Rekindle {

namespace {
// Time for a refused client to stop sending.
constexpr Duration lingerTime = std::chrono::seconds(1);
} // namespace

MetricsConnection::MetricsConnection(QTcpSocket *socket, Scheduler &scheduler,
                                     qsizetype maxRequestSize, Duration timeLimit, QObject *parent)
    : QObject(parent)
    , m_socket(*socket)
    , m_scheduler(scheduler)
    , m_limit(scheduler, [this] { close(); })
    , m_maxRequestSize(maxRequestSize)
{
    m_limit.armIn(timeLimit);
    m_socket.setParent(this);
    m_socket.setReadBufferSize(maxRequestSize);
    connect(&m_socket, &QTcpSocket::readyRead, this, &MetricsConnection::read);
    connect(&m_socket, &QTcpSocket::bytesWritten, this, &MetricsConnection::written);
    connect(&m_socket, &QTcpSocket::disconnected, this, &MetricsConnection::close);
}

void MetricsConnection::read()
{
    if (m_phase != Phase::Reading) {
        // Discarded. Closing a socket with unread data resets the connection, and the response may
        // be lost.
        m_socket.readAll();
        return;
    }
    m_request += m_socket.read(m_maxRequestSize - m_request.size());
    const HttpHead head = readHead(m_request, m_maxRequestSize);
    if (head.isComplete)
        handle(head);
}

void MetricsConnection::handle(const HttpHead &head)
{
    m_phase = Phase::Responding;
    m_request = {};
    if (!head.request) {
        refuse(head.refusal);
        return;
    }
    m_withoutBody = head.request->method == "HEAD";
    if (m_withoutBody || head.request->method == "GET")
        Q_EMIT requested(head.request->path);
    else
        refuse(HttpStatus::MethodNotAllowed, "Allow: GET, HEAD\r\n");
}

void MetricsConnection::refuse(HttpStatus status, const QByteArray &headers)
{
    m_isRefused = true;
    respond(status, "text/plain; charset=utf-8", statusLineOf(status) + '\n', headers);
}

void MetricsConnection::respond(HttpStatus status, const QByteArray &contentType,
                                const QByteArray &body, const QByteArray &headers)
{
    if (m_phase != Phase::Responding)
        return;
    m_phase = Phase::Draining;
    m_socket.write("HTTP/1.1 " + statusLineOf(status) + "\r\nContent-Type: " + contentType
                   + "\r\nContent-Length: " + QByteArray::number(body.size())
                   + "\r\nCache-Control: no-store\r\nConnection: close\r\n" + headers + "\r\n");
    if (!m_withoutBody)
        m_socket.write(body);
    m_socket.readAll(); // the body of the request
}

void MetricsConnection::written()
{
    if (m_phase != Phase::Draining || m_socket.bytesToWrite() > 0)
        return;
    // A refused client may read the response only after it has sent its request.
    if (m_isRefused)
        m_limit.arm(std::min(m_limit.due(), m_scheduler.now() + lingerTime));
    else
        m_socket.disconnectFromHost();
}

void MetricsConnection::close()
{
    if (m_phase == Phase::Closed)
        return;
    m_phase = Phase::Closed;
    m_limit.disarm();
    m_socket.abort();
    Q_EMIT closed();
    deleteLater();
}

} // namespace Rekindle
