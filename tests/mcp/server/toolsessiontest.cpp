// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcp/server/toolsession_p.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;

/// A client of a session with the tools `look` and `act`.
class ToolSessionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void negotiatesVersion_data();
    void negotiatesVersion();
    void servesModernClients();
    void rejectsUnknownModernVersion();
    void listsTools();
    void returnsCallsAndAnswersThem();
    void rejectsInvalidCalls_data();
    void rejectsInvalidCalls();
    void limitsOpenCalls();
    void forgetsCancelledCalls();
    void rejectsIdOfOpenCall();
    void rejectsUnknownMethodsAndInvalidLines();

private:
    /// Sends a line; returns the responses.
    QList<QJsonObject> send(const QByteArray &line)
    {
        m_session->read({.bytes = line, .size = line.size()});
        QList<QJsonObject> responses;
        for (const QByteArray &each : m_session->takeLines())
            responses.append(QJsonDocument::fromJson(each).object());
        return responses;
    }
    QJsonObject only(const QByteArray &line)
    {
        const QList<QJsonObject> responses = send(line);
        return responses.size() == 1 ? responses.front() : QJsonObject();
    }
    QList<QJsonObject> call(int id, const QByteArray &params)
    {
        return send(R"({"jsonrpc":"2.0","id":)" + QByteArray::number(id)
                    + R"(,"method":"tools/call","params":)" + params + '}');
    }

    std::unique_ptr<ToolSession> m_session;
};

void ToolSessionTest::init()
{
    m_session = std::make_unique<ToolSession>(
        ServedTools{"Test", R"({"name":"look"})", {QStringLiteral("look"), QStringLiteral("act")}});
}

void ToolSessionTest::negotiatesVersion_data()
{
    const Rows<QByteArray, QString> row("requested", "agreed");
    row("newest", "2025-11-25", "2025-11-25");
    row("old", "2024-11-05", "2024-11-05");
    row("unknown", "2099-01-01", "2025-11-25");
}

void ToolSessionTest::negotiatesVersion()
{
    QFETCH(QByteArray, requested);
    QFETCH(QString, agreed);
    const QJsonObject response =
        only(R"({"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":")"
             + requested + R"(","capabilities":{},"clientInfo":{"name":"c","version":"1"}}})");
    const QJsonValue result = response[QLatin1String("result")];
    QCOMPARE(response[QLatin1String("id")], QStringLiteral("a"));
    QCOMPARE(result[QLatin1String("protocolVersion")], agreed);
    QVERIFY(result[QLatin1String("capabilities")][QLatin1String("tools")].isObject());
    QCOMPARE(result[QLatin1String("serverInfo")][QLatin1String("title")], QStringLiteral("Test"));
    QVERIFY(send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})").isEmpty());
}

void ToolSessionTest::servesModernClients()
{
    const QByteArray meta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})";
    const QJsonValue discovered =
        only(R"({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{)" + meta
             + "}}")[QLatin1String("result")];
    QCOMPARE(discovered[QLatin1String("supportedVersions")],
             QJsonArray({QStringLiteral("2026-07-28")}));
    const QJsonValue listed = only(R"({"jsonrpc":"2.0","id":2,"method":"tools/list","params":{)"
                                   + meta + "}}")[QLatin1String("result")];
    QCOMPARE(listed[QLatin1String("resultType")], QStringLiteral("complete"));
    QVERIFY(call(3, R"({"name":"look",)" + meta + '}').isEmpty());
    m_session->answer(m_session->takeCalls().at(0).number, QStringLiteral("done"), false, "{}");
    const QJsonObject answer = QJsonDocument::fromJson(m_session->takeLines().at(0)).object();
    QCOMPARE(answer[QLatin1String("result")][QLatin1String("resultType")],
             QStringLiteral("complete"));
}

void ToolSessionTest::rejectsUnknownModernVersion()
{
    const QJsonValue error = only(
        R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":)"
        R"({"io.modelcontextprotocol/protocolVersion":"2099-01-01"}}})")[QLatin1String("error")];
    QCOMPARE(error[QLatin1String("code")], -32022);
    QCOMPARE(error[QLatin1String("data")][QLatin1String("supported")],
             QJsonArray({QStringLiteral("2026-07-28")}));
}

void ToolSessionTest::listsTools()
{
    const QJsonValue result =
        only(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})")[QLatin1String("result")];
    QCOMPARE(
        result,
        QJsonValue(QJsonObject(
            {{QStringLiteral("tools"),
              QJsonArray({QJsonObject({{QStringLiteral("name"), QStringLiteral("look")}})})}})));
}

void ToolSessionTest::returnsCallsAndAnswersThem()
{
    QVERIFY(call(7, R"({"name":"look","arguments":{"a":1}})").isEmpty());
    QVERIFY(call(8, R"({"name":"act"})").isEmpty());
    const std::vector<ServedCall> calls = m_session->takeCalls();
    QCOMPARE(calls.size(), std::size_t{2});
    QCOMPARE(calls[0], (ServedCall{calls[0].number, QStringLiteral("look"), R"({"a":1})"}));
    QCOMPARE(calls[1], (ServedCall{calls[1].number, QStringLiteral("act"), "{}"}));
    m_session->answer(calls[1].number, QStringLiteral("no"), true);
    m_session->answer(calls[0].number, QStringLiteral("yes"), false, R"({"b":2})");
    m_session->answer(calls[0].number, QStringLiteral("again"), false);
    const std::vector<QByteArray> lines = m_session->takeLines();
    QCOMPARE(lines.size(), std::size_t{2});
    const QJsonObject no = QJsonDocument::fromJson(lines[0]).object();
    QCOMPARE(no[QLatin1String("id")], 8);
    QCOMPARE(no[QLatin1String("result")][QLatin1String("isError")], true);
    const QJsonObject yes = QJsonDocument::fromJson(lines[1]).object();
    QCOMPARE(yes[QLatin1String("id")], 7);
    QCOMPARE(yes[QLatin1String("result")][QLatin1String("isError")], false);
    QCOMPARE(yes[QLatin1String("result")][QLatin1String("structuredContent")][QLatin1String("b")],
             2);
    QCOMPARE(m_session->callCount(), 0);
}

void ToolSessionTest::rejectsInvalidCalls_data()
{
    const Rows<QByteArray, QString> row("params", "message");
    row("name", "{}", "Invalid params: name: expected a string");
    row("unknown", R"({"name":"fly"})", "Invalid params: no tool named fly");
    row("arguments", R"({"name":"look","arguments":[1]})",
        "Invalid params: arguments: expected an object");
}

void ToolSessionTest::rejectsInvalidCalls()
{
    QFETCH(QByteArray, params);
    const QList<QJsonObject> responses = call(1, params);
    QCOMPARE(responses.size(), 1);
    const QJsonValue error = responses.front()[QLatin1String("error")];
    QCOMPARE(error[QLatin1String("code")], -32602);
    QTEST(error[QLatin1String("message")].toString(), "message");
    QVERIFY(m_session->takeCalls().empty());
}

void ToolSessionTest::limitsOpenCalls()
{
    for (int id = 1; id <= ToolSession::maxCalls; ++id)
        QVERIFY(call(id, R"({"name":"look"})").isEmpty());
    const QList<QJsonObject> refused = call(100, R"({"name":"look"})");
    QCOMPARE(refused.size(), 1);
    QCOMPARE(refused.front()[QLatin1String("result")][QLatin1String("isError")], true);
    m_session->answer(m_session->takeCalls().front().number, QStringLiteral("done"), false);
    QCOMPARE(m_session->takeLines().size(), std::size_t{1});
    QVERIFY(call(101, R"({"name":"look"})").isEmpty());
}

void ToolSessionTest::forgetsCancelledCalls()
{
    QVERIFY(call(1, R"({"name":"look"})").isEmpty());
    const quint64 number = m_session->takeCalls().front().number;
    QVERIFY(send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})")
                .isEmpty());
    QVERIFY(m_session->takeCancelled().empty());
    QVERIFY(send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})")
                .isEmpty());
    QCOMPARE(m_session->takeCancelled(), std::vector<quint64>{number});
    m_session->answer(number, QStringLiteral("late"), false);
    QVERIFY(m_session->takeLines().empty());
}

void ToolSessionTest::rejectsIdOfOpenCall()
{
    QVERIFY(call(1, R"({"name":"look"})").isEmpty());
    const QJsonObject response = only(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
    QCOMPARE(response[QLatin1String("error")][QLatin1String("code")], -32600);
    QCOMPARE(m_session->callCount(), 1);
}

void ToolSessionTest::rejectsUnknownMethodsAndInvalidLines()
{
    QCOMPARE(only(R"({"jsonrpc":"2.0","id":1,"method":"prompts/list"})")[QLatin1String("error")]
                                                                        [QLatin1String("code")],
             -32601);
    QCOMPARE(only("nonsense")[QLatin1String("error")][QLatin1String("code")], -32700);
    QVERIFY(send(R"({"jsonrpc":"2.0","id":1,"result":{}})").isEmpty());
    QVERIFY(send(R"({"jsonrpc":"2.0","method":"notifications/other"})").isEmpty());
    const QList<QJsonObject> batch = send(R"([{"jsonrpc":"2.0","id":1,"method":"ping"},)"
                                          R"({"jsonrpc":"2.0","id":2,"method":"ping"}])");
    QCOMPARE(batch.size(), 2);
}

REKINDLE_TEST(ToolSessionTest)
#include "toolsessiontest.moc"
