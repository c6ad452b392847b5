// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "servedstage.h"
#include "testprogram.h"
#include "testrow.h"

#include <QTcpServer>

using namespace Rekindle;
using namespace std::chrono_literals;

static_assert(std::is_aggregate_v<MetricsServerOptions>);

/// Responses of the server, over real sockets.
class MetricsServerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void servesMetrics();
    void respondsToHeadWithoutBody();
    void refusesOtherHosts();
    void servesHealthz();
    void servesReadyz();
    void limitsNamesInReadyz();
    void rejectsInvalidRequests_data();
    void rejectsInvalidRequests();
    void readsRequestByteByByte();
    void respondsOnHalfClosedConnection_data();
    void respondsOnHalfClosedConnection();
    void servesConcurrentRequests();
    void textIsNotOlderThanRequest();
    void reportsPortInUse();
    void listensOnlyOnce();
    void listensOnIpv6();
    void deletedWhileResponding();
    void outlivesSupervisorAndCollector();

private:
    std::unique_ptr<ServedStage> m_stage;
};

void MetricsServerTest::init() { m_stage = std::make_unique<ServedStage>(); }

void MetricsServerTest::cleanup() { m_stage.reset(); }

void MetricsServerTest::servesMetrics()
{
    m_stage->add(text("web"), runs("started ready"));
    m_stage->play(text("start"));
    const QByteArray response = m_stage->get("/metrics");
    QVERIFY2(response.startsWith("HTTP/1.1 200 OK\r\n"), response.constData());
    QVERIFY(response.contains("\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"));
    QVERIFY(response.contains("\r\nConnection: close\r\n"));
    const QByteArray length =
        "\r\nContent-Length: " + QByteArray::number(bodyOf(response).size()) + "\r\n";
    QVERIFY(response.contains(length));
    QCOMPARE(bodyOf(response), m_stage->collector.text());
    QCOMPARE(bodyOf(m_stage->get("/metrics?name[]=up")), m_stage->collector.text());
}

void MetricsServerTest::respondsToHeadWithoutBody()
{
    for (const char *path : {"/metrics", "/healthz", "/readyz", "/nowhere"}) {
        const QByteArray withBody = m_stage->get(path);
        const QByteArray head =
            m_stage->exchange(QByteArray("HEAD ") + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        QVERIFY(!bodyOf(withBody).isEmpty());
        QCOMPARE(head, withBody.left(withBody.size() - bodyOf(withBody).size()));
    }
}

// A page in a browser sends the name of its own server.
void MetricsServerTest::refusesOtherHosts()
{
    for (const char *path : {"/metrics", "/healthz", "/readyz"})
        QCOMPARE(statusOf(m_stage->exchange(QByteArray("GET ") + path
                                            + " HTTP/1.1\r\nHost: evil.example\r\n\r\n")),
                 QByteArray("421"));
}

void MetricsServerTest::servesHealthz()
{
    QCOMPARE(statusOf(m_stage->get("/healthz")), QByteArray("200"));
    QCOMPARE(bodyOf(m_stage->get("/healthz")), QByteArray("ok\n"));
}

void MetricsServerTest::servesReadyz()
{
    QCOMPARE(statusOf(m_stage->get("/readyz")), QByteArray("200"));
    m_stage->add(text("slow"), runs("started +10s ready"));
    m_stage->add(text("bad"), runs("fail"), text("'initialDelay':'1h','maxDelay':'1h'"));
    m_stage->add(text("given-up"), runs("fail"), text("'maxRetries':0"));
    m_stage->add(text("one-shot"), runs("started stopped"));
    m_stage->add(text("never-started"), runs("started ready"));
    QCOMPARE(statusOf(m_stage->get("/readyz")), QByteArray("200"));
    m_stage->play(text("start:slow start:one-shot"));
    m_stage->supervisor.start(m_stage->supervisor.idOf(text("bad")));
    m_stage->supervisor.start(m_stage->supervisor.idOf(text("given-up")));
    m_stage->advance(1s);
    const QByteArray response = m_stage->get("/readyz");
    QCOMPARE(statusOf(response), QByteArray("503"));
    QCOMPARE(bodyOf(response),
             QByteArray("not ready:\nslow: Starting\nbad: Waiting\ngiven-up: Exhausted\n"));
    m_stage->play(text("+10s"));
    QCOMPARE(bodyOf(m_stage->get("/readyz")),
             QByteArray("not ready:\nbad: Waiting\ngiven-up: Exhausted\n"));
    m_stage->supervisor.stopAll();
    m_stage->advance(1s);
    QCOMPARE(statusOf(m_stage->get("/readyz")), QByteArray("200"));
}

void MetricsServerTest::limitsNamesInReadyz()
{
    for (int i = 0; i < 103; ++i)
        m_stage->add(QString::number(i), runs("started"));
    m_stage->play(text("startAll"));
    const QByteArray body = bodyOf(m_stage->get("/readyz"));
    QCOMPARE(body.count(": Starting\n"), 100);
    QVERIFY(body.endsWith("\n99: Starting\nand 3 more\n"));
}

void MetricsServerTest::rejectsInvalidRequests_data()
{
    const Rows<QByteArray, QByteArray> row("request", "status");
    row("unknown", requestOf("/"), "404");
    row("deeper", requestOf("/metrics/x"), "404");
    row("POST",
        "POST /metrics HTTP/1.1\r\nHost: localhost\r\n"
        "Content-Length: 3\r\n\r\nabc",
        "405");
    row("garbage", "\x01\x02\xff garbage\n\n", "400");
    row("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505");
}

void MetricsServerTest::rejectsInvalidRequests()
{
    QFETCH(const QByteArray, request);
    const std::unique_ptr<QTcpSocket> socket = m_stage->connected();
    socket->write(request);
    QByteArray response;
    QVERIFY(QTest::qWaitFor(
        [&] {
            response += socket->readAll();
            return response.contains("\r\n\r\n") && !bodyOf(response).isEmpty();
        },
        patience));
    QTEST(statusOf(response), "status");
    QCOMPARE(response.contains("\r\nAllow: GET, HEAD\r\n"), statusOf(response) == "405");
    m_stage->advance(1s); // the server waits for a client that may still be sending
    QVERIFY(readToEnd(*socket, response));
    QTRY_COMPARE_WITH_TIMEOUT(m_stage->server.connectionCount(), 0, patience);
}

void MetricsServerTest::readsRequestByteByByte()
{
    const std::unique_ptr<QTcpSocket> socket = m_stage->connected();
    socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    for (const char c : requestOf("/healthz")) {
        socket->write(&c, 1);
        socket->flush();
        QCoreApplication::processEvents();
    }
    QByteArray response;
    QVERIFY(readToEnd(*socket, response));
    QCOMPARE(statusOf(response), QByteArray("200"));
}

void MetricsServerTest::respondsOnHalfClosedConnection_data()
{
    const Rows<QByteArray> row("path");
    for (const char *path : {"/metrics", "/healthz", "/readyz", "/nowhere"})
        row(path, QByteArray(path));
}

// Some clients close their direction of the connection after the request.
void MetricsServerTest::respondsOnHalfClosedConnection()
{
    QFETCH(const QByteArray, path);
    const QByteArray expected = m_stage->get(path);
    const std::unique_ptr<QTcpSocket> socket = m_stage->connected();
    {
        const OccupiedPool pool;
        socket->write(requestOf(path));
        closeDirection(*socket);
        // When this response has arrived, the server has read to the end.
        QCOMPARE(statusOf(m_stage->get("/healthz")), QByteArray("200"));
    }
    QByteArray response;
    QVERIFY(readToEnd(*socket, response));
    QCOMPARE(response, expected);
    QTRY_COMPARE_WITH_TIMEOUT(m_stage->server.connectionCount(), 0, patience);
}

void MetricsServerTest::servesConcurrentRequests()
{
    m_stage->add(text("web"), runs("started ready"));
    std::vector<std::unique_ptr<QTcpSocket>> sockets;
    for (int i = 0; i < 60; ++i) {
        sockets.push_back(m_stage->connected());
        sockets.back()->write(requestOf("/metrics"));
    }
    for (const std::unique_ptr<QTcpSocket> &socket : sockets) {
        QByteArray response;
        QVERIFY(readToEnd(*socket, response));
        QCOMPARE(bodyOf(response), m_stage->collector.text());
    }
}

void MetricsServerTest::textIsNotOlderThanRequest()
{
    const QUuid id = m_stage->add(text("web"), runs("started ready"));
    for (int starts = 1; starts <= 20; ++starts) {
        const std::unique_ptr<QTcpSocket> before =
            m_stage->connected(); // may start the creation of a text
        before->write(requestOf("/metrics"));
        before->flush();
        QCoreApplication::processEvents();
        m_stage->supervisor.start(id);
        m_stage->advance(0s);
        const QByteArray expected =
            "agent_starts_total{agent=\"web\"} " + QByteArray::number(starts) + '\n';
        QVERIFY(m_stage->get("/metrics").contains(expected));
        m_stage->play(text("stop"));
    }
}

void MetricsServerTest::reportsPortInUse()
{
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress::LocalHost));
    MetricsServer server(m_stage->supervisor, m_stage->collector);
    const std::optional<Fault> fault = server.listen(other.serverAddress(), other.serverPort());
    QVERIFY(fault);
    QCOMPARE(fault->message,
             QStringLiteral("cannot listen on 127.0.0.1:%1: The bound address is already in use")
                 .arg(other.serverPort()));
    QCOMPARE(server.port(), 0);
    other.close();
    QVERIFY(!server.listen(QHostAddress(QHostAddress::LocalHost), 0));
    QVERIFY(server.port() != 0);
}

void MetricsServerTest::listensOnlyOnce()
{
    const quint16 port = m_stage->server.port();
    QVERIFY(m_stage->server.listen(QHostAddress(QHostAddress::LocalHost), 0));
    QCOMPARE(m_stage->server.port(), port);
}

void MetricsServerTest::listensOnIpv6()
{
    QTcpServer probe;
    if (!probe.listen(QHostAddress::LocalHostIPv6))
        QSKIP("IPv6 is not available");
    MetricsServer server(m_stage->supervisor, m_stage->collector);
    const std::optional<Fault> fault = server.listen(probe.serverAddress(), probe.serverPort());
    QVERIFY(fault);
    QVERIFY2(fault->message.startsWith(text("cannot listen on [::1]:")),
             qPrintable(fault->message));
    QVERIFY(!server.listen(QHostAddress(QHostAddress::LocalHostIPv6), 0));
    QTcpSocket socket;
    socket.connectToHost(server.address(), server.port());
    socket.write(requestOf("/healthz"));
    QByteArray response;
    QVERIFY(QTest::qWaitFor([&] { return socket.bytesAvailable() > 0; }, patience));
    QVERIFY(readToEnd(socket, response));
    QCOMPARE(statusOf(response), QByteArray("200"));
}

void MetricsServerTest::deletedWhileResponding()
{
    for (int i = 0; i < 100; ++i)
        m_stage->add(QString::number(i), runs("started ready"));
    for (int round = 0; round < 20; ++round) {
        MetricsServer server(m_stage->supervisor, m_stage->collector);
        QVERIFY(!server.listen(QHostAddress(QHostAddress::LocalHost), 0));
        QTcpSocket socket;
        socket.connectToHost(server.address(), server.port());
        socket.write(requestOf("/metrics"));
        QVERIFY(QTest::qWaitFor([&] { return server.connectionCount() == 1; }, patience));
        for (int turn = 0; turn < round; ++turn)
            QCoreApplication::processEvents();
    }
    QCOMPARE(statusOf(m_stage->get("/metrics")), QByteArray("200"));
}

void MetricsServerTest::outlivesSupervisorAndCollector()
{
    auto supervisor = std::make_unique<AgentSupervisor>(m_stage->scheduler);
    auto collector = std::make_unique<MetricsCollector>(*supervisor);
    MetricsServer server(*supervisor, *collector);
    QVERIFY(!server.listen(QHostAddress(QHostAddress::LocalHost), 0));
    const auto get = [&server](const char *path) {
        QTcpSocket socket;
        socket.connectToHost(server.address(), server.port());
        socket.write(requestOf(path));
        QByteArray response;
        const bool isConnected = socket.waitForConnected(patience);
        return isConnected && readToEnd(socket, response) ? response : QByteArray();
    };
    QCOMPARE(bodyOf(get("/readyz")), QByteArray("ready\n"));
    const QByteArray metrics = collector->text();
    supervisor.reset();
    QCOMPARE(bodyOf(get("/metrics")), metrics);
    collector.reset();
    QCOMPARE(bodyOf(get("/metrics")), metrics);
    QCOMPARE(statusOf(get("/readyz")), QByteArray("503"));
    QCOMPARE(bodyOf(get("/readyz")), QByteArray("not ready:\nthe supervisor was deleted\n"));
    QTRY_COMPARE_WITH_TIMEOUT(server.connectionCount(), 0, patience);
    QTcpSocket idle;
    idle.connectToHost(server.address(), server.port());
    QTRY_COMPARE_WITH_TIMEOUT(server.connectionCount(), 1, patience);
    m_stage->advance(5s);
    QCOMPARE(server.connectionCount(), 0);
}

REKINDLE_TEST(MetricsServerTest)
#include "metricsservertest.moc"
