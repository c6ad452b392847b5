// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "wire/outgoingbytes_p.h"

#include <QByteArray>

namespace Rekindle {

/// The result of reading or writing a socket without blocking.
enum class Transfer {
    Done,    ///< something was read; everything was written
    Blocked, ///< wait until the socket is ready
    Ended,   ///< the peer has closed its direction, or the connection is broken
};

/// Reads up to 64 KiB. `bytes` is valid until the next call in this thread.
[[nodiscard]] Transfer receiveSome(int socket, QByteArrayView &bytes);

/// Writes what is queued.
[[nodiscard]] Transfer sendQueued(int socket, OutgoingBytes &outgoing);

} // namespace Rekindle
