// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "metricsconnection_p.h"

#include <algorithm>

namespace Rekindle {

namespace {
constexpr Duration lingering = std::chrono::seconds(1);
} // namespace

MetricsConnection::MetricsConnection(Scheduler &scheduler, qsizetype maxRequestSize,
                                     Duration timeLimit, QObject *parent)
    : QObject(parent)
    , m_scheduler(scheduler)
    , m_limit(scheduler, [this] { close(); })
    , m_maxRequestSize(maxRequestSize)
    , m_timeLimit(timeLimit)
{
    m_socket.setReadBufferSize(maxRequestSize);
    connect(&m_socket, &QTcpSocket::readyRead, this, &MetricsConnection::read);
    connect(&m_socket, &QTcpSocket::bytesWritten, this, &MetricsConnection::written);
    connect(&m_socket, &QTcpSocket::disconnected, this, &MetricsConnection::close);
}

MetricsConnection::~MetricsConnection() { m_socket.disconnect(this); }

bool MetricsConnection::open(qintptr descriptor)
{
    m_limit.armIn(m_timeLimit);
    return m_socket.setSocketDescriptor(descriptor);
}

void MetricsConnection::read()
{
    if (m_phase != Phase::Reading) {
        // Nobody wants to know, but what is not read when the socket is closed resets the
        // connection, and may take the answer with it.
        m_socket.readAll();
        return;
    }
    m_request += m_socket.read(m_maxRequestSize - m_request.size());
    const HttpHead head = readHead(m_request, m_maxRequestSize);
    if (head.isComplete)
        take(head);
}

void MetricsConnection::take(const HttpHead &head)
{
    m_phase = Phase::Answering;
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
    answer(status, "text/plain; charset=utf-8", statusLineOf(status) + '\n', headers);
}

void MetricsConnection::answer(HttpStatus status, const QByteArray &contentType,
                               const QByteArray &body, const QByteArray &headers)
{
    if (m_phase != Phase::Answering)
        return;
    m_phase = Phase::Draining;
    m_socket.write("HTTP/1.1 " + statusLineOf(status) + "\r\nContent-Type: " + contentType
                   + "\r\nContent-Length: " + QByteArray::number(body.size())
                   + "\r\nCache-Control: no-store\r\nConnection: close\r\n" + headers + "\r\n");
    if (!m_withoutBody)
        m_socket.write(body);
    m_socket.readAll(); // the body of a request, of which more may come
}

void MetricsConnection::written()
{
    if (m_phase != Phase::Draining || m_socket.bytesToWrite() > 0)
        return;
    // A client that was refused may still be sending, and reads the answer only after that.
    if (m_isRefused)
        m_limit.arm(std::min(m_limit.due(), m_scheduler.now() + lingering));
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
