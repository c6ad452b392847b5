// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/proxy/proxysession_p.h"

#include "sessionstage.h"

#include <QtTest>

namespace Rekindle {

/// The stage of a proxy session: `C <line>` to the client, `S <line>` to the server,
/// `C error ID CODE REASON` for an error of the proxy itself, and `restart`, `fail`, `success`,
/// `marker`, `read marker`, `note`.
class ProxyStage final : public SessionStage<ProxySession>
{
public:
    explicit ProxyStage(ProxyOptions options = {})
        : SessionStage(std::move(options))
    {
    }

    /// A request of the gateway itself.
    QStringList gateway(const QByteArray &line);
    QStringList server(const QByteArray &line);
    /// Bytes of a server without a newline at its end.
    QStringList serverRest(const QByteArray &bytes);

    /// A line that begins with these bytes and ends with `}`.
    QStringList clientTooLong(const QByteArray &firstBytes);
    QStringList serverTooLong(const QByteArray &firstBytes);

    /// Starts the next generation; its process id is 100 + the generation.
    QStringList start();
    /// SIGKILL, after the server has read all bytes; the next one starts at once.
    QStringList kill();
    QStringList end(const ServerEnd &end);
    /// kill(), start() and the response to the replayed handshake.
    QStringList restart();

    /// The host requests a restart.
    QStringList requestRestart(const char *reason);
    QStringList decide(bool accepted);
    QStringList marker(const MarkerReading &reading);
    QStringList expect(const ServerOutlook &outlook);

    /// A legacy session after its handshake, with a list of tools: `read` is annotated read-only,
    /// `write` is not annotated.
    void openLegacy(bool listTools = true);

    /// Bytes to the current server.
    [[nodiscard]] quint64 sentBytes() const { return m_sentBytes; }
    /// The last response to the client.
    [[nodiscard]] const QByteArray &lastAnswer() const { return m_lastAnswer; }

private:
    QString textOf(const ProxyAction &action) override;

    quint64 m_generation = 0;
    quint64 m_sentBytes = 0;
    QByteArray m_handshakeId; ///< of the last replay
    QByteArray m_lastAnswer;
};

/// Killed by SIGKILL after it has read `bytesTaken`.
[[nodiscard]] ServerEnd killed(quint64 bytesTaken = ~quint64{0});

// Lines of a legacy session.

inline constexpr char initializeRequest[] =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"x" : 1}})";
inline constexpr char initializeReplay[] =
    R"(S {"jsonrpc":"2.0","id":"rekindle-1","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"x" : 1}})";
inline constexpr char initialized[] = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
inline constexpr char rootsRequest[] = R"({"jsonrpc":"2.0","id":0,"method":"roots/list"})";
inline constexpr char crashMarker[] = "marker crash 137 it was terminated by SIGKILL";

inline QByteArray handshakeAnswer(const QByteArray &id, const QByteArray &version = "2025-11-25")
{
    return answerTo(id, R"({"protocolVersion":")" + version + R"(","capabilities":{"tools":{}}})");
}

inline QByteArray call(const QByteArray &id, const QByteArray &tool,
                       const QByteArray &arguments = {})
{
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"tools/call","params":{"name":")" + tool
        + '"' + (arguments.isEmpty() ? QByteArray() : R"(,"arguments":)" + arguments) + "}}";
}

inline QString toServer(const QByteArray &line)
{
    return QLatin1String("S ") + QString::fromUtf8(line);
}

} // namespace Rekindle
