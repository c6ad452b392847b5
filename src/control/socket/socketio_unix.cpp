// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/socket/socketio_p.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>

namespace Rekindle {

namespace {

constexpr std::size_t partSize = 65'536;

Transfer afterError()
{
    return errno == EAGAIN || errno == EINTR ? Transfer::Blocked : Transfer::Ended;
}

} // namespace

Transfer receiveSome(int socket, QByteArrayView &bytes)
{
    static thread_local std::array<char, partSize> part;
    const ssize_t count = ::recv(socket, part.data(), part.size(), MSG_DONTWAIT);
    if (count < 0)
        return afterError();
    bytes = {part.data(), count};
    return count > 0 ? Transfer::Done : Transfer::Ended;
}

Transfer sendQueued(int socket, OutgoingBytes &outgoing)
{
    while (!outgoing.isEmpty()) {
        const QByteArrayView bytes = outgoing.next();
        const ssize_t count = ::send(socket, bytes.data(), static_cast<std::size_t>(bytes.size()),
                                     MSG_DONTWAIT | MSG_NOSIGNAL);
        if (count < 0)
            return afterError();
        outgoing.drop(count);
    }
    return Transfer::Done;
}

} // namespace Rekindle
