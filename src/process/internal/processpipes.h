// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "serverinput.h"

#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/policy/failure.h>

#include <QObject>

namespace Rekindle {

/// The connection to a ProcessAgent whose stdin and stdout are pipes. Each start is a connection.
class REKINDLE_PROCESS_EXPORT ProcessPipes final : public QObject
{
    Q_OBJECT

public:
    /// Both must outlive it.
    ProcessPipes(ProcessAgent &agent, Scheduler &scheduler);

    /// Sets the limit of the queue in bytes; 16 MiB by default. A single message may be larger.
    void setMaxQueued(qsizetype maxQueued) { m_maxQueued = maxQueued; }

    /// Sends a message in two parts. Large parts are not copied. Returns a number that grows with
    /// each message of a connection, or -1 if the message was not accepted: there is no connection,
    /// or too many bytes are waiting. No signal is emitted before it returns.
    qint64 send(const QByteArray &bytes, const QByteArray &more);

    /// Returns the number of the last message of which at least one byte can have left this
    /// process.
    [[nodiscard]] qint64 lastWritten() const { return m_accepted; }

    [[nodiscard]] bool isOpen() const { return m_isOpen; }

Q_SIGNALS:
    void opened();
    void received(const QByteArray &bytes);

    /// The connection has ended. `message` is the reason in one sentence; `detail` contains how the
    /// process has exited, if it has, and the last lines of stderr. Emitted once for each
    /// connection.
    void closed(const QString &message, const Rekindle::FailureDetail &detail);

private:
    // An exiting process closes its pipes before its exit status is known, which is the better
    // reason.
    static constexpr Duration exitGrace = std::chrono::milliseconds(100);

    void begin();
    void flush();
    void receive(const QByteArray &bytes);
    void pipeClosed(const QString &reason);
    void end(const QString &message, FailureDetail detail);

    ProcessAgent &m_agent;
    ServerInput m_input;
    Deadline m_exitGrace;
    QString m_closeReason;
    qsizetype m_maxQueued = qsizetype{16} * 1024 * 1024;
    // Bytes since the start. The number of a message is the position behind its first byte.
    qint64 m_queued = 0;
    qint64 m_accepted = 0; // by the agent
    bool m_isOpen = false;
};

} // namespace Rekindle
