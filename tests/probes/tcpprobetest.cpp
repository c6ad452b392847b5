// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/uniquefd_p.h"
#include "closedport.h"
#include "proberun.h"
#include "testprogram.h"
#include "testrow.h"

#include <probes/tcpprobe_p.h>

#include <QTcpServer>

#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <vector>

using namespace Rekindle;

namespace {

/// Does not read or close its connection.
class SocketServer final : public QTcpServer
{
public:
    UniqueFd socket;

private:
    void incomingConnection(qintptr descriptor) override
    {
        socket.reset(static_cast<int>(descriptor));
    }
};

} // namespace

class TcpProbeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void acceptsConnection_data()
    {
        const Rows<QString> row("host");
        row("address", "127.0.0.1");
        row("name", "localhost");
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

    void endsConnectionInOrder_data()
    {
        const Rows<QByteArray> row("greeting");
        row("silent server", {});
        row("server that speaks first", "220 ready\r\n");
    }

    void endsConnectionInOrder()
    {
        QFETCH(const QByteArray, greeting);
        SocketServer server;
        QVERIFY(server.listen(QHostAddress::LocalHost));
        TcpProbe probe(QStringLiteral("127.0.0.1"), server.serverPort());
        ProbeRun run(probe);
        QCOMPARE(run.run(), QStringLiteral("ok: connected"));
        QTRY_VERIFY_WITH_TIMEOUT(server.socket.isOpen(), 30'000);
        const int socket = server.socket.get();
        QCOMPARE(::send(socket, greeting.data(), size_t(greeting.size()), MSG_NOSIGNAL),
                 greeting.size());
        pollfd ended{socket, POLLIN, 0};
        QTRY_COMPARE_WITH_TIMEOUT(::poll(&ended, 1, 0), 1, 30'000);
        char byte = 0;
        QCOMPARE(::recv(socket, &byte, 1, 0), 0);
        QCOMPARE(ended.revents & (POLLERR | POLLHUP), 0);
        // The next probe ends the connection that the server leaves open.
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
