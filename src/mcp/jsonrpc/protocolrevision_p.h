// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "messagepeek_p.h"

namespace Rekindle {

/// The protocol revisions that a client uses, as far as they differ for a session.
enum class ProtocolRevision {
    Unknown, ///< no message of the client has shown it yet
    Legacy,  ///< up to 2025-11-25: the session opens with initialize
    Modern,  ///< from 2026-07-28: every request names the revision
};

/// The revision of a session that opens with this request. Unknown for server/discover: such a
/// client may continue with either.
[[nodiscard]] inline ProtocolRevision openingRevision(QByteArrayView line, const MessagePeek &peek)
{
    if (peek.method == "initialize")
        return ProtocolRevision::Legacy;
    return peek.method != "server/discover" && isModern(line, peek) ? ProtocolRevision::Modern
                                                                    : ProtocolRevision::Unknown;
}

} // namespace Rekindle
