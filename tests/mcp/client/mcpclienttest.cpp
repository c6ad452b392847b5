// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "scriptedchannel.h"
#include "testprogram.h"

using namespace Rekindle;
using namespace std::chrono_literals;
using Kind = McpError::Kind;

/// Calls, in virtual time.
class McpClientTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void callsTools();
    void acceptsAnswersInAnyOrder();
    void reportsErrors();
    void sendsNothingBeforeReady();
    void ignoresUnexpectedAnswers();
    void reportsMalformedAnswers();
    void reportsTooLongAnswers();
    void reportsNoise();
    void answersRequestsOfServer();
    void probes();
    void survivesDeletionInContinuation();
    void acceptsCallsFromContinuations();
};

void McpClientTest::callsTools()
{
    ClientStage stage;
    stage.openLegacy();
    const QFuture<ToolResult> future =
        stage.client.call(QStringLiteral("a"), parsed(R"({"x":[1,2]})"));
    QCOMPARE(stage.channel.lastMethod(), QStringLiteral("tools/call"));
    QCOMPARE(stage.channel.lastParams().value(QLatin1String("name")), QStringLiteral("a"));
    QCOMPARE(stage.channel.lastParams().value(QLatin1String("arguments")).toObject(),
             parsed(R"({"x":[1,2]})"));
    QVERIFY(!future.isFinished());
    stage.answer(
        R"({"content":[{"type":"text","text":"one"},{"type":"image"},{"type":"text","text":"two"}]})");
    QVERIFY(future.isFinished());
    QVERIFY(!future.result().error);
    QVERIFY(!future.result().isError());
    QCOMPARE(future.result().text(), QStringLiteral("one\ntwo"));
    QCOMPARE(stage.scheduler.armedCount(), std::size_t(0));

    const QFuture<ToolResult> failing = stage.client.call(QStringLiteral("a"));
    stage.answer(R"({"content":[],"isError":true})");
    QVERIFY(!failing.result().error);
    QVERIFY(failing.result().isError());
}

void McpClientTest::acceptsAnswersInAnyOrder()
{
    ClientStage stage;
    stage.openLegacy();
    QList<QFuture<McpAnswer>> futures;
    QList<qint64> ids;
    for (int i = 0; i < 20; ++i) {
        futures.push_back(stage.client.request(QStringLiteral("x")));
        QVERIFY(!ids.contains(stage.channel.lastId()));
        ids.push_back(stage.channel.lastId());
    }
    for (int i = 19; i >= 0; --i)
        stage.channel.answer(ids[i], "{\"n\":" + QByteArray::number(i) + '}');
    for (int i = 0; i < 20; ++i)
        QCOMPARE(futures[i].result().result.value(QLatin1String("n")), i);
}

void McpClientTest::reportsErrors()
{
    ClientStage stage;
    stage.openLegacy();
    const QFuture<ToolResult> future = stage.client.call(QStringLiteral("nonsense"));
    stage.channel.say(R"({"jsonrpc":"2.0","id":)" + QByteArray::number(stage.channel.lastId())
                      + R"(,"error":{"code":-32602,"message":"Unknown tool","data":{"x":1}}})");
    const McpError error = future.result().error.value();
    QCOMPARE(error.kind, Kind::Refused);
    QCOMPARE(error.code, -32602);
    QCOMPARE(error.message, QStringLiteral("Unknown tool"));
    QCOMPARE(error.data.toObject(), parsed(R"({"x":1})"));
}

void McpClientTest::sendsNothingBeforeReady()
{
    ClientStage stage;
    QCOMPARE(stage.client.call(QStringLiteral("a")).result().error->kind, Kind::NotReady);
    stage.client.open();
    QCOMPARE(stage.client.call(QStringLiteral("a")).result().error->kind, Kind::NotReady);
    QCOMPARE(stage.channel.sent.size(), 1);

    ClientStage busy;
    busy.openLegacy();
    busy.channel.full = true;
    const QFuture<ToolResult> future = busy.client.call(QStringLiteral("a"));
    QCOMPARE(future.result().error->kind, Kind::Busy);
    QVERIFY(!future.result().error->wasWritten);
}

void McpClientTest::ignoresUnexpectedAnswers()
{
    ClientStage stage;
    stage.openLegacy();
    const QFuture<ToolResult> future = stage.client.call(QStringLiteral("a"));
    const qint64 id = stage.channel.lastId();
    stage.channel.answer(99, "{}");
    stage.channel.say(R"({"jsonrpc":"2.0","id":")" + QByteArray::number(id) + R"(","result":{}})");
    stage.channel.say(R"({"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"?"}})");
    QVERIFY(!future.isFinished());
    stage.channel.answer(id, R"({"content":[{"type":"text","text":"first"}]})");
    stage.channel.answer(id, R"({"content":[{"type":"text","text":"second"}]})");
    QCOMPARE(future.resultCount(), 1);
    QCOMPARE(future.result().text(), QStringLiteral("first"));
    QCOMPARE(stage.log, QStringList(QStringLiteral("ready")));
}

void McpClientTest::reportsMalformedAnswers()
{
    ClientStage stage;
    stage.openLegacy();
    for (const char *rest : {R"("result":[]})", R"("result":5})", R"("result":{},"error":{}})",
                             R"("error":"text"})", "\"result\":{\"a\":\"\xff\"}}"}) {
        const QFuture<ToolResult> future = stage.client.call(QStringLiteral("a"));
        stage.channel.say(R"({"jsonrpc":"2.0","id":)" + QByteArray::number(stage.channel.lastId())
                          + ',' + rest);
        QVERIFY2(future.isFinished(), rest);
        QCOMPARE(future.result().error->kind, Kind::InvalidAnswer);
    }
}

void McpClientTest::reportsTooLongAnswers()
{
    ClientStage stage;
    stage.openLegacy();
    const QFuture<ToolResult> future = stage.client.call(QStringLiteral("a"));
    Q_EMIT stage.channel.receivedTooLong(R"({"result":{"text":"xxx)",
                                         R"(xxx"},"jsonrpc":"2.0","id":)"
                                             + QByteArray::number(stage.channel.lastId()) + '}',
                                         100'000'000);
    QVERIFY(future.isFinished());
    QCOMPARE(future.result().error->kind, Kind::InvalidAnswer);
    Q_EMIT stage.channel.receivedTooLong("xxx", "xxx", 100'000'000);
    QCOMPARE(stage.log.last(), QStringLiteral("noise xxx"));
}

void McpClientTest::reportsNoise()
{
    ClientStage stage;
    stage.openLegacy();
    const qsizetype before = stage.channel.sent.size();
    for (const char *line : {"", "  ", "Server started", "{\"level\":30}", "[]", "{\"jsonrpc\":"})
        stage.channel.say(line);
    QCOMPARE(
        stage.log.mid(1),
        (QStringList{QStringLiteral("noise Server started"), QStringLiteral("noise {\"level\":30}"),
                     QStringLiteral("noise []"), QStringLiteral("noise {\"jsonrpc\":")}));
    QCOMPARE(stage.channel.sent.size(), before);
    stage.channel.say(QByteArray(100000, 'x'));
    QVERIFY(stage.log.last().size() < 2000);
    stage.channel.notify("notifications/message", R"({"level":"info"})");
    QCOMPARE(stage.log.last(), QStringLiteral("notified notifications/message"));
}

void McpClientTest::answersRequestsOfServer()
{
    ClientStage stage;
    stage.openLegacy();
    // Each direction has its own ids: the same number may be pending in both.
    const QFuture<ToolResult> future = stage.client.call(QStringLiteral("a"));
    const QByteArray id = QByteArray::number(stage.channel.lastId());
    stage.channel.say(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"ping"})");
    QCOMPARE(stage.channel.lastId(), id.toLongLong());
    QCOMPARE(stage.channel.last().value(QLatin1String("result")), QJsonObject());
    QVERIFY(!future.isFinished());

    stage.channel.say(R"({"jsonrpc":"2.0","id":"x","method":"roots/list"})");
    QCOMPARE(stage.channel.last().value(QLatin1String("id")), QStringLiteral("x"));
    QCOMPARE(stage.channel.last()[QLatin1String("error")][QLatin1String("code")].toInt(), -32601);
}

void McpClientTest::probes()
{
    ClientStage stage;
    stage.openLegacy();
    const QFuture<McpAnswer> good = stage.client.probe(2s);
    QCOMPARE(stage.channel.lastMethod(), QStringLiteral("ping"));
    stage.answer("{}");
    QVERIFY(!good.result().error);
    const QFuture<McpAnswer> bad = stage.client.probe(2s);
    stage.scheduler.advance(2s);
    QCOMPARE(bad.result().error->kind, Kind::Timeout);
}

// Continuations run inside the client.
void McpClientTest::survivesDeletionInContinuation()
{
    for (const bool byLoss : {false, true}) {
        VirtualClock clock;
        VirtualScheduler scheduler(clock);
        ScriptedChannel channel;
        auto *client = new McpClient(channel, scheduler);
        client->open();
        channel.answer(channel.lastId(), ClientStage::initializeResult);
        channel.answer(channel.lastId(), R"({"tools":[]})");
        bool called = false;
        QFuture<void> after = client->call(QStringLiteral("a")).then([&](const ToolResult &) {
            called = true;
            delete std::exchange(client, nullptr);
        });
        const qint64 id = channel.lastId();
        const QFuture<ToolResult> other = client->call(QStringLiteral("b"));
        if (byLoss)
            channel.lose(QStringLiteral("it crashed"));
        else
            channel.answer(id, "{}");
        QVERIFY(called);
        // The deletion cancels the other call.
        QVERIFY(other.isFinished());
        QVERIFY(other.isCanceled());
    }
}

void McpClientTest::acceptsCallsFromContinuations()
{
    ClientStage stage;
    stage.openLegacy();
    QFuture<ToolResult> second;
    QFuture<void> after = stage.client.call(QStringLiteral("a")).then([&](const ToolResult &) {
        second = stage.client.call(QStringLiteral("b"));
    });
    stage.answer("{}");
    QVERIFY(!second.isFinished());
    stage.answer("{}");
    QVERIFY(second.isFinished());
}

REKINDLE_TEST(McpClientTest)
#include "mcpclienttest.moc"
