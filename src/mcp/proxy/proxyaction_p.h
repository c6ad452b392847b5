// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "restartmarker_p.h"
#include <rekindle/policy/callretry.h>

#include <rekindle/policy/failure.h>

#include <QByteArray>
#include <QString>

#include <optional>

namespace Rekindle {

/// How a proxy session goes about it.
struct ProxyOptions
{
    bool inject = true; ///< offer restart_server and verify_server_restarted
    CallRetry retry = CallRetry::Safe;

    /// How often one call is made again; 0 to 100. One that no server has seen does not count.
    int mostRetries = 5;

    /// For each request from its arrival to its answer; nothing: as long as it takes.
    std::optional<Duration> callTimeout{};

    /// Requests whose id is a text that begins so have no time limit: those of a client that asks
    /// for itself between those of others. Empty: none.
    QByteArray untimedIds{};

    Duration holdTime = std::chrono::seconds(20); ///< that a request waits for a server, at most

    /// A request that comes after a crash while the next server is not due yet is refused at once,
    /// with the reason, instead of waiting for it. What is made again waits all the same.
    bool failFast = false;

    /// Messages that wait for a server, and their size in all; as many calls of the proxy's own
    /// tools may wait to know what tools the server has.
    qsizetype mostHeld = 1000;
    qsizetype mostHeldBytes = 32 * 1024 * 1024;

    /// Requests that the server works on, and their size. One more is refused, so that it may be
    /// that much and one line.
    qsizetype mostInFlight = 10000;
    qsizetype mostInFlightBytes = 64 * 1024 * 1024;

    /// A new server that has not answered the replayed handshake by then has failed.
    Duration handshakeTimeout = std::chrono::seconds(30);

    /// That long a new server's own list_changed, or the client's own tools/list, is waited for
    /// before the proxy asks for lists itself.
    Duration settleTime = std::chrono::milliseconds(300);

    /// In the ids of the proxy's own requests; nothing that a client would use.
    QByteArray nonce = QByteArrayLiteral("rekindle");
};

/// A server that has just been started.
struct ServerStart
{
    quint64 generation = 0; ///< from 1
    qint64 processId = 0;
    UtcTime time{};
};

/// What is to be expected while there is no server.
struct ServerOutlook
{
    enum class Kind {
        Restart, ///< one starts `in` from now
        GivenUp, ///< none starts unless somebody asks for it
        Ended,   ///< none ever starts: the end of the session
    };

    Kind kind = Kind::Restart;
    Duration in{0};
    QString reason{}; ///< of GivenUp
};

/// How a server has ended.
struct ServerEnd
{
    enum class Kind {
        Crash,     ///< by itself; `detail` says how
        Requested, ///< exit code 42, or because a restart was asked for
        Stopped,   ///< because nobody needs it any more
    };

    Kind kind = Kind::Crash;
    FailureDetail detail{};
    quint64 bytesTaken = 0; ///< of what it was sent: the rest it cannot have seen
    ServerOutlook outlook{};
};

/// What a session wants done, in order.
struct ProxyAction
{
    enum class Kind {
        ToClient,       ///< `bytes`: a line without its end
        ToServer,       ///< `bytes`: a line without its end
        RequestRestart, ///< `text`: why; tell restartDecided() at once
        FailServer,     ///< `text`: why. It is alive and of no use; its policy decides
        EndServer,      ///< nobody needs it any more
        ServerProven,   ///< it works: the first result of a call. A handshake and lists, which a
                        ///< server that breaks on every call gives too, are no proof
        WriteMarker,    ///< `marker`
        ReadMarker,     ///< tell markerRead() at once
        Note,           ///< `text`: for the log
    };

    Kind kind = Kind::Note;
    QByteArray bytes{};
    QString text{};
    RestartMarker marker{};

    bool operator==(const ProxyAction &) const = default;
};

} // namespace Rekindle
