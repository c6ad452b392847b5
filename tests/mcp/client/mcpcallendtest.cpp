// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "scriptedchannel.h"
#include "testprogram.h"

using namespace Rekindle;
using namespace std::chrono_literals;
using Kind = McpError::Kind;

/// Calls that end without a response, in virtual time.
class McpCallEndTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void timeout();
    void progressRestartsTimeout();
    void ignoresProgressThatDoesNotGrow();
    void sendsCancellation();
    void lossEndsAllCalls();
    void lossReportsUnwrittenCalls();
};

void McpCallEndTest::timeout()
{
    ClientStage stage;
    stage.openLegacy();
    const QFuture<ToolResult> future = stage.client.call(QStringLiteral("a"), {}, {.timeout = 2s});
    const qint64 id = stage.channel.lastId();
    stage.scheduler.advance(1999ms);
    QVERIFY(!future.isFinished());
    stage.scheduler.advance(1ms);
    QVERIFY(future.isFinished());
    QCOMPARE(future.result().error->kind, Kind::Timeout);
    QVERIFY(future.result().error->wasWritten);
    QCOMPARE(stage.channel.lastMethod(), QStringLiteral("notifications/cancelled"));
    QCOMPARE(stage.channel.lastParams().value(QLatin1String("requestId")).toInteger(), id);
    stage.channel.answer(id, "{}"); // late
    QCOMPARE(future.resultCount(), 1);
}

void McpCallEndTest::progressRestartsTimeout()
{
    ClientStage stage;
    stage.openLegacy();
    const QFuture<ToolResult> future =
        stage.client.call(QStringLiteral("a"), {}, {.timeout = 2s, .longest = 5s});
    const QByteArray token = QByteArray::number(stage.channel.lastId());
    for (int i = 1; i <= 4; ++i) {
        stage.scheduler.advance(1s);
        stage.channel.notify("notifications/progress",
                             R"({"progressToken":)" + token + R"(,"progress":)"
                                 + QByteArray::number(i) + '}');
    }
    QVERIFY(!future.isFinished());
    stage.scheduler.advance(999ms); // up to the longest time
    QVERIFY(!future.isFinished());
    stage.scheduler.advance(1ms);
    QCOMPARE(future.result().error->kind, Kind::Timeout);
}

void McpCallEndTest::ignoresProgressThatDoesNotGrow()
{
    ClientStage stage;
    stage.openLegacy();
    QList<double> values;
    CallOptions options;
    options.onProgress = [&values](const McpProgress &progress) {
        values.push_back(progress.progress);
    };
    const QFuture<ToolResult> future = stage.client.call(QStringLiteral("a"), {}, options);
    const qint64 id = stage.channel.lastId();
    QCOMPARE(stage.channel.lastParams()
                 .value(QLatin1String("_meta"))
                 .toObject()
                 .value(QLatin1String("progressToken"))
                 .toInteger(),
             id);
    const auto progress = [&](const QByteArray &token, const QByteArray &value) {
        stage.channel.notify("notifications/progress",
                             R"({"progressToken":)" + token + R"(,"progress":)" + value
                                 + R"(,"total":10})");
    };
    const QByteArray token = QByteArray::number(id);
    for (const char *value : {"0", "0.5", "0.5", "0.2", "3", "\"x\"", "null"})
        progress(token, value);
    progress("\"" + token + "\"", "8");
    progress("99", "9");
    QCOMPARE(values, (QList<double>{0, 0.5, 3}));
    stage.channel.answer(id, "{}");
    progress(token, "10");
    QCOMPARE(values.size(), 3);
}

void McpCallEndTest::sendsCancellation()
{
    ClientStage stage;
    stage.openLegacy();
    QFuture<ToolResult> future = stage.client.call(QStringLiteral("a"));
    const qint64 id = stage.channel.lastId();
    const qsizetype before = stage.channel.sent.size();
    future.cancel();
    stage.settle();
    QVERIFY(future.isFinished());
    QVERIFY(future.isCanceled());
    QCOMPARE(stage.channel.sent.size(), before + 1);
    QCOMPARE(stage.channel.lastMethod(), QStringLiteral("notifications/cancelled"));
    QCOMPARE(stage.channel.lastParams().value(QLatin1String("requestId")).toInteger(), id);
    stage.channel.answer(id, "{}"); // late
    QCOMPARE(future.resultCount(), 0);

    // A call that was answered is not canceled.
    QFuture<ToolResult> answered = stage.client.call(QStringLiteral("a"));
    stage.answer("{}");
    const qsizetype now = stage.channel.sent.size();
    answered.cancel();
    stage.settle();
    QCOMPARE(stage.channel.sent.size(), now);
}

void McpCallEndTest::lossEndsAllCalls()
{
    ClientStage stage;
    stage.openLegacy();
    QList<QFuture<ToolResult>> futures;
    for (int i = 0; i < 16; ++i)
        futures.push_back(stage.client.call(QStringLiteral("a")));
    stage.channel.lose(QStringLiteral("it crashed"), 17);
    for (const QFuture<ToolResult> &future : std::as_const(futures)) {
        QVERIFY(future.isFinished());
        const McpError error = future.result().error.value();
        QCOMPARE(error.kind, Kind::Lost);
        QCOMPARE(error.message, QStringLiteral("it crashed"));
        QCOMPARE(error.process.exitCode, 17);
        QCOMPARE(error.process.stderrTail, QStringList(QStringLiteral("last line")));
        QVERIFY(error.wasWritten);
    }
    QCOMPARE(stage.client.call(QStringLiteral("a")).result().error->kind, Kind::NotReady);
    QCOMPARE(stage.scheduler.armedCount(), std::size_t(0));
}

void McpCallEndTest::lossReportsUnwrittenCalls()
{
    ClientStage stage;
    stage.openLegacy();
    const QFuture<ToolResult> written = stage.client.call(QStringLiteral("a"));
    stage.channel.writes = false;
    const QFuture<ToolResult> queued = stage.client.call(QStringLiteral("a"));
    stage.channel.lose(QStringLiteral("it crashed"));
    QVERIFY(written.result().error->wasWritten);
    QVERIFY(!queued.result().error->wasWritten);
}

REKINDLE_TEST(McpCallEndTest)
#include "mcpcallendtest.moc"
