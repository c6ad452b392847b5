// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/jsonrpc/mcpmembers_p.h"
#include "mcp/restart/serverhistory_p.h"
#include "wire/messageid_p.h"

namespace Rekindle {

/// An error that the client gets from the proxy because there is no response of the server.
struct ProxyRefusal
{
    enum class Reason {    // in the order of their wordings
        ServerEnded,       ///< the server exited during the request, which may have been executed
        ServerUnavailable, ///< no server runs, and none will be ready within the hold time
        HeldTooLong,       ///< no server was ready within the hold time
        TooManyHeld,       ///< the limit of held requests is reached
        TooManyInFlight,   ///< the limit of requests in flight is reached
        HandshakeRefused,  ///< the new server rejected the replayed handshake
        TimedOut,          ///< the call timeout expired while the request was in flight
        HeldTimedOut,      ///< the call timeout expired while the request was held
        AnswerTooLong,     ///< the response exceeds the size limit of a line
    };

    MessageId id{};
    Reason reason = Reason::ServerUnavailable;
    McpProtocol::Revision revision =
        McpProtocol::Revision::Unknown;   ///< of the client: determines the code
    bool mayBeExecuted = false;           ///< a server may have read the request
    std::optional<ServerExit> lastExit{}; ///< if no server has replaced it
    std::optional<Duration> restartIn{};  ///< if a start is pending
    QString detail{};                     ///< of HandshakeRefused and ServerUnavailable
    QString server{};                     ///< of a gateway: the name of the server

    [[nodiscard]] int code() const;
    [[nodiscard]] bool isMaybeExecuted() const;
    [[nodiscard]] QString message() const;   ///< for people
    [[nodiscard]] QByteArray data() const;   ///< for programs; a JSON object
    [[nodiscard]] QByteArray toJson() const; ///< the JSON-RPC message
};

} // namespace Rekindle
