// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/jsonrpc/messageid_p.h"
#include "proxyaction_p.h"

#include <QStringList>

namespace Rekindle {

/// Which of the two protocols a client speaks (spec 9).
enum class ProtocolEra {
    Unknown, ///< it has sent nothing that tells
    Legacy,  ///< up to 2025-11-25: opens with initialize
    Modern,  ///< from 2026-07-28: every request carries the version
};

/// The errors that a proxy answers with instead of a server. Each says why, for people in its
/// message and for programs in its data. Legacy clients know -32000 (connection closed) and -32001
/// (timeout); the modern era keeps those numbers for others, and ours stand outside its ranges.
class ProxyErrors
{
public:
    /// Why there is no answer of the server.
    enum class Reason {
        ServerEnded,       ///< while it worked on the request, which may have been carried out
        ServerUnavailable, ///< none runs, and none will within the time that requests wait
        HeldTooLong,       ///< none came up in that time
        TooManyHeld,       ///< there is no room for another request that waits
        TooManyInFlight,   ///< the server works on too many requests already
        HandshakeRefused,  ///< the new server does not take the client's handshake
        TimedOut,          ///< --call-timeout, while the server worked on it
        HeldTimedOut,      ///< --call-timeout, while it waited for a server
        AnswerTooLong,     ///< the answer has passed the bound on lines
    };

    /// What is known about the server, for the text.
    struct Circumstances
    {
        std::optional<ServerEnd> lastEnd{}; ///< where no server has taken its place
        bool mayBeDone = false;             ///< a server may have read the request
        std::optional<Duration> restartIn{};
        QString detail{}; ///< of HandshakeRefused, ServerUnavailable
    };

    [[nodiscard]] static QByteArray make(const MessageId &id, ProtocolEra era, Reason reason,
                                         const Circumstances &circumstances);

    /// "ended with exit code 3", "was ended by SIGKILL".
    [[nodiscard]] static QString describe(const ServerEnd &end);
};

} // namespace Rekindle
