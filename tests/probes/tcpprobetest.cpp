// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "closedport.h"
#include "proberun.h"
#include "testprogram.h"

#include <probes/tcpprobe_p.h>

#include <QTcpServer>
#include <QtTest>

#include <sys/resource.h>
#include <sys/socket.h>

#include <vector>

using namespace Rekindle;

class TcpProbeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void acceptsConnection_data()
    {
        QTest::addColumn<QString>("host");
        QTest::newRow("address") << QStringLiteral("127.0.0.1");
        QTest::newRow("name") << QStringLiteral("localhost");
    }

    void acceptsConnection()
    {
        QFETCH(QString, host);
        QTcpServer server;
        QVERIFY(server.listen(QHostAddress::LocalHost));
        TcpProbe probe(host, server.serverPort());
        ProbeRun run(probe);
        QCOMPARE(run.run(), QStringLiteral("ok: connected"));
        QCOMPARE(run.run(), QStringLiteral("ok: connected"));
    }

    void acceptsIpv6()
    {
        QTcpServer server;
        if (!server.listen(QHostAddress::LocalHostIPv6))
            QSKIP("no IPv6 here");
        TcpProbe probe(QStringLiteral("::1"), server.serverPort());
        QCOMPARE(ProbeRun(probe).run(), QStringLiteral("ok: connected"));
    }

    void reportsRefusedConnection_data() { acceptsConnection_data(); }

    void reportsRefusedConnection()
    {
        QFETCH(QString, host);
        const ClosedPort port;
        TcpProbe probe(host, port.number());
        QCOMPARE(ProbeRun(probe).run(), QStringLiteral("no: Connection refused"));
    }

    // The queue of the server is full, so the kernel drops the connection.
    void cancelDuringConnection()
    {
        QTcpServer server;
        QVERIFY(server.listen(QHostAddress::LocalHost));
        QVERIFY(::listen(static_cast<int>(server.socketDescriptor()), 0) == 0);
        server.pauseAccepting();
        std::vector<std::unique_ptr<QTcpSocket>> queue;
        for (int i = 0; i < 3; ++i) {
            queue.push_back(std::make_unique<QTcpSocket>());
            queue.back()->connectToHost(QHostAddress::LocalHost, server.serverPort());
        }
        QVERIFY(queue.front()->waitForConnected(30000));
        TcpProbe probe(QStringLiteral("127.0.0.1"), server.serverPort());
        ProbeRun run(probe);
        probe.start(std::chrono::seconds(2));
        QCOMPARE(run.answers, 0);
        probe.cancel();
        // The probe can run again.
        queue.clear();
        server.resumeAccepting();
        QCOMPARE(run.run(), QStringLiteral("ok: connected"));
    }

    void cancelDuringLookup()
    {
        TcpProbe probe(QStringLiteral("no-such-host.invalid"), 80);
        QVERIFY(isSilentAfterCancel(probe));
    }

    void isPostponedWithoutDescriptors()
    {
        QTcpServer server;
        QVERIFY(server.listen(QHostAddress::LocalHost));
        TcpProbe probe(QStringLiteral("127.0.0.1"), server.serverPort());
        ProbeRun run(probe);
        QCOMPARE(run.run(), QStringLiteral("ok: connected"));
        rlimit limit{};
        ::getrlimit(RLIMIT_NOFILE, &limit);
        const rlimit none{0, limit.rlim_max};
        ::setrlimit(RLIMIT_NOFILE, &none);
        run.answer.clear();
        probe.start(std::chrono::seconds(2));
        ::setrlimit(RLIMIT_NOFILE, &limit);
        QCOMPARE(run.answer, QStringLiteral("postponed"));
    }

    void canBeDeletedInFinished()
    {
        const ClosedPort port;
        QVERIFY(isDeletableInFinished(
            std::make_unique<TcpProbe>(QStringLiteral("127.0.0.1"), port.number())));
    }
};

REKINDLE_TEST(TcpProbeTest)
#include "tcpprobetest.moc"
