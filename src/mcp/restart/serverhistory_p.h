// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "restartmarker_p.h"

#include <rekindle/policy/failure.h>
#include <rekindle/policy/timepoint.h>

#include <QStringList>

#include <optional>

namespace Rekindle {

struct ServerStart
{
    quint64 generation = 0; ///< from 1
    qint64 processId = 0;
    UtcTime time{};
};

/// What is expected while no server runs.
struct ServerOutlook
{
    enum class Kind {
        Restart, ///< a server starts at `restartAt`; at once if that has passed
        GivenUp, ///< no server starts unless a restart is requested
        Ended,   ///< no server starts: the session ends
    };

    Kind kind = Kind::Restart;
    Instant restartAt{};
    QString reason{}; ///< of GivenUp
};

struct ServerExit
{
    enum class Kind {
        Crash,     ///< by itself; see `detail`
        Requested, ///< exit code 42, or a requested restart
        Stopped,   ///< the session ended
    };

    Kind kind = Kind::Crash;
    FailureDetail detail{};
    quint64 bytesTaken = 0; ///< at most this many of the bytes sent to it were read
    ServerOutlook outlook{};

    /// "exited with exit code 3", "was terminated by SIGKILL".
    [[nodiscard]] QString description() const;
};

/// The data of verify_server_restarted.
struct RestartRecord
{
    ServerStart server{}; ///< that runs, or ran last
    qint64 oldProcessId = 0;
    bool isRunning = false;
    std::optional<RestartMarker> lastRestart{}; ///< the last restart in this session
    std::optional<ServerExit> lastExit{};
    bool handshakeDone = false;
    QStringList toolsAdded{}; ///< by the last restart, if the lists were compared
    QStringList toolsRemoved{};
};

/// The starts and exits of the servers of a session, and their reasons.
class ServerHistory
{
public:
    /// Returns the marker to write if this start is a restart that has none yet.
    [[nodiscard]] std::optional<RestartMarker> addStart(const ServerStart &start);
    void addExit(const ServerExit &exit);
    void setOutlook(const ServerOutlook &outlook) { m_outlook = outlook; }

    /// The session terminates the running server because of this fault, which becomes the reason of
    /// its exit.
    void setFault(const QString &fault) { m_fault = fault; }

    /// A restart of the running server, or a start if none runs, was requested and accepted. The
    /// host has written the marker if `isRunning`.
    void setRequestedRestart(const RestartMarker &marker, bool isRunning);

    /// A restart of the server that is being terminated was requested. If it is terminated because
    /// of a fault instead, the policy alone decides whether another server starts.
    [[nodiscard]] bool isRestartRequested() const
    {
        return m_fault.isEmpty() || m_requestedRestart;
    }

    /// The requested restart whose new server has not started yet, without its time.
    [[nodiscard]] std::optional<RestartMarker> pendingRestart() const;

    [[nodiscard]] const ServerOutlook &outlook() const { return m_outlook; }
    [[nodiscard]] RestartRecord &record() { return m_record; }
    [[nodiscard]] const RestartRecord &record() const { return m_record; }

private:
    RestartRecord m_record;
    ServerOutlook m_outlook{};
    QString m_fault;
    // Markers without their time, which is the time of the next start.
    std::optional<RestartMarker> m_requestedRestart; ///< of the server that still runs
    std::optional<RestartMarker> m_nextRestart;      ///< of the server that has exited
    bool m_isNextWritten = false;
};

} // namespace Rekindle
