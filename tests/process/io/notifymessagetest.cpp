// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "process/io/notifymessage_p.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;
using namespace std::chrono_literals;

class NotifyMessageTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsStates_data()
    {
        const Rows<QByteArray, QString> row("text", "states");
        row("nothing", "", "");
        row("ready", "READY=1", "ready");
        row("several", "MAINPID=1\nREADY=1\n\nWATCHDOG=1\n", "ready heartbeat");
        row("unhealthy", "WATCHDOG=trigger", "unhealthy");
        row("longer value", "READY=12\nWATCHDOG=10", "");
        row("in a status", "STATUS=READY=1", "");
        row("longer key", "XREADY=1\n READY=1", "");
        row("zero", QByteArray("READY=1\0", 8), "");
    }

    void readsStates()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QString, states);
        const NotifyMessage message = NotifyMessage::parse(text);
        QStringList found;
        if (message.ready)
            found.append(QStringLiteral("ready"));
        if (message.heartbeat)
            found.append(QStringLiteral("heartbeat"));
        if (message.reportedUnhealthy)
            found.append(QStringLiteral("unhealthy"));
        QCOMPARE(found.join(u' '), states);
    }

    void readsStatus_data()
    {
        const Rows<QByteArray, QString> row("text", "status");
        row("text", "STATUS=42 users", "42 users");
        row("empty", "STATUS=", "");
        row("last one", "STATUS=a\nSTATUS=b", "b");
        row("control characters", "STATUS=a\x1b[2J\tb\x7f\r", "a b");
        row("direction",
            "STATUS=a\xe2\x80\xae"
            "b\xd8\x9c",
            "ab");
        row("not UTF-8", "STATUS=a\xff", "a\uFFFD");
        row("long", "STATUS=" + QByteArray(300, 'x'), QString(200, u'x'));
        // The character at the limit consists of two UTF-16 units.
        row("half a character", "STATUS=" + QByteArray(199, 'x') + "\xf0\x9f\x8d\x95y",
            QString(199, u'x'));
    }

    void readsStatus()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QString, status);
        QCOMPARE(NotifyMessage::parse(text).status, std::optional(status));
    }

    void readsExtension_data()
    {
        const Rows<QByteArray, qint64> row("value", "microseconds");
        row("number", "1500", qint64{1500});
        row("huge", "18446744073709551615", qint64{86'400'000'000});
        row("too large", "18446744073709551616", qint64{0});
        row("longer", QByteArray(1000, '9'), qint64{0});
        row("zero", "0", qint64{0});
        row("sign", "+5", qint64{0});
        row("blank", " 5", qint64{0});
        row("empty", {}, qint64{0});
    }

    void readsExtension()
    {
        QFETCH(const QByteArray, value);
        QFETCH(const qint64, microseconds);
        const QByteArray text = "EXTEND_TIMEOUT_USEC=" + value;
        const NotifyMessage message = NotifyMessage::parse(text);
        QCOMPARE(message.extension.value_or(Duration{0}),
                 Duration(std::chrono::microseconds(microseconds)));
    }

    void readsRequestsForDescriptors()
    {
        const NotifyMessage stored =
            NotifyMessage::parse("FDSTORE=1\nFDNAME=a b\nFDPOLL=0\nREADY=1");
        QCOMPARE(stored.descriptors, (NotifyMessage::Descriptors{true, false, true, "a b"}));
        QVERIFY(stored.ready);
        QCOMPARE(NotifyMessage::parse("FDSTOREREMOVE=1\nFDNAME=a").descriptors,
                 (NotifyMessage::Descriptors{false, true, false, "a"}));
        QCOMPARE(NotifyMessage::parse("FDSTORE=0\nFDSTOREREMOVE=12\nFDPOLL=1").descriptors,
                 NotifyMessage::Descriptors());
    }

    void laterMessageReplacesValues()
    {
        NotifyMessage sum = NotifyMessage::parse("READY=1\nSTATUS=a\nEXTEND_TIMEOUT_USEC=1");
        sum.add(NotifyMessage::parse("WATCHDOG=1\nSTATUS=b\nSTOPPING=1"));
        QVERIFY(sum.ready && sum.heartbeat && sum.stopping);
        QVERIFY(!NotifyMessage::parse("STOPPING=0\nSTOPPING=12").stopping);
        QCOMPARE(sum.status, QStringLiteral("b"));
        QCOMPARE(sum.extension, std::optional<Duration>(1us));
    }
};

REKINDLE_TEST(NotifyMessageTest)
#include "notifymessagetest.moc"
