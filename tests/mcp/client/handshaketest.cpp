// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "scriptedchannel.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;
using namespace std::chrono_literals;

/// The handshake, with legacy and modern servers.
class HandshakeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void legacy();
    void legacyWithoutTools();
    void readsAllPages();
    void rejectsEndlessPages();
    void rejectsInvalidAnswers_data();
    void rejectsInvalidAnswers();
    void timesOut();
    void modern();
    void autoFallsBackToModern();
    void reportsLossDuringHandshake();
    void reopensAfterLoss();
    void updatesTools();
};

void HandshakeTest::legacy()
{
    ClientStage stage;
    stage.client.open();
    QCOMPARE(stage.channel.sent.size(), 1);
    QCOMPARE(stage.channel.lastMethod(), QStringLiteral("initialize"));
    const QJsonObject params = stage.channel.lastParams();
    QCOMPARE(params.value(QLatin1String("protocolVersion")), QStringLiteral("2025-11-25"));
    QCOMPARE(params.value(QLatin1String("capabilities")), QJsonObject());
    QVERIFY(params.value(QLatin1String("clientInfo")).isObject());
    QVERIFY(!params.contains(QLatin1String("_meta")));

    stage.answer(ClientStage::initializeResult);
    QCOMPARE(stage.channel.sent.size(), 3);
    QCOMPARE(stage.channel.sent[1].value(QLatin1String("method")),
             QStringLiteral("notifications/initialized"));
    QVERIFY(!stage.channel.sent[1].contains(QLatin1String("id")));
    QCOMPARE(stage.channel.lastMethod(), QStringLiteral("tools/list"));
    QVERIFY(!stage.client.isReady());

    stage.answer(R"({"tools":[{"name":"a","annotations":{"readOnlyHint":true}},{"x":1}]})");
    QVERIFY(stage.client.isReady());
    QCOMPARE(stage.log, QStringList(QStringLiteral("ready")));
    QCOMPARE(stage.client.revision(), McpProtocol::Revision::Legacy);
    QCOMPARE(stage.client.protocolVersion(), QStringLiteral("2025-11-25"));
    QCOMPARE(stage.client.tools().size(), 1);
    QVERIFY(stage.client.tools().first().isReadOnly());
    QCOMPARE(stage.scheduler.armedCount(), std::size_t(0));
}

void HandshakeTest::legacyWithoutTools()
{
    ClientStage stage;
    stage.client.open();
    stage.answer(R"({"protocolVersion":"2024-11-05","capabilities":{}})");
    QVERIFY(stage.client.isReady());
    QCOMPARE(stage.channel.lastMethod(), QStringLiteral("notifications/initialized"));
    QCOMPARE(stage.client.protocolVersion(), QStringLiteral("2024-11-05"));
}

void HandshakeTest::readsAllPages()
{
    ClientStage stage;
    stage.client.open();
    stage.answer(ClientStage::initializeResult);
    QVERIFY(!stage.channel.lastParams().contains(QLatin1String("cursor")));
    stage.answer(R"({"tools":[{"name":"a"}],"nextCursor":"n"})");
    QCOMPARE(stage.channel.lastParams().value(QLatin1String("cursor")), QStringLiteral("n"));
    stage.answer(R"({"tools":[{"name":"b"}],"nextCursor":"m"})");
    QVERIFY(!stage.client.isReady());
    stage.answer(R"({"tools":[{"name":"c"}]})");
    QVERIFY(stage.client.isReady());
    QCOMPARE(stage.client.tools().size(), 3);
}

void HandshakeTest::rejectsEndlessPages()
{
    ClientStage stage;
    stage.client.open();
    stage.answer(ClientStage::initializeResult);
    for (int i = 0; i < 2; ++i)
        stage.answer(R"({"tools":[],"nextCursor":"same"})");
    QCOMPARE(stage.log,
             QStringList(QStringLiteral("failed InvalidAnswer tools/list has endless pages")));
}

void HandshakeTest::rejectsInvalidAnswers_data()
{
    const Rows<QByteArray, QString> row("answer", "kind");
    row("refused", R"({"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}})",
        "failed Refused no");
    row("other version", R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"1.0"}})",
        "failed InvalidAnswer");
    row("no version", R"({"jsonrpc":"2.0","id":1,"result":{}})", "failed InvalidAnswer");
    row("no object", R"({"jsonrpc":"2.0","id":1,"result":[]})", "failed InvalidAnswer");
    row("both", R"({"jsonrpc":"2.0","id":1,"result":{},"error":{}})", "failed InvalidAnswer");
    row("invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"\xff\"}}",
        "failed InvalidAnswer");
}

void HandshakeTest::rejectsInvalidAnswers()
{
    QFETCH(QByteArray, answer);
    QFETCH(QString, kind);
    ClientStage stage({.revision = McpProtocol::Revision::Legacy});
    stage.client.open();
    stage.channel.say(answer);
    QCOMPARE(stage.log.size(), 1);
    QVERIFY2(stage.log.first().startsWith(kind), qPrintable(stage.log.first()));
    QVERIFY(!stage.client.isReady());
    // The handshake is not repeated.
    QCOMPARE(stage.channel.sent.size(), 1);
    QCOMPARE(stage.scheduler.armedCount(), std::size_t(0));
}

void HandshakeTest::timesOut()
{
    ClientStage stage({.handshakeTimeout = 5s});
    stage.client.open();
    stage.scheduler.advance(4999ms);
    QVERIFY(stage.log.isEmpty());
    stage.scheduler.advance(1ms);
    QCOMPARE(stage.log.size(), 1);
    QCOMPARE(stage.log.first(),
             QStringLiteral("failed Timeout The server did not answer initialize within 5s"));
    // The protocol forbids to cancel initialize.
    QCOMPARE(stage.channel.sent.size(), 1);
}

void HandshakeTest::modern()
{
    ClientStage stage({.revision = McpProtocol::Revision::Modern});
    stage.client.open();
    QCOMPARE(stage.channel.lastMethod(), QStringLiteral("server/discover"));
    const auto hasMeta = [&stage] {
        const QJsonObject meta =
            stage.channel.lastParams().value(QLatin1String("_meta")).toObject();
        return meta.value(QLatin1String("io.modelcontextprotocol/protocolVersion"))
            == QStringLiteral("2026-07-28")
            && meta.value(QLatin1String("io.modelcontextprotocol/clientCapabilities")).isObject();
    };
    QVERIFY(hasMeta());
    stage.answer(
        R"({"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}}})");
    QCOMPARE(stage.channel.lastMethod(), QStringLiteral("tools/list"));
    QVERIFY(hasMeta());
    stage.answer(R"({"tools":[{"name":"a"}]})");
    QVERIFY(stage.client.isReady());
    QCOMPARE(stage.client.revision(), McpProtocol::Revision::Modern);
    QCOMPARE(stage.channel.lastMethod(), QStringLiteral("subscriptions/listen"));
    QVERIFY(hasMeta());
    stage.scheduler.advance(24h); // it has no timeout
    QCOMPARE(stage.channel.lastMethod(), QStringLiteral("subscriptions/listen"));

    stage.client.call(QStringLiteral("a"));
    QVERIFY(hasMeta());
    stage.client.probe(1s);
    QCOMPARE(stage.channel.lastMethod(), QStringLiteral("server/discover"));
    for (const QJsonObject &message : std::as_const(stage.channel.sent))
        QVERIFY(message.value(QLatin1String("method")) != QLatin1String("initialize"));
}

void HandshakeTest::autoFallsBackToModern()
{
    ClientStage stage;
    stage.client.open();
    stage.channel.refuse(stage.channel.lastId(), -32022, "too old");
    QCOMPARE(stage.channel.lastMethod(), QStringLiteral("server/discover"));
    stage.answer(R"({"supportedVersions":["2026-07-28"],"capabilities":{}})");
    QVERIFY(stage.client.isReady());
    QCOMPARE(stage.client.revision(), McpProtocol::Revision::Modern);

    // If the server refuses both, the first error is reported.
    ClientStage other;
    other.client.open();
    other.channel.refuse(other.channel.lastId(), -32603, "I am broken");
    other.channel.refuse(other.channel.lastId(), -32601, "no such method");
    QCOMPARE(other.log, QStringList(QStringLiteral("failed Refused I am broken")));
}

void HandshakeTest::reportsLossDuringHandshake()
{
    for (const bool afterInitialize : {false, true}) {
        ClientStage stage;
        stage.client.open();
        if (afterInitialize)
            stage.answer(ClientStage::initializeResult);
        stage.channel.lose(QStringLiteral("it crashed"));
        QCOMPARE(stage.log, QStringList(QStringLiteral("failed Lost it crashed")));
        QCOMPARE(stage.scheduler.armedCount(), std::size_t(0));
    }
}

void HandshakeTest::reopensAfterLoss()
{
    ClientStage stage;
    stage.openLegacy();
    const qint64 lastId = stage.channel.lastId();
    stage.channel.lose(QStringLiteral("it crashed"));
    QVERIFY(!stage.client.isReady());
    QCOMPARE(stage.log, QStringList(QStringLiteral("ready")));
    stage.channel.open = true;
    stage.client.open();
    QVERIFY2(stage.channel.lastId() > lastId, "an id was reused");
    // A late response of the first connection
    stage.channel.answer(1, R"({"protocolVersion":"1"})");
    stage.answer(ClientStage::initializeResult);
    stage.answer(R"({"tools":[]})");
    QCOMPARE(stage.log, (QStringList{QStringLiteral("ready"), QStringLiteral("ready")}));
    QVERIFY(stage.client.tools().isEmpty());
}

void HandshakeTest::updatesTools()
{
    ClientStage stage;
    stage.openLegacy();
    const auto changed = [&stage] { stage.channel.notify("notifications/tools/list_changed"); };
    const qsizetype before = stage.channel.sent.size();
    changed();
    changed(); // during the listing: one more listing follows
    changed();
    QCOMPARE(stage.channel.sent.size(), before + 1);
    stage.answer(R"({"tools":[{"name":"c"}]})");
    QCOMPARE(stage.channel.sent.size(), before + 2);
    QCOMPARE(stage.log, QStringList(QStringLiteral("ready")));
    stage.answer(R"({"tools":[{"name":"d"}]})");
    QCOMPARE(stage.channel.sent.size(), before + 2);
    QCOMPARE(stage.log, (QStringList{QStringLiteral("ready"), QStringLiteral("tools changed")}));
    QCOMPARE(stage.client.tools().first().name, QStringLiteral("d"));
    // An equal list is not a change.
    changed();
    stage.answer(R"({"tools":[{"name":"d"}]})");
    QCOMPARE(stage.log.size(), 2);
}

REKINDLE_TEST(HandshakeTest)
#include "handshaketest.moc"
