// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QRegularExpression>
#include <QString>
#include <QTcpSocket>
#include <QTest>
#include <QUrl>

namespace Rekindle {

struct HttpAnswer
{
    int status = 0; ///< 0: there was none
    QByteArray body{};
};

/// Sends GET and waits up to 30 s for the response.
inline HttpAnswer httpGet(const QString &address)
{
    const QUrl url(address, QUrl::StrictMode);
    QTcpSocket socket;
    socket.connectToHost(url.host(), static_cast<quint16>(url.port()));
    const QString target =
        url.toString(QUrl::RemoveScheme | QUrl::RemoveAuthority | QUrl::FullyEncoded);
    socket.write("GET " + target.toUtf8() + " HTTP/1.0\r\nHost: localhost\r\n\r\n");
    QByteArray answer;
    const bool ended = QTest::qWaitFor(
        [&] {
            answer += socket.readAll();
            return socket.state() == QAbstractSocket::UnconnectedState;
        },
        30'000);
    answer += socket.readAll();
    const qsizetype head = answer.indexOf("\r\n\r\n");
    if (!ended || head < 0)
        return {};
    return {answer.mid(9, 3).toInt(), answer.mid(head + 4)};
}

/// The address of the metrics in the messages of `rekindle up`, or an empty text.
inline QString metricsUrlIn(const QByteArray &error)
{
    static const QRegularExpression said(
        QStringLiteral("rekindle: metrics: (http://\\S+)/metrics\n"));
    return said.match(QString::fromUtf8(error)).captured(1);
}

} // namespace Rekindle
