// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "tcpprobe_p.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace Rekindle {

namespace {

struct SocketAddress
{
    sockaddr_storage storage{};
    socklen_t size = 0;
};

SocketAddress toSocketAddress(const QHostAddress &address, quint16 port)
{
    SocketAddress result;
    if (address.protocol() == QAbstractSocket::IPv6Protocol) {
        sockaddr_in6 v6{};
        v6.sin6_family = AF_INET6;
        v6.sin6_port = htons(port);
        const Q_IPV6ADDR bytes = address.toIPv6Address();
        std::memcpy(&v6.sin6_addr, &bytes, sizeof v6.sin6_addr);
        v6.sin6_scope_id = address.scopeId().toUInt();
        std::memcpy(&result.storage, &v6, sizeof v6);
        result.size = sizeof v6;
        return result;
    }
    sockaddr_in v4{};
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    v4.sin_addr.s_addr = htonl(address.toIPv4Address());
    std::memcpy(&result.storage, &v4, sizeof v4);
    result.size = sizeof v4;
    return result;
}

// This host has nothing left to ask with; that says nothing of the agent.
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
    if (!m_address.isNull()) {
        m_untried = {m_address};
        tryNext();
        return;
    }
    // By name: of a lookup that is aborted before it has begun, Qt 6.4 leaks what it was to call.
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
    if (const std::shared_ptr<FdWatcher> watcher = std::move(m_watcher))
        watcher->remove(m_socket.get());
    m_watcher.reset();
    m_socket.reset();
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
    const SocketAddress target = toSocketAddress(address, m_port);
    m_socket.reset(
        ::socket(target.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!m_socket.isOpen())
        return errno;
    const linger reset{1, 0};
    ::setsockopt(m_socket.get(), SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    if (::connect(m_socket.get(), reinterpret_cast<const sockaddr *>(&target.storage), target.size)
        == 0)
        return 0;
    // No port is free. For IPv6 it may also mean that there is no such thing here.
    if (errno == EADDRNOTAVAIL && target.storage.ss_family == AF_INET)
        return EAGAIN;
    if (errno != EINPROGRESS)
        return errno;
    // On this machine it is settled already.
    pollfd settled{m_socket.get(), POLLOUT, 0};
    if (::poll(&settled, 1, 0) > 0)
        return pendingError(m_socket.get());
    std::shared_ptr<FdWatcher> watcher = FdWatcher::ofThisThread();
    if (!watcher)
        return errno;
    if (const int error = watcher->add(m_socket.get(), FdWatcher::Direction::Write, *this);
        error != 0)
        return error;
    m_watcher = std::move(watcher);
    return EINPROGRESS;
}

void TcpProbe::fdReady(int fd) { tried(pendingError(fd)); }

void TcpProbe::tried(int error)
{
    close();
    if (error == 0) {
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
