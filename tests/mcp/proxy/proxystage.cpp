// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxystage.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <csignal>

namespace Rekindle {

namespace {

QString textOf(const ProxyRefusal &refusal)
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

ProxyStage::ProxyStage(ProxyOptions options)
    : m_session(std::move(options))
{
}

QStringList ProxyStage::actions()
{
    QStringList log;
    for (const ProxyAction &action : m_session.takeActions()) {
        switch (action.kind) {
        case ProxyAction::Kind::ToClient:
            if (MessagePeek::at(action.bytes).isAnswer())
                m_lastAnswer = action.bytes;
            log << QLatin1String("C ") + QString::fromUtf8(action.bytes);
            break;
        case ProxyAction::Kind::Refuse:
            m_lastAnswer = action.refusal.toJson();
            log << QLatin1String("C ") + textOf(action.refusal);
            break;
        case ProxyAction::Kind::ToServer:
            m_sentBytes += static_cast<quint64>(action.bytes.size()) + 1;
            log << QLatin1String("S ") + QString::fromUtf8(action.bytes);
            break;
        case ProxyAction::Kind::RequestRestart:
            log << QLatin1String("restart ") + action.text;
            break;
        case ProxyAction::Kind::FailServer:
            log << QLatin1String("fail ") + action.text;
            break;
        case ProxyAction::Kind::EndServer:
            log << QStringLiteral("end");
            break;
        case ProxyAction::Kind::ReportSuccess:
            log << QStringLiteral("success");
            break;
        case ProxyAction::Kind::WriteMarker:
            log << QStringLiteral("marker %1 %2 %3")
                       .arg(action.marker.method)
                       .arg(action.marker.exitCode)
                       .arg(action.marker.reason);
            break;
        case ProxyAction::Kind::ReadMarker:
            log << QStringLiteral("read marker");
            break;
        case ProxyAction::Kind::Note:
            log << QLatin1String("note ") + action.text;
            break;
        }
    }
    return log;
}

QStringList ProxyStage::client(const QByteArray &line, RequestOrigin origin)
{
    m_session.clientLine(line, m_now, origin);
    return actions();
}

QStringList ProxyStage::closeClient()
{
    m_session.clientClosed(m_now);
    return actions();
}

QStringList ProxyStage::server(const QByteArray &line)
{
    m_session.serverLine(line, m_now);
    return actions();
}

QStringList ProxyStage::serverRest(const QByteArray &bytes)
{
    m_session.serverRest(bytes, m_now);
    return actions();
}

QStringList ProxyStage::clientTooLong(const QByteArray &firstBytes)
{
    m_session.clientLineTooLong({firstBytes, true, "}", 100'000'000}, m_now);
    return actions();
}

QStringList ProxyStage::serverTooLong(const QByteArray &firstBytes)
{
    m_session.serverLineTooLong({firstBytes, true, "}", 100'000'000}, m_now);
    return actions();
}

QStringList ProxyStage::start()
{
    ++m_generation;
    m_sentBytes = 0;
    const auto since =
        std::chrono::duration_cast<std::chrono::milliseconds>(m_now.time_since_epoch());
    m_session.serverStarted({m_generation, static_cast<qint64>(100 + m_generation), UtcTime(since)},
                            m_now);
    return actions();
}

QStringList ProxyStage::kill() { return end(killed()); }

QStringList ProxyStage::end(const ServerEnd &end)
{
    m_session.serverGone(end, m_now);
    return actions();
}

QStringList ProxyStage::pass(Duration time)
{
    const Instant end = m_now + time;
    QStringList log;
    for (;;) {
        const auto next = m_session.nextDeadline();
        if (!next || *next > end)
            break;
        m_now = std::max(m_now, *next);
        m_session.timePassed(m_now);
        log += actions();
    }
    m_now = end;
    return log;
}

QStringList ProxyStage::want(const char *reason)
{
    m_session.restartWanted(QString::fromUtf8(reason), QStringLiteral("watch"), m_now);
    return actions();
}

QStringList ProxyStage::decide(bool accepted)
{
    m_session.restartDecided(accepted, m_now);
    return actions();
}

QStringList ProxyStage::marker(const MarkerReading &reading)
{
    m_session.markerRead(reading);
    return actions();
}

QStringList ProxyStage::expect(const ServerOutlook &outlook)
{
    m_session.outlookChanged(outlook, m_now);
    return actions();
}

void ProxyStage::openLegacy(bool listTools)
{
    (void)start();
    (void)client(
        R"({"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25"}})");
    (void)server(
        R"({"jsonrpc":"2.0","id":"init","result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}})");
    (void)client(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    if (!listTools)
        return;
    (void)client(R"({"jsonrpc":"2.0","id":"list","method":"tools/list"})");
    (void)server(
        R"({"jsonrpc":"2.0","id":"list","result":{"tools":[{"name":"read","annotations":{"readOnlyHint":true}},{"name":"write"}]}})");
}

} // namespace Rekindle
