// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/proxy/proxysession_p.h"

#include <QByteArray>
#include <QStringList>

namespace Rekindle {

/// A proxy session on a stage: lines and moments go in, and what it wants done comes out as text,
/// one line for each action:
/// `C <line>` to the client, `S <line>` to the server, `C error ID CODE REASON` for an error of the
/// proxy's own, and `restart`, `fail`, `end`, `success`, `marker`, `read marker`, `note`.
class ProxyStage
{
public:
    explicit ProxyStage(ProxyOptions options = {});

    [[nodiscard]] QStringList client(const QByteArray &line,
                                     RequestOrigin origin = RequestOrigin::Client);
    [[nodiscard]] QStringList closeClient();
    [[nodiscard]] QStringList server(const QByteArray &line);

    /// What a server has left without an end.
    [[nodiscard]] QStringList serverRest(const QByteArray &bytes);

    /// A line of which these are the first bytes, and `}` the last ones.
    [[nodiscard]] QStringList clientTooLong(const QByteArray &firstBytes);
    [[nodiscard]] QStringList serverTooLong(const QByteArray &firstBytes);

    /// Starts the next generation; its process id is 100 + the generation.
    [[nodiscard]] QStringList start();

    /// Killed by SIGKILL, having read all that it was sent; the next one comes at once.
    [[nodiscard]] QStringList kill();
    [[nodiscard]] QStringList end(const ServerEnd &end);

    /// Time passes, and the session is told at each of its deadlines.
    [[nodiscard]] QStringList pass(Duration time);

    /// The host wants a restart.
    [[nodiscard]] QStringList want(const char *reason);
    [[nodiscard]] QStringList decide(bool accepted);
    [[nodiscard]] QStringList marker(const MarkerReading &reading);
    [[nodiscard]] QStringList expect(const ServerOutlook &outlook);

    /// A legacy session up to the end of its handshake, with a list of tools: `read` says that it
    /// is read-only, `write` says nothing.
    void openLegacy(bool listTools = true);

    [[nodiscard]] ProxySession &session() { return m_session; }
    [[nodiscard]] Instant now() const { return m_now; }
    /// To the server, by now.
    [[nodiscard]] quint64 sentBytes() const { return m_sentBytes; }
    /// The last line to the client that was an answer.
    [[nodiscard]] const QByteArray &lastAnswer() const { return m_lastAnswer; }

private:
    [[nodiscard]] QStringList actions();

    ProxySession m_session;
    Instant m_now{std::chrono::hours(1)};
    quint64 m_generation = 0;
    quint64 m_sentBytes = 0;
    QByteArray m_lastAnswer;
};

/// Killed by SIGKILL; `bytesTaken` of what it was sent.
[[nodiscard]] ServerEnd killed(quint64 bytesTaken = ~quint64{0});

} // namespace Rekindle
