// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "proxyoracle.h"

#include <QHash>
#include <QSet>

#include <chrono>
#include <deque>

namespace Rekindle {

// Takes a number apart, choice by choice.
class Choices
{
public:
    explicit Choices(std::uint32_t number)
        : m_left(number * 2654435761U)
    {
    }

    std::uint32_t below(std::uint32_t limit)
    {
        const std::uint32_t choice = (m_left >> 8) % limit;
        m_left = m_left * 1664525U + 1013904223U;
        return choice;
    }
    bool oneIn(std::uint32_t count) { return below(count) == 0; }

private:
    std::uint32_t m_left;
};

// A server that refuses anything before its handshake, and reads its lines one by one.
struct ModelServer
{
    bool isAlive = false;
    bool isInitialized = false;
    bool isReady = false; ///< had notifications/initialized
    int asked = 0;        ///< its own requests; every server counts them from 0
    QSet<QByteArray> owed;
    std::deque<QByteArray> unread;
    quint64 taken = 0;                                     ///< bytes of what it was sent
    std::deque<std::pair<QByteArray, QByteArray>> working; ///< ids and methods
};

// A client, servers that come and go, and the session between them. It looks for broken rules.
class ProxyWorld
{
public:
    ProxyWorld(std::uint32_t seed, CallRetry retry)
        : m_session(optionsFor(retry))
        , m_pipelines(Choices(seed).oneIn(4))
        , m_mayClose(Choices(seed + 1).oneIn(4))
    {
    }

    [[nodiscard]] const QString &fault() const { return m_fault; }
    [[nodiscard]] int answers() const { return m_oracle.answers(); }
    [[nodiscard]] int crashes() const { return m_crashes; }
    /// Writes that a server read after another one had ended without seeing them.
    [[nodiscard]] int madeAgain() const { return m_madeAgain; }
    void step(std::uint32_t number);
    void finish();

private:
    static ProxyOptions optionsFor(CallRetry retry)
    {
        ProxyOptions options;
        options.retry = retry;
        return options;
    }

    void clientSends(Choices &choose);
    void clientAnswers(Choices &choose);
    void send(const QByteArray &line);
    void sendRequest(const QByteArray &id, const QByteArray &method, const QByteArray &params);
    void request(const QByteArray &method, const QByteArray &params, Choices &choose);
    void start();
    void crash(Choices &choose);
    void serverReads();
    void serverAnswers(Choices &choose);
    void serverSpeaks(Choices &choose);
    void clientCloses();
    void collect();
    void perform();
    void toClient(const QByteArray &line, bool isServerEnded);
    void check(bool holds, const QString &what)
    {
        if (!holds && m_fault.isEmpty())
            m_fault = what;
    }

    ProxySession m_session;
    ProxyOracle m_oracle;
    const bool m_pipelines;
    const bool m_mayClose;
    Instant m_now{std::chrono::hours(1)};
    QString m_fault;
    ModelServer m_server;
    quint64 m_generation = 0;
    int m_nextId = 0;
    int m_crashes = 0;
    int m_madeAgain = 0;
    int m_restartsAsked = 0;
    bool m_closed = false;
    bool m_opened = false;
    bool m_initialized = false;
    bool m_givenUp = false;
    QHash<QByteArray, int> m_open; ///< requests of the client without an answer
    QSet<QByteArray> m_cancelled;
    QHash<QByteArray, int> m_writesSent;
    QHash<QByteArray, int> m_writes; ///< how often a server has read it
    QSet<QByteArray> m_unseen;       ///< writes that a server has ended without reading
    std::vector<ProxyAction> m_actions;
    QSet<QByteArray> m_asked; ///< by servers, as the client knows them
};

} // namespace Rekindle
