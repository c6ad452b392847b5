// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "proxyoracle.h"

#include <deque>

namespace Rekindle {

/// A session of the watchdog proxy with a client, servers and a host that perform given steps.
/// After each step a ProxyOracle checks the rules of ProxySession. The property test and the fuzz
/// target share it.
class ProxySimulation
{
public:
    explicit ProxySimulation(ProxyOptions options);
    Q_DISABLE_COPY_MOVE(ProxySimulation)
    virtual ~ProxySimulation() = default;

    void clientWrites(const QByteArray &line);
    void clientWritesTooLong(const QByteArray &ends); ///< its first and last bytes
    void clientCloses();

    void serverWrites(const QByteArray &line);
    void serverWritesTooLong(const QByteArray &ends);
    void serverLeaves(const QByteArray &bytes); ///< without a newline
    /// Answers the request with this number, modulo their count.
    void serverAnswers(std::size_t which);

    void start();
    void endServer(quint64 bytesRead, const ServerOutlook &outlook);
    void expect(const ServerOutlook &outlook);
    void failServer();
    void requestRestart();
    void declineNext() { m_declines = true; }
    void setSlow(bool isSlow) { m_isSlow = isSlow; } ///< the host delays its answers
    [[nodiscard]] bool isSlow() const { return m_isSlow; }
    void pass(Duration time);

    /// A last server answers everything and the client closes: no request may be unanswered.
    void close();

    [[nodiscard]] Instant now() const { return m_now; }
    /// The first rule that was broken; empty if none was.
    [[nodiscard]] const QString &fault() const { return m_fault; }
    [[nodiscard]] int answers() const { return m_oracle.answers(); }

protected:
    // What the peers receive.
    virtual void clientGets(const ProxyAction & /*action*/) {}
    virtual void serverGets(const QByteArray & /*line*/) {}

    void check(bool holds, const QString &fault);
    /// All requests must have been answered; cancelled ones only in the session's own account.
    void checkEnd(bool hasCancelled);
    void settle();
    [[nodiscard]] bool isAlive() const { return m_isAlive; }
    [[nodiscard]] bool isClosed() const { return m_isClosed; }
    [[nodiscard]] bool isGivenUp() const { return m_isGivenUp; }

private:
    void perform();
    void perform(const ProxyAction &action);
    void decide();

    const ProxyOptions m_options;
    ProxySession m_session;
    ProxyOracle m_oracle;
    QString m_fault;
    Instant m_now{std::chrono::hours(1)};
    quint64 m_generation = 0;
    bool m_isPerforming = false;
    bool m_isAlive = false;
    bool m_isClosed = false;
    bool m_declines = false;
    bool m_isGivenUp = false;
    bool m_isSlow = false;
    bool m_owesDecision = false;
    bool m_owesMarker = false;
    quint64 m_sent = 0;
    qsizetype m_longest = 0;            ///< line of the client
    std::deque<MessagePeek> m_requests; ///< that this server has
};

} // namespace Rekindle
