// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "hostaddress_p.h"

#include "base/uniquefd_p.h"

#include <sys/socket.h>

namespace Rekindle {

QString openHost(ControlClient &client, const QString &address)
{
    const HostAddress host(address);
    if (!host.isRemote()) {
        client.open(address);
        return {};
    }
    const ControlClient::Connection connection = host.connectedSocket();
    if (connection.socket >= 0)
        client.open(connection.socket, address);
    return connection.fault;
}

// The kernel knows which process listens.
QString processTextOf(const QString &address)
{
    if (HostAddress(address).isRemote())
        return {};
    const UniqueFd socket(ControlClient::connectedSocket(address).socket);
    ucred host{};
    socklen_t size = sizeof host;
    if (::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &host, &size) != 0)
        return {};
    return QStringLiteral(" (process %1)").arg(host.pid);
}

} // namespace Rekindle
