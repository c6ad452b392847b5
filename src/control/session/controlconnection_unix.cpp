// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/session/controlconnection_p.h"

#include "control/socket/socketio_p.h"

#include <poll.h>

namespace Rekindle {

namespace {

constexpr Duration helloLimit = std::chrono::seconds(5);
constexpr Duration hangUpInterval = std::chrono::milliseconds(500);

} // namespace

ControlConnection::ControlConnection(UniqueFd socket, ControlPeer peer, Scheduler &scheduler,
                                     const HostInfo &host, QObject *parent)
    : QObject(parent)
    , m_socket(std::move(socket))
    , m_peer(std::move(peer))
    , m_scheduler(scheduler)
    , m_lastInput(scheduler.now())
    , m_session(host)
    , m_readable(m_socket.get(), QSocketNotifier::Read)
    , m_writable(m_socket.get(), QSocketNotifier::Write)
    , m_helloLimit(scheduler,
                   [this] {
                       if (!m_session.isOpened())
                           close();
                   })
    , m_hangUpCheck(scheduler, [this] { checkHangUp(); })
{
    m_writable.setEnabled(false);
    connect(&m_readable, &QSocketNotifier::activated, this, &ControlConnection::read);
    connect(&m_writable, &QSocketNotifier::activated, this, [this] {
        m_writable.setEnabled(false);
        Q_EMIT writable();
    });
    m_helloLimit.armIn(helloLimit);
}

void ControlConnection::read()
{
    if (!m_socket.isOpen())
        return;
    QByteArrayView bytes;
    switch (receiveSome(m_socket.get(), bytes)) {
    case Transfer::Blocked:
        return;
    case Transfer::Ended:
        endOfInput();
        return;
    case Transfer::Done:
        break;
    }
    m_lastInput = m_scheduler.now();
    m_session.receive(bytes);
    if (m_session.hasLine()) {
        m_readable.setEnabled(false);
        Q_EMIT linesReceived();
    }
}

void ControlConnection::resume()
{
    if (m_socket.isOpen() && !m_isAtEnd && !m_session.hasLine())
        m_readable.setEnabled(true);
    flush();
}

void ControlConnection::flush()
{
    if (!m_socket.isOpen())
        return;
    const Transfer sent = sendQueued(m_socket.get(), m_session.outgoing());
    m_writable.setEnabled(sent == Transfer::Blocked);
    if (sent == Transfer::Blocked)
        return;
    const bool isDone = m_isAtEnd && !m_session.hasLine() && m_session.isIdle();
    if (sent == Transfer::Ended || m_session.isClosing() || isDone)
        close();
}

// The client may have shut down only its sending side, for example `echo ... | socat`.
void ControlConnection::endOfInput()
{
    m_isAtEnd = true;
    m_readable.setEnabled(false);
    checkHangUp();
    flush();
}

void ControlConnection::checkHangUp()
{
    pollfd state{m_socket.get(), 0, 0};
    if (::poll(&state, 1, 0) > 0 && (state.revents & (POLLHUP | POLLERR)) != 0)
        close();
    else
        m_hangUpCheck.armIn(hangUpInterval);
}

void ControlConnection::close()
{
    if (!m_socket.isOpen())
        return;
    m_readable.setEnabled(false);
    m_writable.setEnabled(false);
    m_helloLimit.disarm();
    m_hangUpCheck.disarm();
    m_socket.reset();
    Q_EMIT closed();
}

} // namespace Rekindle
