// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/callretry.h>
#include <rekindle/policy/timepoint.h>

#include <QByteArray>

#include <optional>

namespace Rekindle {

/// The options of a proxy session.
struct ProxyOptions
{
    bool inject = true; ///< offer restart_server and verify_server_restarted
    CallRetry retry = CallRetry::Safe;

    /// Retries of one request that a server has read; 0 to 100.
    int maximumRetries = 5;

    /// From the arrival of a request to its response; no value: unlimited. Requests of a gateway
    /// itself have no timeout.
    std::optional<Duration> callTimeout{};

    Duration holdTime = std::chrono::seconds(20); ///< a request is held at most this long

    /// A request that arrives after a crash while the restart is delayed is refused at once instead
    /// of held. Retries are held all the same.
    bool failFast = false;

    /// Held messages and their total size. The same limits apply to calls of injected tools that
    /// wait for the server's list of tools.
    qsizetype maximumHeld = 1000;
    qsizetype maximumHeldBytes = 32 * 1024 * 1024;

    /// Requests in flight and their total size, which one more request may exceed.
    qsizetype maximumInFlight = 10000;
    qsizetype maximumInFlightBytes = 64 * 1024 * 1024;

    /// A new server fails if it does not answer the replayed handshake in this time.
    Duration handshakeTimeout = std::chrono::seconds(30);

    /// The session requests lists itself after this time, unless the new server's own list_changed
    /// or the client's own tools/list comes first.
    Duration settleTime = std::chrono::milliseconds(300);

    /// Prefix of the ids of the session's own requests; must differ from all ids of the client.
    QByteArray nonce = QByteArrayLiteral("rekindle");
};

} // namespace Rekindle
