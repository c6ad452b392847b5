// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "proxyoracle.h"

#include <deque>

/// A session of the watchdog proxy with a client, servers and a host that perform given steps.
/// After each step a ProxyOracle checks the rules of ProxySession; a broken rule ends the program.
class ProxyPlay
{
public:
    /// The bits: 1 fails fast, 2 injects no tools, 4 retries no call, 4 + 8 retries all calls,
    /// 16 no call timeout, 32 a call timeout of one second (otherwise one minute).
    explicit ProxyPlay(quint64 optionBits);

    void clientWrites(const QByteArray &line);
    void clientWritesTooLong(const QByteArray &ends); ///< its first and last bytes
    void clientCloses();

    void serverWrites(const QByteArray &line);
    void serverWritesTooLong(const QByteArray &ends);
    void serverLeaves(const QByteArray &bytes); ///< without a newline
    void serverReads(quint64 bytes);            ///< in total
    /// Answers the request with this number, modulo their count.
    void serverAnswers(std::size_t which);

    void start();
    void endServer(quint64 bytesRead, const Rekindle::ServerOutlook &outlook);
    void expect(const Rekindle::ServerOutlook &outlook);
    void failServer();
    void wantRestart();
    void declineNext() { m_declines = true; }
    void turnSlow() { m_isSlow = !m_isSlow; } ///< the host delays its answers, or not anymore
    void pass(Rekindle::Duration time);

    /// A last server answers everything and the client closes: no request may be unanswered.
    void close();

private:
    void perform();
    void settle();
    void decide();
    void toServer(const QByteArray &line);

    Rekindle::ProxySession m_session;
    Rekindle::ProxyOracle m_oracle;
    Rekindle::Instant m_now{std::chrono::hours(1)};
    quint64 m_generation = 0;
    bool m_isAlive = false;
    bool m_isClosed = false;
    bool m_declines = false;
    bool m_isGivenUp = false;
    bool m_isSlow = false; ///< the host delays its answers
    bool m_owesDecision = false;
    bool m_owesMarker = false;
    quint64 m_sent = 0;
    quint64 m_taken = 0;
    qsizetype m_longest = 0;                      ///< line of the client
    std::deque<Rekindle::MessagePeek> m_requests; ///< that this server has
};
