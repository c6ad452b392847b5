// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "metricsconnection_p.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace Rekindle {

namespace {

// Time for a client to close the connection after the response.
constexpr Duration lingerTime = std::chrono::seconds(1);

constexpr std::size_t partSize = 16'384;

bool isTemporary(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

} // namespace

MetricsConnection::MetricsConnection(int descriptor, Scheduler &scheduler,
                                     const MetricsServerOptions &limits, QObject *parent)
    : QObject(parent)
    , m_descriptor(descriptor)
    , m_readable(descriptor, QSocketNotifier::Read)
    , m_writable(descriptor, QSocketNotifier::Write)
    , m_scheduler(scheduler)
    , m_limits(limits)
    , m_end(scheduler.now() + limits.timeLimit)
    , m_limit(scheduler, [this] { close(); })
{
    m_writable.setEnabled(false);
    connect(&m_readable, &QSocketNotifier::activated, this, &MetricsConnection::read);
    connect(&m_writable, &QSocketNotifier::activated, this, &MetricsConnection::write);
    restartIdleTimeout(limits.idleTimeout);
}

MetricsConnection::~MetricsConnection() { release(); }

void MetricsConnection::read()
{
    if (m_phase == Phase::Closed)
        return;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): recv() fills it
    std::array<char, partSize> part;
    const ssize_t count = ::recv(m_descriptor, part.data(), part.size(), MSG_DONTWAIT);
    if (count < 0 && isTemporary(errno))
        return;
    if (count < 0 || (count == 0 && m_phase == Phase::Reading)) {
        close();
    } else if (count == 0) { // the client may have closed only its own direction
        m_readable.setEnabled(false);
        if (m_response.isEmpty() && m_phase == Phase::Draining)
            close();
    } else if (m_phase == Phase::Reading) {
        readRequest({part.data(), count});
    }
    // Everything after the request is discarded. Closing a connection with unread data would reset
    // it, and the response could be lost.
}

void MetricsConnection::readRequest(QByteArrayView part)
{
    restartIdleTimeout(m_limits.idleTimeout);
    m_request += part.first(std::min(part.size(), m_limits.maxRequestSize - m_request.size()));
    const HttpHead head = readHead(m_request, m_limits.maxRequestSize);
    if (head.isComplete)
        handle(head);
}

void MetricsConnection::handle(const HttpHead &head)
{
    m_phase = Phase::Responding;
    m_idleSince = Instant::max();
    m_limit.arm(m_end);
    m_request = {};
    if (!head.request) {
        refuse(head.refusal);
        return;
    }
    m_withoutBody = head.request->method == "HEAD";
    if (m_withoutBody || head.request->method == "GET")
        Q_EMIT requested(head.request->path, head.request->host);
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
    m_response = {"HTTP/1.1 " + statusLineOf(status) + "\r\nContent-Type: " + contentType
                  + "\r\nContent-Length: " + QByteArray::number(body.size())
                  + "\r\nCache-Control: no-store\r\nConnection: close\r\n" + headers + "\r\n"};
    if (!m_withoutBody)
        m_response.append(body); // not copied, because concurrent requests share one text
    write();
}

void MetricsConnection::write()
{
    while (!m_response.isEmpty()) {
        const QByteArrayView rest = QByteArrayView(m_response.first()).sliced(m_sent);
        const ssize_t count =
            ::send(m_descriptor, rest.data(), static_cast<std::size_t>(rest.size()),
                   MSG_DONTWAIT | MSG_NOSIGNAL);
        if (count < 0 && !isTemporary(errno)) {
            close();
            return;
        }
        restartIdleTimeout(m_limits.idleTimeout);
        if (count < rest.size()) {
            m_sent += std::max<ssize_t>(count, 0);
            m_writable.setEnabled(true);
            return;
        }
        m_response.removeFirst();
        m_sent = 0;
    }
    m_writable.setEnabled(false);
    if (!m_readable.isEnabled()) { // the client has closed its direction
        close();
        return;
    }
    ::shutdown(m_descriptor, SHUT_WR);
    restartIdleTimeout(lingerTime);
}

void MetricsConnection::restartIdleTimeout(Duration timeout)
{
    m_idleSince = m_scheduler.now();
    m_limit.arm(std::min(m_end, m_idleSince + timeout));
}

void MetricsConnection::close()
{
    if (m_phase == Phase::Closed)
        return;
    release();
    Q_EMIT closed();
    deleteLater();
}

void MetricsConnection::release()
{
    m_phase = Phase::Closed;
    m_limit.disarm();
    m_readable.setEnabled(false);
    m_writable.setEnabled(false);
    if (const int descriptor = std::exchange(m_descriptor, -1); descriptor >= 0)
        ::close(descriptor);
}

} // namespace Rekindle
