// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "proxysimulation.h"

#include <QHash>
#include <QSet>

#include <deque>
#include <utility>

namespace Rekindle {

/// Derives choices from one number.
class Choices
{
public:
    explicit Choices(std::uint32_t number)
        : m_left(number * 2654435761U)
    {
    }

    std::uint32_t below(std::size_t limit)
    {
        const std::uint32_t choice = (m_left >> 8) % static_cast<std::uint32_t>(limit);
        m_left = m_left * 1664525U + 1013904223U;
        return choice;
    }
    bool oneIn(std::uint32_t count) { return below(count) == 0; }

private:
    std::uint32_t m_left;
};

/// Random traffic of a valid client and valid servers, which checks more rules than the oracle.
class ProxyTraffic final : public ProxySimulation
{
public:
    ProxyTraffic(std::uint32_t seed, CallRetry retry);

    /// Writes that a server read after another one had ended without reading them.
    [[nodiscard]] int repeatedWrites() const { return m_repeatedWrites; }
    [[nodiscard]] int crashes() const { return m_crashes; }
    void step(std::uint32_t number);
    /// A server that stays answers all requests.
    void finish();

private:
    /// Processes its lines one by one and requires the handshake.
    struct Server
    {
        bool isInitialized = false;
        bool isReady = false; ///< has received notifications/initialized
        int requests = 0;     ///< of its own; every server counts them from 0
        QSet<QByteArray> openRequests{};
        std::deque<QByteArray> unread{};
        quint64 taken = 0;                                       ///< bytes that it has read
        std::deque<std::pair<QByteArray, QByteArray>> working{}; ///< ids and methods
    };

    void clientGets(const ProxyAction &action) override;
    void serverGets(const QByteArray &line) override { m_server.unread.push_back(line); }

    void clientSends(Choices &choose);
    void clientAnswers(Choices &choose);
    void sendRequest(const QByteArray &id, const QByteArray &method, const QByteArray &params);
    void request(const QByteArray &method, const QByteArray &params, Choices &choose);
    void cancel(const QByteArray &id);
    void startServer();
    void crash(Choices &choose);
    void serverTakes();
    void serverResponds(Choices &choose);
    void serverSpeaks(Choices &choose);

    const bool m_isPipelining; ///< the client sends initialized before it has the response
    const bool m_mayClose;
    Server m_server;
    int m_nextId = 0;
    int m_crashes = 0;
    int m_repeatedWrites = 0;
    bool m_isOpened = false;
    bool m_isInitialized = false;
    QHash<QByteArray, int> m_open; ///< requests of the client without a response
    QHash<QByteArray, int> m_sent; ///< all requests of the client
    QSet<QByteArray> m_cancelled;
    QHash<QByteArray, int> m_writesSent;
    QHash<QByteArray, int> m_writesRead; ///< by servers
    QSet<QByteArray> m_unreadWrites;     ///< of servers that have ended
    QSet<QByteArray> m_serverRequests;   ///< ids, as the client got them
};

} // namespace Rekindle
