// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

namespace Rekindle {

/// Copies bytes from stdin to a connected socket, and from the socket to stdout, until the socket
/// ends or stdout is closed. The end of stdin closes only its direction of the socket, so that
/// responses still arrive. At most 64 KiB wait in each direction. Blocks. Returns the errno of a
/// failed write to stdout; 0 without one, and if the reader of stdout has ended.
[[nodiscard]] int bridgeToStdio(int socket);

} // namespace Rekindle
