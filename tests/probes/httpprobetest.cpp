// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "closedport.h"
#include "httpserver.h"
#include "proberun.h"
#include "testprogram.h"
#include "testrow.h"

#include <probes/httpprobe_p.h>

#include <QNetworkAccessManager>
#include <QTcpSocket>

#include <algorithm>
#include <array>

using namespace Rekindle;

class HttpProbeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        // The probe must not use it.
        qputenv("http_proxy", "http://127.0.0.1:1");
    }

    void reportsStatus_data()
    {
        const Rows<QByteArray, QString> row("bytes", "expected");
        const auto head = [](const char *status) -> QByteArray {
            return QByteArray("HTTP/1.1 ") + status + "\r\nContent-Length: 0\r\n\r\n";
        };
        const QByteArray much(16 * 1024 * 1024, 'x');
        row("200", head("200 OK"), "ok: status 200");
        row("204", "HTTP/1.1 204 No Content\r\n\r\n", "ok: status 204");
        row("302 is not followed", head("302 Found\r\nLocation: http://127.0.0.1:1/"),
            "ok: status 302");
        row("404", head("404 Not Found"), "no: status 404");
        row("401 is not authenticated",
            head("401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\""), "no: status 401");
        row("503", head("503 Service Unavailable"), "no: status 503");
        row("a huge body", "HTTP/1.1 200 OK\r\n\r\n" + much, "ok: status 200");
        row("a huge body of an error response", "HTTP/1.1 500 Internal Server Error\r\n\r\n" + much,
            "no: status 500");
        row("truncated", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc",
            "no: Connection closed");
        row("nothing", "", "no: Connection closed");
    }

    void reportsStatus()
    {
        QFETCH(QByteArray, bytes);
        const HttpServer server(bytes);
        HttpProbe probe(server.url());
        ProbeRun run(probe);
        QTEST(run.run(), "expected");
        QCOMPARE(run.answers, 1);
        QVERIFY(server.request.startsWith("GET /health HTTP/1.1\r\n"));
        // A probe can be started again.
        QTEST(run.run(), "expected");
    }

    void rejectsMalformedResponse_data()
    {
        const Rows<QByteArray> row("bytes");
        row("bytes", QByteArray::fromHex("00ff01fe0d0a0d0a"));
        row("text", "hello\r\n\r\n");
        row("no number", "HTTP/1.1 yes\r\n\r\n");
        row("ssh", "SSH-2.0-OpenSSH_9.2\r\n");
        row("much", QByteArray(1024 * 1024, 'g'));
    }

    void rejectsMalformedResponse()
    {
        QFETCH(QByteArray, bytes);
        const HttpServer server(bytes);
        HttpProbe probe(server.url());
        const QString answer = ProbeRun(probe).run();
        QVERIFY2(answer.startsWith(QLatin1String("no: ")), qPrintable(answer));
    }

    void cancelClosesAnUnansweredConnection_data()
    {
        const Rows<QByteArray> row("bytes");
        row("nothing", {});
        row("half of a head", "HTTP/1.1 200 OK\r\nContent-Le");
        row("half of a body", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc");
    }

    void cancelClosesAnUnansweredConnection()
    {
        QFETCH(QByteArray, bytes);
        const HttpServer server(bytes, false);
        HttpProbe probe(server.url());
        ProbeRun run(probe);
        probe.start(std::chrono::seconds(2));
        QTRY_VERIFY_WITH_TIMEOUT(server.request.endsWith("\r\n\r\n"), 30000);
        QCOMPARE(run.answers, 0);
        probe.cancel();
        QTRY_COMPARE_WITH_TIMEOUT(server.connections, 0, 30000);
        QCOMPARE(run.answers, 0);
    }

    void hungRequestsDoNotDelayOthers()
    {
        const HttpServer server("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc", false);
        std::vector<std::unique_ptr<HttpProbe>> hung;
        for (int i = 0; i < 20; ++i) {
            hung.push_back(std::make_unique<HttpProbe>(server.url()));
            hung.back()->start(std::chrono::hours(1));
        }
        const auto requests = [&] { return server.request.count("\r\n\r\n"); };
        QTRY_COMPARE_WITH_TIMEOUT(requests(), 20, 30000);
        QCOMPARE(server.connections, 20);
        // A cancelled request makes room.
        for (int round = 1; round <= 3; ++round) {
            hung[0]->cancel();
            QTRY_COMPARE_WITH_TIMEOUT(server.connections, 19, 30000);
            hung[0]->start(std::chrono::hours(1));
            QTRY_COMPARE_WITH_TIMEOUT(requests(), 20 + round, 30000);
        }
    }

    void managersAreSharedByServer()
    {
        std::array<HttpConnectionPool::Lease, 7> leases;
        const auto acquire = [&](std::size_t i, const char *url) {
            return &leases[i].acquire(QUrl(QLatin1String(url)));
        };
        QNetworkAccessManager *const first = acquire(0, "http://Host.example/a");
        for (std::size_t i = 1; i < 6; ++i)
            QCOMPARE(acquire(i, i % 2 ? "http://host.example:80" : "http://u@HOST.example?b"),
                     first);
        QVERIFY(acquire(6, "http://host.example:80/") != first);
        QCOMPARE(acquire(6, "https://host.example/"), first);
        QCOMPARE(acquire(6, "http://host.example:443/"), first);
        QCOMPARE(acquire(6, "http://other.example/"), first);
    }

    void numberOfManagersIsLimited()
    {
        const QUrl url(QStringLiteral("http://host.example/"));
        std::vector<std::unique_ptr<HttpConnectionPool::Lease>> leases;
        QList<QPointer<QNetworkAccessManager>> managers;
        const auto acquire = [&] {
            leases.push_back(std::make_unique<HttpConnectionPool::Lease>());
            return &leases.back()->acquire(url);
        };
        for (int i = 0; i < 32 * 6; ++i) {
            QPointer<QNetworkAccessManager> manager = acquire();
            if (!managers.contains(manager))
                managers.append(manager);
        }
        QCOMPARE(managers.size(), 32);
        for (int i = 0; i < 10; ++i)
            QCOMPARE(acquire(), managers.last().data());
        // Unused managers at the end are deleted.
        while (leases.size() > 7)
            leases.pop_back();
        QVERIFY(managers[0] && managers[1]);
        QCOMPARE(int(std::count(managers.begin(), managers.end(), nullptr)), 30);
        leases.front()->release();
        QVERIFY(managers[0] && managers[1]);
        QCOMPARE(acquire(), managers[0].data());
        leases[6]->release();
        QVERIFY(managers[0] && !managers[1]);
    }

    void reportsRefusedConnection()
    {
        const ClosedPort port;
        HttpProbe probe(QUrl(QStringLiteral("http://127.0.0.1:%1/").arg(port.number())));
        QCOMPARE(ProbeRun(probe).run(), QStringLiteral("no: Connection refused"));
    }

    void cancelDuringLookup()
    {
        HttpProbe probe(QUrl(QStringLiteral("http://no-such-host.invalid/")));
        QVERIFY(isSilentAfterCancel(probe));
    }

    void canBeDeletedInFinished()
    {
        const HttpServer server("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        QVERIFY(isDeletableInFinished(std::make_unique<HttpProbe>(server.url())));
    }
};

REKINDLE_TEST(HttpProbeTest)
#include "httpprobetest.moc"
