// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxystage.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <csignal>

namespace Rekindle {

namespace {

QString refusalText(const ProxyRefusal &refusal)
{
    const QByteArray line = refusal.toJson();
    const QJsonObject error =
        QJsonDocument::fromJson(line).object()[QLatin1String("error")].toObject();
    const QJsonObject data = error[QLatin1String("data")].toObject();
    return QStringLiteral("error %1 %2 %3")
        .arg(QString::fromUtf8(refusal.id.json()))
        .arg(error[QLatin1String("code")].toInt())
        .arg(data[QLatin1String("reason")].toString());
}

} // namespace

ServerEnd killed(quint64 bytesTaken)
{
    ServerEnd end;
    end.detail.signal = SIGKILL;
    end.detail.stderrTail = {QStringLiteral("last words")};
    end.bytesTaken = bytesTaken;
    return end;
}

QString ProxyStage::textOf(const ProxyAction &action)
{
    switch (action.kind) {
    case ProxyAction::Kind::ToClient:
        if (MessagePeek::at(action.bytes).isAnswer())
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
        return QLatin1String("fail ") + action.text;
    case ProxyAction::Kind::ReportSuccess:
        return QStringLiteral("success");
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

QStringList ProxyStage::gateway(const QByteArray &line)
{
    session().clientLine({line}, now(), RequestOrigin::Gateway);
    return actions();
}

QStringList ProxyStage::server(const QByteArray &line)
{
    session().serverLine({line}, now());
    return actions();
}

QStringList ProxyStage::serverRest(const QByteArray &bytes)
{
    session().serverRest(bytes, now());
    return actions();
}

QStringList ProxyStage::clientTooLong(const QByteArray &firstBytes)
{
    session().clientLine({firstBytes, true, "}", 100'000'000}, now());
    return actions();
}

QStringList ProxyStage::serverTooLong(const QByteArray &firstBytes)
{
    session().serverLine({firstBytes, true, "}", 100'000'000}, now());
    return actions();
}

QStringList ProxyStage::start()
{
    ++m_generation;
    m_sentBytes = 0;
    const auto since =
        std::chrono::duration_cast<std::chrono::milliseconds>(now().time_since_epoch());
    session().serverStarted({m_generation, static_cast<qint64>(100 + m_generation), UtcTime(since)},
                            now());
    return actions();
}

QStringList ProxyStage::kill() { return end(killed()); }

QStringList ProxyStage::end(const ServerEnd &end)
{
    session().serverGone(end, now());
    return actions();
}

QStringList ProxyStage::restart()
{
    QStringList texts = kill();
    texts += start();
    texts += server(handshakeAnswer(m_handshakeId));
    return texts;
}

QStringList ProxyStage::requestRestart(const char *reason)
{
    session().requestRestart(QString::fromUtf8(reason), QStringLiteral("watch"), now());
    return actions();
}

QStringList ProxyStage::decide(bool accepted)
{
    session().restartDecided(accepted, now());
    return actions();
}

QStringList ProxyStage::marker(const MarkerReading &reading)
{
    session().markerRead(reading);
    return actions();
}

QStringList ProxyStage::expect(const ServerOutlook &outlook)
{
    session().outlookChanged(outlook, now());
    return actions();
}

void ProxyStage::openLegacy(bool listTools)
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

} // namespace Rekindle
