// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/proxy/proxysession_p.h"

#include <deque>

/// A session of the watchdog proxy with a client, servers and a host that do whatever they are
/// told to. After each act the rules of ProxySession are held against what it does; a broken one
/// ends the program.
class ProxyPlay
{
public:
    /// The bits: 1 it fails fast, 2 it offers no tools, 4 no call is made again, 4 + 8 all are,
    /// 16 no time for calls, 32 one second (else a minute).
    explicit ProxyPlay(quint64 optionBits);

    void clientWrites(const QByteArray &line);
    void clientWritesTooLong(const QByteArray &ends); ///< they are its first and its last bytes
    void clientCloses();

    void serverWrites(const QByteArray &line);
    void serverWritesTooLong(const QByteArray &ends);
    void serverLeaves(const QByteArray &bytes); ///< without an end
    void serverReads(quint64 bytes);            ///< in all
    /// The result of one of the requests that it has, counted around.
    void serverAnswers(std::size_t which);

    void start();
    void endServer(quint64 bytesRead, const Rekindle::ServerOutlook &outlook);
    void expect(const Rekindle::ServerOutlook &outlook);
    void failServer();
    void wantRestart();
    void declineNext() { m_declines = true; }
    void turnSlow() { m_isSlow = !m_isSlow; } ///< with its answers, or quick again
    void pass(Rekindle::Duration time);

    /// A last server answers all, and the client closes: nothing may be owed.
    void close();

private:
    void countRequests(const QByteArray &line);
    void perform();
    void settle();
    void decide();
    void toClient(const QByteArray &line);
    void toServer(const QByteArray &line);

    Rekindle::ProxySession m_session;
    Rekindle::Instant m_now{std::chrono::hours(1)};
    quint64 m_generation = 0;
    bool m_isAlive = false;
    bool m_isClosed = false;
    bool m_declines = false;
    bool m_isGivenUp = false;
    bool m_isSlow = false; ///< the host, with answers
    bool m_owesDecision = false;
    bool m_owesMarker = false;
    bool m_isLeft = false;    ///< this server is to get nothing more
    bool m_wasOpened = false; ///< a handshake of the client was answered
    bool m_isGreeted = false; ///< this server has answered one
    quint64 m_sent = 0;
    quint64 m_taken = 0;
    qsizetype m_longest = 0;                      ///< line of the client
    std::deque<Rekindle::MessagePeek> m_requests; ///< that this server has
    QHash<Rekindle::MessageId, int> m_asked;      ///< by the client, less what was answered
    QSet<Rekindle::MessageId>
        m_uncertain; ///< cancelled, or of lines of which nobody knows what they ask
};
