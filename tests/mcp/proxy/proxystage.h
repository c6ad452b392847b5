// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/proxy/proxysession_p.h"

#include "sessionstage.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <csignal>

namespace Rekindle {

inline QString refusalText(const ProxyRefusal &refusal)
{
    const QJsonObject data = QJsonDocument::fromJson(refusal.data()).object();
    return QStringLiteral("error %1 %2 %3")
        .arg(QString::fromUtf8(refusal.id.json()))
        .arg(refusal.code())
        .arg(data[QLatin1String("reason")].toString());
}

/// Killed by SIGKILL after it has read `bytesTaken`.
inline ServerExit killed(quint64 bytesTaken = ~quint64{0})
{
    ServerExit end;
    end.detail.signal = SIGKILL;
    end.detail.stderrTail = {QStringLiteral("last words")};
    end.bytesTaken = bytesTaken;
    return end;
}

// Lines of a legacy session.

inline constexpr char initializeRequest[] =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"x" : 1}})";
inline constexpr char initializeReplay[] =
    R"(S {"jsonrpc":"2.0","id":1000000001,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"x" : 1}})";
inline constexpr char initialized[] = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
inline constexpr char rootsRequest[] = R"({"jsonrpc":"2.0","id":0,"method":"roots/list"})";
inline constexpr char crashMarker[] = "marker crash 137 it was terminated by SIGKILL";

inline QByteArray handshakeAnswer(const QByteArray &id, const QByteArray &version = "2025-11-25",
                                  const QByteArray &capabilities = R"({"tools":{}})")
{
    return answerTo(
        id, R"({"protocolVersion":")" + version + R"(","capabilities":)" + capabilities + '}');
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

/// The stage of a proxy session: `C <line>` to the client, `S <line>` to the server,
/// `C error ID CODE REASON` for an error of the proxy itself, and `restart`, `fail`, `ready`,
/// `answered`, `marker`, `read marker`, `note`.
class ProxyStage final : public SessionStage<ProxySession>
{
public:
    explicit ProxyStage(ProxyOptions options = {})
        : SessionStage(std::move(options))
    {
    }

    /// A request of the gateway itself.
    QStringList gateway(const QByteArray &line)
    {
        session().clientLine({line}, now(), RequestOrigin::Gateway);
        return actions();
    }
    QStringList server(const QByteArray &line)
    {
        session().serverLine({line}, now());
        return actions();
    }
    /// Bytes of a server without a newline at its end.
    QStringList serverRest(const QByteArray &bytes)
    {
        session().serverRest(bytes, now());
        return actions();
    }

    /// A line that begins with these bytes and ends with `}`.
    QStringList clientTooLong(const QByteArray &firstBytes)
    {
        session().clientLine({firstBytes, true, "}", 100'000'000}, now());
        return actions();
    }
    QStringList serverTooLong(const QByteArray &firstBytes)
    {
        session().serverLine({firstBytes, true, "}", 100'000'000}, now());
        return actions();
    }

    /// Starts the next generation; its process id is 100 + the generation.
    QStringList start()
    {
        ++m_generation;
        m_sentBytes = 0;
        const auto since =
            std::chrono::duration_cast<std::chrono::milliseconds>(now().time_since_epoch());
        session().serverStarted(
            {m_generation, static_cast<qint64>(100 + m_generation), UtcTime(since)}, now());
        return actions();
    }
    /// SIGKILL, after the server has read all bytes; the next one starts at once.
    QStringList kill() { return end(killed()); }
    QStringList end(const ServerExit &end)
    {
        session().serverExited(end, now());
        return actions();
    }
    /// kill(), start() and the response to the replayed handshake.
    QStringList restart()
    {
        QStringList texts = kill();
        texts += start();
        texts += server(handshakeAnswer(m_handshakeId));
        return texts;
    }

    /// The host requests a restart.
    QStringList requestRestart(const char *reason)
    {
        session().requestRestart(QString::fromUtf8(reason), QStringLiteral("watch"), now());
        return actions();
    }
    QStringList recycle(const char *reason)
    {
        session().recycle(QString::fromUtf8(reason), now());
        return actions();
    }
    QStringList decide(bool accepted)
    {
        session().restartDecided(accepted, now());
        return actions();
    }
    QStringList marker(const MarkerReading &reading)
    {
        session().markerRead(reading);
        return actions();
    }
    QStringList expect(const ServerOutlook &outlook)
    {
        session().outlookChanged(outlook, now());
        return actions();
    }

    /// A legacy session after its handshake, with a list of tools: `read` is annotated read-only,
    /// `write` is not annotated.
    void openLegacy(bool listTools = true)
    {
        (void)start();
        (void)client(
            R"({"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25"}})");
        (void)server(handshakeAnswer("\"init\""));
        (void)client(initialized);
        if (!listTools)
            return;
        (void)client(R"({"jsonrpc":"2.0","id":"list","method":"tools/list"})");
        (void)server(
            R"({"jsonrpc":"2.0","id":"list","result":{"tools":[{"name":"read","annotations":{"readOnlyHint":true}},{"name":"write"}]}})");
    }

    /// Bytes to the current server.
    [[nodiscard]] quint64 sentBytes() const { return m_sentBytes; }
    /// The capabilities that the last new server declared.
    [[nodiscard]] const QByteArray &capabilities() const { return m_capabilities; }
    /// The calls that have ended.
    [[nodiscard]] const QList<ToolCallFinished> &calls() const { return m_calls; }
    /// The last response to the client.
    [[nodiscard]] const QByteArray &lastAnswer() const { return m_lastAnswer; }
    /// Why the session failed the last server.
    [[nodiscard]] FailureReason lastFailure() const { return m_lastFailure; }

private:
    QString textOf(const ProxyAction &action) override
    {
        switch (action.kind) {
        case ProxyAction::Kind::ToClient:
            if (MessagePeek::at(action.bytes).isResponse())
                m_lastAnswer = action.bytes;
            return toClient(action.bytes);
        case ProxyAction::Kind::Refuse:
            m_lastAnswer = action.refusal.toJson();
            return QLatin1String("C ") + refusalText(action.refusal);
        case ProxyAction::Kind::ToServer: {
            m_sentBytes += static_cast<quint64>(action.bytes.size()) + 1;
            const MessagePeek peek = MessagePeek::at(action.bytes);
            if (peek.method == "initialize")
                m_handshakeId = peek.id.json();
            return toServer(action.bytes);
        }
        case ProxyAction::Kind::RequestRestart:
            return QLatin1String("restart ") + action.text;
        case ProxyAction::Kind::FailServer:
            m_lastFailure = action.failure;
            return QLatin1String("fail ") + action.text;
        case ProxyAction::Kind::ReportReady:
            return QStringLiteral("ready");
        case ProxyAction::Kind::CallAnswered:
            return QStringLiteral("answered");
        case ProxyAction::Kind::HandshakeReplayed:
            m_capabilities = action.bytes;
            return {};
        case ProxyAction::Kind::CallFinished:
            m_calls.append(*action.call);
            return {};
        case ProxyAction::Kind::StartSooner:
            return QStringLiteral("sooner");
        case ProxyAction::Kind::WriteMarker:
            return QStringLiteral("marker %1 %2 %3")
                .arg(action.marker.method)
                .arg(action.marker.exitCode)
                .arg(action.marker.reason);
        case ProxyAction::Kind::ReadMarker:
            return QStringLiteral("read marker");
        case ProxyAction::Kind::Note:
            return QLatin1String("note ") + action.text;
        }
        return {};
    }

    quint64 m_generation = 0;
    quint64 m_sentBytes = 0;
    QByteArray m_handshakeId; ///< of the last replay
    QByteArray m_lastAnswer;
    QByteArray m_capabilities;
    FailureReason m_lastFailure = FailureReason::Unknown;
    QList<ToolCallFinished> m_calls;
};

} // namespace Rekindle
