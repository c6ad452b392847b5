// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "servedstage.h"
#include "testprogram.h"
#include "testrow.h"

#include <array>

using namespace Rekindle;
using namespace std::chrono_literals;

/// Clients that exceed the limits, over real sockets.
class MetricsServerLimitsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void rejectsHugeRequest_data();
    void rejectsHugeRequest();
    void closesIncompleteRequest_data();
    void closesIncompleteRequest();
    void closesSlowRequest();
    void closesConnectionThatNeverReads();
    void forgetsDisconnectedClient();
    void closesHalfClosedIncompleteRequest();
    void servesBesidesSlowClients();
    void closesConnectionThatIsIdleLongest();
    void rejectsConnectionIfNoneIsIdle();
    void servesRequestThatArrivedBeforeTheNextConnection();

private:
    std::unique_ptr<ServedStage> m_stage;
};

void MetricsServerLimitsTest::init() { m_stage = std::make_unique<ServedStage>(); }

void MetricsServerLimitsTest::cleanup() { m_stage.reset(); }

void MetricsServerLimitsTest::rejectsHugeRequest_data()
{
    const Rows<QByteArray, QByteArray, QByteArray> row("head", "status", "lastLine");
    row("header", "GET /metrics HTTP/1.1\r\nHost: localhost\r\nX: ", "431", "Too Large\n");
    row("body", "POST /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", "405", "Not Allowed\n");
}

// The client gets a response although most of its data is discarded.
void MetricsServerLimitsTest::rejectsHugeRequest()
{
    QFETCH(const QByteArray, head);
    QFETCH(const QByteArray, lastLine);
    const std::unique_ptr<QTcpSocket> socket = m_stage->connected();
    socket->write(head);
    socket->write(QByteArray(4'000'000, 'x'));
    QByteArray response;
    QVERIFY(QTest::qWaitFor(
        [&] {
            response += socket->readAll();
            return response.endsWith(lastLine) && socket->bytesToWrite() == 0;
        },
        patience));
    QTEST(statusOf(response), "status");
    m_stage->advance(1s);
    QVERIFY(readToEnd(*socket, response));
}

void MetricsServerLimitsTest::closesIncompleteRequest_data()
{
    const Rows<QByteArray> row("request");
    row("nothing", {});
    row("a part", "GET /metrics HTTP/1.1\r\nHos");
}

void MetricsServerLimitsTest::closesIncompleteRequest()
{
    QFETCH(const QByteArray, request);
    const std::unique_ptr<QTcpSocket> socket = m_stage->connected();
    socket->write(request);
    QTRY_COMPARE_WITH_TIMEOUT(m_stage->server.connectionCount(), 1, patience);
    m_stage->advance(4'999ms);
    QCOMPARE(m_stage->server.connectionCount(), 1);
    m_stage->advance(1ms);
    QCOMPARE(m_stage->server.connectionCount(), 0);
    QByteArray response;
    QVERIFY(readToEnd(*socket, response));
    QCOMPARE(response, QByteArray());
}

// Further bytes extend the idle timeout, but not the time limit.
void MetricsServerLimitsTest::closesSlowRequest()
{
    const std::unique_ptr<QTcpSocket> socket = m_stage->connected();
    socket->write("GET /metrics HTTP/1.1\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(m_stage->server.connectionCount(), 1, patience);
    for (int second = 0; second < 10; ++second) {
        QCOMPARE(m_stage->server.connectionCount(), 1);
        socket->write("X: y\r\n");
        socket->flush();
        QCoreApplication::processEvents();
        m_stage->advance(1s);
    }
    QCOMPARE(m_stage->server.connectionCount(), 0);
}

void MetricsServerLimitsTest::closesConnectionThatNeverReads()
{
    // More than the sockets of both sides take.
    for (int i = 0; i < 200; ++i)
        m_stage->add(QString::number(i) + QString(4000, u'x'), runs("started ready"));
    const std::unique_ptr<QTcpSocket> socket = m_stage->connected();
    socket->setReadBufferSize(1);
    socket->write(requestOf("/metrics"));
    QVERIFY(QTest::qWaitFor([&] { return socket->bytesAvailable() > 0; }, patience));
    QCOMPARE(m_stage->server.connectionCount(), 1);
    QCOMPARE(statusOf(m_stage->get("/healthz")), QByteArray("200")); // others are served
    m_stage->advance(5s);
    QCOMPARE(m_stage->server.connectionCount(), 0);
}

void MetricsServerLimitsTest::forgetsDisconnectedClient()
{
    for (const QByteArray &request :
         {QByteArray(), QByteArray("GET /met"), requestOf("/metrics")}) {
        std::unique_ptr<QTcpSocket> socket = m_stage->connected();
        socket->write(request);
        socket->flush();
        QTRY_COMPARE_WITH_TIMEOUT(m_stage->server.connectionCount(), 1, patience);
        socket->abort();
        QTRY_COMPARE_WITH_TIMEOUT(m_stage->server.connectionCount(), 0, patience);
    }
    QCOMPARE(statusOf(m_stage->get("/metrics")), QByteArray("200"));
}

void MetricsServerLimitsTest::closesHalfClosedIncompleteRequest()
{
    const std::unique_ptr<QTcpSocket> socket = m_stage->connected();
    socket->write("GET /metrics HTTP/1.1\r\nHos");
    closeDirection(*socket);
    QByteArray response;
    QVERIFY(readToEnd(*socket, response));
    QCOMPARE(response, QByteArray());
    QTRY_COMPARE_WITH_TIMEOUT(m_stage->server.connectionCount(), 0, patience);
}

void MetricsServerLimitsTest::servesBesidesSlowClients()
{
    std::vector<std::unique_ptr<QTcpSocket>> slow;
    for (int i = 0; i < 200; ++i) {
        slow.push_back(m_stage->connected());
        slow.back()->write("GET /met");
    }
    QTRY_COMPARE_WITH_TIMEOUT(m_stage->server.connectionCount(), 64, patience);
    QCOMPARE(statusOf(m_stage->get("/metrics")), QByteArray("200"));
    QCOMPARE(statusOf(m_stage->get("/healthz")), QByteArray("200"));
    QByteArray response;
    QVERIFY(readToEnd(*slow.front(), response));
    QCOMPARE(response, QByteArray());
    QCOMPARE(slow.back()->state(), QAbstractSocket::ConnectedState);
    m_stage->advance(5s);
    QCOMPARE(m_stage->server.connectionCount(), 0);
}

void MetricsServerLimitsTest::closesConnectionThatIsIdleLongest()
{
    MetricsServer server(m_stage->supervisor, m_stage->collector, {.maxConnections = 2});
    QVERIFY(!server.listen(QHostAddress(QHostAddress::LocalHost), 0));
    QTcpSocket active;
    active.connectToHost(server.address(), server.port());
    QTRY_COMPARE_WITH_TIMEOUT(server.connectionCount(), 1, patience);
    m_stage->advance(1s);
    QTcpSocket idle;
    idle.connectToHost(server.address(), server.port());
    QTRY_COMPARE_WITH_TIMEOUT(server.connectionCount(), 2, patience);
    m_stage->advance(1s);
    active.write("GET /healthz HTTP/1.1\r\n");
    active.flush();
    QCOMPARE(statusOf(m_stage->get("/healthz")), QByteArray("200")); // now it has been read
    QTcpSocket further;
    further.connectToHost(server.address(), server.port());
    further.write(requestOf("/healthz"));
    QByteArray response;
    QVERIFY(QTest::qWaitFor([&] { return further.bytesAvailable() > 0; }, patience));
    QVERIFY(readToEnd(idle, response));
    QCOMPARE(response, QByteArray());
    active.write("Host: localhost\r\n\r\n");
    QVERIFY(readToEnd(active, response));
    QCOMPARE(statusOf(response), QByteArray("200"));
}

void MetricsServerLimitsTest::rejectsConnectionIfNoneIsIdle()
{
    MetricsServer server(m_stage->supervisor, m_stage->collector, {.maxConnections = 1});
    QVERIFY(!server.listen(QHostAddress(QHostAddress::LocalHost), 0));
    QTcpSocket first;
    first.connectToHost(server.address(), server.port());
    QTRY_COMPARE_WITH_TIMEOUT(server.connectionCount(), 1, patience);
    QByteArray response;
    {
        const OccupiedPool pool;
        first.write(requestOf("/metrics"));
        first.flush();
        QCOMPARE(statusOf(m_stage->get("/healthz")), QByteArray("200")); // now it has been read
        QTcpSocket second;
        second.connectToHost(server.address(), server.port());
        QVERIFY(second.waitForConnected(patience));
        QVERIFY(readToEnd(second, response));
        QCOMPARE(response, QByteArray());
        QCOMPARE(server.connectionCount(), 1);
    }
    QVERIFY(readToEnd(first, response));
    QCOMPARE(statusOf(response), QByteArray("200"));
}

// Both connections are accepted in one pass of the event loop.
void MetricsServerLimitsTest::servesRequestThatArrivedBeforeTheNextConnection()
{
    MetricsServer server(m_stage->supervisor, m_stage->collector, {.maxConnections = 1});
    QVERIFY(!server.listen(QHostAddress(QHostAddress::LocalHost), 0));
    std::array<QTcpSocket, 2> scrapers;
    for (QTcpSocket &scraper : scrapers) {
        scraper.connectToHost(server.address(), server.port());
        QVERIFY(scraper.waitForConnected(patience)); // without the server's event loop
        scraper.write(requestOf("/metrics"));
        QVERIFY(scraper.waitForBytesWritten(patience));
    }
    QByteArray response;
    QVERIFY(readToEnd(scrapers[1], response));
    QCOMPARE(response, QByteArray());
    QVERIFY(readToEnd(scrapers[0], response));
    QCOMPARE(statusOf(response), QByteArray("200"));
}

REKINDLE_TEST(MetricsServerLimitsTest)
#include "metricsserverlimitstest.moc"
