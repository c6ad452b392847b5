// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/uniquefd_p.h"
#include "waituntil.h"

#include <QFile>
#include <QTemporaryDir>

#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <array>

namespace Rekindle {

/// The socket at which a service manager receives the messages of sd_notify(3).
class ServiceManagerSocket
{
public:
    ServiceManagerSocket()
        : m_path(m_folder.filePath(QStringLiteral("notify")))
        , m_socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const QByteArray name = QFile::encodeName(m_path);
        std::copy(name.begin(), name.end(), std::begin(address.sun_path));
        if (::bind(m_socket.get(), reinterpret_cast<const sockaddr *>(&address), sizeof address)
            != 0)
            qFatal("cannot bind %s", name.constData());
    }

    /// The value of NOTIFY_SOCKET.
    [[nodiscard]] QString path() const { return m_path; }

    /// Receives what has arrived. Each message ends with a line feed.
    [[nodiscard]] bool hasReceived(const QByteArray &expected)
    {
        std::array<char, 4096> message{};
        ssize_t size = 0;
        while ((size = ::recv(m_socket.get(), message.data(), message.size(), MSG_DONTWAIT)) > 0)
            m_received += QByteArray(message.data(), size) + '\n';
        return m_received.contains(expected);
    }
    [[nodiscard]] bool waitFor(const QByteArray &expected)
    {
        return waitUntil([&] { return hasReceived(expected); });
    }

    [[nodiscard]] qsizetype count(const char *expected) const { return m_received.count(expected); }
    void clear() { m_received.clear(); }

private:
    QTemporaryDir m_folder;
    QString m_path;
    UniqueFd m_socket;
    QByteArray m_received;
};

} // namespace Rekindle
