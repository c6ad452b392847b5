// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "messagepeek_p.h"

namespace Rekindle {

// Invalid responses that many JSON-RPC readers accept.

/// Reads a NotMessage line as a response. A missing "jsonrpc" and an "error" of null are accepted.
[[nodiscard]] MessagePeek lenientAnswer(QByteArrayView line, MessagePeek peek);

/// Reads a line that is not JSON as a response from its first and last members. The result is an
/// Error, because the content is unknown; NotMessage if the line is not certainly a response.
[[nodiscard]] MessagePeek answerFromEnds(QByteArrayView line);

} // namespace Rekindle
