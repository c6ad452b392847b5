// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "metricsconnection_p.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace Rekindle {

namespace {
// Time for a client to close the connection after the response.
constexpr Duration lingerTime = std::chrono::seconds(1);
} // namespace

MetricsConnection::MetricsConnection(int descriptor, Scheduler &scheduler,
                                     const MetricsConnectionLimits &limits, QObject *parent)
    : QObject(parent)
    , m_descriptor(descriptor)
    , m_readable(descriptor, QSocketNotifier::Read)
    , m_writable(descriptor, QSocketNotifier::Write)
    , m_scheduler(scheduler)
    , m_limits(limits)
    , m_end(scheduler.now() + limits.timeLimit)
    , m_limit(scheduler, [this] { close(); })
{
    m_limit.arm(std::min(m_end, m_scheduler.now() + m_limits.idleTimeout));
    m_writable.setEnabled(false);
    connect(&m_readable, &QSocketNotifier::activated, this, &MetricsConnection::read);
    connect(&m_writable, &QSocketNotifier::activated, this, &MetricsConnection::write);
}

MetricsConnection::~MetricsConnection()
{
    m_readable.setEnabled(false);
    m_writable.setEnabled(false);
    ::close(m_descriptor);
}

void MetricsConnection::read()
{
    std::array<char, 16 * 1024> part{};
    const ssize_t count = ::recv(m_descriptor, part.data(), part.size(), MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count <= 0) {
        // The client sends no more, but still waits for its response.
        m_readable.setEnabled(false);
        if (count < 0 || isIdle())
            close();
        return;
    }
    // Everything after the request is discarded. Closing a connection with unread data would reset
    // it, and the response may be lost.
    if (m_phase != Phase::Reading)
        return;
    m_limit.arm(std::min(m_end, m_scheduler.now() + m_limits.idleTimeout));
    m_request.append(part.data(),
                     std::min<qsizetype>(count, m_limits.maxRequestSize - m_request.size()));
    const HttpHead head = readHead(m_request, m_limits.maxRequestSize);
    if (head.isComplete)
        handle(head);
}

void MetricsConnection::handle(const HttpHead &head)
{
    m_phase = Phase::Responding;
    m_limit.arm(m_end);
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
    respond(status, "text/plain; charset=utf-8", statusLineOf(status) + '\n', headers);
}

void MetricsConnection::respond(HttpStatus status, const QByteArray &contentType,
                                const QByteArray &body, const QByteArray &headers)
{
    if (m_phase != Phase::Responding)
        return;
    m_phase = Phase::Draining;
    m_response = "HTTP/1.1 " + statusLineOf(status) + "\r\nContent-Type: " + contentType
        + "\r\nContent-Length: " + QByteArray::number(body.size())
        + "\r\nCache-Control: no-store\r\nConnection: close\r\n" + headers + "\r\n";
    if (!m_withoutBody)
        m_response += body;
    write();
}

void MetricsConnection::write()
{
    const ssize_t count =
        ::send(m_descriptor, m_response.constData(), static_cast<std::size_t>(m_response.size()),
               MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0 && errno != EAGAIN && errno != EINTR) {
        close();
        return;
    }
    m_response.remove(0, std::max<ssize_t>(count, 0));
    m_writable.setEnabled(!m_response.isEmpty());
    if (!m_response.isEmpty())
        return;
    ::shutdown(m_descriptor, SHUT_WR);
    if (m_readable.isEnabled())
        m_limit.arm(std::min(m_end, m_scheduler.now() + lingerTime));
    else
        close();
}

void MetricsConnection::close()
{
    if (m_phase == Phase::Closed)
        return;
    m_phase = Phase::Closed;
    m_limit.disarm();
    m_readable.setEnabled(false);
    m_writable.setEnabled(false);
    ::shutdown(m_descriptor, SHUT_RDWR);
    Q_EMIT closed();
    deleteLater();
}

} // namespace Rekindle
