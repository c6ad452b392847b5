// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>

#include <optional>

namespace Rekindle {

/// An error response of a host.
struct ControlError
{
    /// The numbers are stable, and each has one meaning. A newer host can send others. The names
    /// are members of `data`.
    enum class Code {
        NotConnected = 0,    ///< of the client: the connection has ended before the response
        ParseError = -32700, ///< the request is not JSON
        InternalError = -32603,
        InvalidParams = -32602, ///< `faults`: the parameters that are missing, unknown or wrong
        MethodNotFound = -32601,
        InvalidRequest = -32600,       ///< it is no request of JSON-RPC, or is nested too deeply
        UnknownAgent = -32001,         ///< `candidates`, `removed`
        HelloRequired = -32002,        ///< another request precedes hello
        Forbidden = -32003,            ///< `access`: the client is another user
        Refused = -32004,              ///< `rule`: the operation is not possible
        TooLarge = -32005,             ///< `limit`: of a request or of its result, in bytes
        Busy = -32006,                 ///< `limit`: of requests in flight, clients or output
        CursorGone = -32007,           ///< `oldest`: the events after the cursor are not stored
        ConfigInvalid = -32008,        ///< `faults`: nothing was changed
        Stopping = -32009,             ///< the host is stopping its agents, or exits
        TimedOut = -32010,             ///< the state was not reached in time
        UnsupportedProtocol = -32011,  ///< `supported`
        RequestCancelled = -32012,     ///< by the client
        UnknownSharedBreaker = -32013, ///< `candidates`
    };

    Code code = Code::InternalError;
    QString message{}; ///< for people
    QByteArray data{}; ///< a JSON object, see docs/control.md; may be empty
};

/// The result of a request; with an error, `value` is T().
template<typename T>
struct ControlResult
{
    T value{};
    std::optional<ControlError> error{};

    explicit operator bool() const { return !error; }
};

} // namespace Rekindle
