// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/jsonrpc/messagepeek_p.h"

namespace Rekindle {

// Answers that are not as they should be, and that many a reader takes all the same.

/// Of a line that is no message: what it is to a reader that minds neither a missing "jsonrpc" nor
/// an "error" that is null.
[[nodiscard]] MessagePeek asAnswer(QByteArrayView line, MessagePeek peek);

/// Of a line that is no message, and whose id only its ends tell: nothing of what it says is known,
/// so that to whoever needs that it is an error. NotMessage where it is no answer for certain.
[[nodiscard]] MessagePeek asUnreadAnswer(QByteArrayView line);

} // namespace Rekindle
