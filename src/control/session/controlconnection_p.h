// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/uniquefd_p.h"
#include "control/session/controlsession_p.h"
#include "control/socket/controlpeer_p.h"

#include <rekindle/lifecycle/scheduler.h>

#include <QObject>
#include <QSocketNotifier>

namespace Rekindle {

/// Binds a ControlSession to its socket. Never blocks. Stops reading while lines are queued, so
/// that a client that floods the host is slowed down by its own socket.
class ControlConnection : public QObject
{
    Q_OBJECT

public:
    /// Takes over an accepted socket.
    ControlConnection(UniqueFd socket, ControlPeer peer, Scheduler &scheduler, const HostInfo &host,
                      QObject *parent);

    [[nodiscard]] const ControlPeer &peer() const { return m_peer; }

    [[nodiscard]] ControlSession &session() { return m_session; }

    [[nodiscard]] bool isOpen() const { return m_socket.isOpen(); }

    /// When the client has last sent something, or has connected.
    [[nodiscard]] Instant lastInput() const { return m_lastInput; }

    /// Writes what the session has queued, and closes the connection if the session is closing.
    void flush();

    /// Resumes reading when no line is queued.
    void resume();

    void close();

Q_SIGNALS:
    /// The session has lines to read. Call resume() afterwards.
    void linesReceived();

    /// The client has read a part of the output. Call flush().
    void writable();

    /// Emitted once. The owner deletes the object, but not in a slot of this signal.
    void closed();

private:
    void read();
    void endOfInput();
    void checkHangUp();

    UniqueFd m_socket;
    const ControlPeer m_peer;
    Scheduler &m_scheduler;
    Instant m_lastInput;
    ControlSession m_session;
    QSocketNotifier m_readable;
    QSocketNotifier m_writable;
    Deadline m_helloLimit;
    Deadline m_hangUpCheck; ///< after the client has closed its own direction
    bool m_isAtEnd = false;
};

} // namespace Rekindle
