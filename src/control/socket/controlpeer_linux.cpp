// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/socket/controlpeer_p.h"

#include "base/uniquefd_p.h"

#include <QFile>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace Rekindle {

namespace {

constexpr int peerPidfd = 77; // SO_PEERPIDFD, which headers before Linux 6.5 do not have

// If the peer has exited, its process id may belong to another process. Before Linux 6.5, this
// cannot be detected.
QString programOf(int socket, pid_t process)
{
    const QString program = QFile::symLinkTarget(QStringLiteral("/proc/%1/exe").arg(process));
    int descriptor = -1;
    socklen_t size = sizeof descriptor;
    if (::getsockopt(socket, SOL_SOCKET, peerPidfd, &descriptor, &size) != 0)
        return errno == ENOPROTOOPT ? program : QString();
    const UniqueFd pidfd(descriptor);
    pollfd exited{pidfd.get(), POLLIN, 0};
    return ::poll(&exited, 1, 0) == 0 ? program : QString();
}

} // namespace

std::optional<ControlPeer> ControlPeer::ofSocket(int socket)
{
    ucred peer{};
    socklen_t size = sizeof peer;
    if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0
        || (peer.uid != ::geteuid() && peer.uid != 0))
        return std::nullopt;
    return ControlPeer{peer.uid, peer.pid, programOf(socket, peer.pid)};
}

} // namespace Rekindle
