// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "tcpprobe_p.h"

#include <QScopeGuard>

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace Rekindle {

namespace {

constexpr int maxPartsDiscarded = 16;

// This process or host lacks the resources for a connection, which is no failure of the agent.
bool isShortageHere(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM
        || error == EAGAIN;
}

int pendingError(int fd)
{
    int error = 0;
    socklen_t size = sizeof error;
    return ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

} // namespace

TcpProbe::TcpProbe(QString host, quint16 port)
    : m_host(std::move(host))
    , m_port(port)
    , m_address(m_host)
{
}

TcpProbe::~TcpProbe() { cancel(); }

void TcpProbe::start(Duration)
{
    close(); // the server has not ended the previous connection
    if (!m_address.isNull()) {
        m_untried.clear();
        m_untried.append(m_address); // a debug build with Qt 6.8 aborts if a list is assigned
        tryNext();
        return;
    }
    // By name of the slot: Qt 6.4 leaks a functor if the lookup is aborted before it begins.
    m_lookup = QHostInfo::lookupHost(m_host, this, SLOT(lookedUp(QHostInfo)));
}

void TcpProbe::cancel()
{
    if (const int lookup = std::exchange(m_lookup, -1); lookup != -1)
        QHostInfo::abortHostLookup(lookup);
    m_untried.clear();
    close();
}

void TcpProbe::close()
{
    // May be called from a slot of the notifier.
    if (QSocketNotifier *const notifier = m_notifier.release()) {
        notifier->setEnabled(false);
        notifier->deleteLater();
    }
    if (m_socket < 0)
        return;
    static_cast<void>(discardReceived());
    ::close(std::exchange(m_socket, -1));
}

// Unread data would cause a reset when the socket is closed. Returns false at the end of the
// connection, and if the server sends without end.
bool TcpProbe::discardReceived() const
{
    std::array<char, 4096> part{};
    for (int i = 0; i < maxPartsDiscarded; ++i) {
        const ssize_t count = ::recv(m_socket, part.data(), part.size(), MSG_DONTWAIT);
        if (count <= 0)
            return count < 0 && (errno == EAGAIN || errno == EINTR);
    }
    return false;
}

void TcpProbe::endConnection()
{
    if (QSocketNotifier *const connected = m_notifier.release()) {
        connected->setEnabled(false);
        connected->deleteLater();
    }
    ::shutdown(m_socket, SHUT_WR);
    m_notifier = std::make_unique<QSocketNotifier>(m_socket, QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, [this] {
        if (!discardReceived())
            close();
    });
}

void TcpProbe::lookedUp(const QHostInfo &info)
{
    if (std::exchange(m_lookup, -1) == -1)
        return;
    if (info.addresses().isEmpty()) {
        Q_EMIT finished(false, m_host + QLatin1String(": ") + info.errorString());
        return;
    }
    m_untried = info.addresses();
    tryNext();
}

void TcpProbe::tryNext()
{
    const int error = connectTo(m_untried.takeFirst());
    if (error != EINPROGRESS)
        tried(error);
}

int TcpProbe::connectTo(const QHostAddress &address)
{
    addrinfo hints{};
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV; // so that nothing is looked up
    hints.ai_socktype = SOCK_STREAM;
    addrinfo *target = nullptr;
    // Fails if the interface of a link-local address does not exist.
    if (::getaddrinfo(address.toString().toLatin1().constData(),
                      QByteArray::number(m_port).constData(), &hints, &target)
        != 0)
        return EINVAL;
    const auto release = qScopeGuard([target] { ::freeaddrinfo(target); });
    m_socket = ::socket(target->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (m_socket < 0)
        return errno;
    if (::connect(m_socket, target->ai_addr, target->ai_addrlen) == 0)
        return 0;
    // No local port is free. For IPv6 it may also mean that this host has no IPv6.
    if (errno == EADDRNOTAVAIL && target->ai_family == AF_INET)
        return EAGAIN;
    if (errno != EINPROGRESS)
        return errno;
    // A connection to this host is complete at once.
    pollfd settled{m_socket, POLLOUT, 0};
    if (::poll(&settled, 1, 0) > 0)
        return pendingError(m_socket);
    m_notifier = std::make_unique<QSocketNotifier>(m_socket, QSocketNotifier::Write);
    connect(m_notifier.get(), &QSocketNotifier::activated, this,
            [this] { tried(pendingError(m_socket)); });
    return EINPROGRESS;
}

void TcpProbe::tried(int error)
{
    if (error != 0)
        close();
    if (error == 0) {
        endConnection();
        m_untried.clear();
        Q_EMIT finished(true, QStringLiteral("connected"));
    } else if (isShortageHere(error)) {
        m_untried.clear();
        Q_EMIT postponed();
    } else if (!m_untried.isEmpty()) {
        tryNext();
    } else {
        Q_EMIT finished(false, qt_error_string(error));
    }
}

} // namespace Rekindle
