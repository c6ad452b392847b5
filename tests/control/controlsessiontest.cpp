// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/session/controlsession_p.h"
#include "testprogram.h"
#include "wire/messagewriter_p.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <malloc.h>

using namespace Rekindle;

/// The server's side of one connection, without a socket.
class ControlSessionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersLine_data();
    void answersLine();
    void requiresHello();
    void rejectsUnsupportedProtocol();
    void returnsCalls();
    void limitsRequestsInFlight();
    void cancelsOnlyRequestsInFlight();
    void closesAfterLineThatIsTooLong();
    void limitsOutgoingBytes();
    void refusesLateResponsesWhileOthersAreUnread();
    void readsNoRequestsWhileResponsesAreUnread();
    void rejectsResultThatIsTooLarge();
    void sendsResultLargerThanTheLimitOfUnreadOutput();
    void saysBye();
    void splitsLinesOnlyWhenTheyAreRead();
    void readsLinesThatArriveWhileOthersWait();

private:
    struct Client
    {
        /// Sends lines; the calls that they cause are stored in `calls`.
        QByteArray send(const QByteArray &lines)
        {
            session.receive(lines);
            while (session.hasLine()) {
                if (auto call = session.readLine())
                    calls.append(*call);
            }
            return received();
        }

        QByteArray received()
        {
            QByteArray all;
            OutgoingBytes &bytes = session.outgoing();
            while (!bytes.isEmpty()) {
                all += bytes.next();
                bytes.drop(bytes.next().size());
            }
            return all;
        }

        void open() { send(request(0, "hello", "{\"protocols\":[1]}")); }

        HostInfo host{
            .name = QStringLiteral("web"), .processId = 7, .features = {QStringLiteral("logs")}};
        ControlSession session{host};
        QList<ControlCall> calls;
    };

    static QByteArray request(int id, const char *method, const QByteArray &params = "{}")
    {
        return makeRequest(QByteArray::number(id), QLatin1String(method), params) + '\n';
    }

    static QByteArray error(const QByteArray &id, int code, const QByteArray &message,
                            const QByteArray &data = {})
    {
        return makeError(id, code, QString::fromUtf8(message), data) + '\n';
    }
};

void ControlSessionTest::answersLine_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("response");
    const auto row = [](const char *name, const QByteArray &line, const QByteArray &response) {
        QTest::newRow(name) << line << response;
    };
    row("blank line", "  \n", "");
    row("not JSON", "status\n", error("null", -32700, "parse error: it is not JSON"));
    row("not UTF-8",
        R"({"jsonrpc":"2.0","id":")"
        "\xff"
        R"(","method":"agents.list"})"
        "\n",
        error("null", -32700, "parse error: expected UTF-8"));
    row("batch", "[" + request(1, "agents.list").chopped(1) + "]\n",
        error("null", -32600, "expected a request, found a batch, which is not supported"));
    row("not JSON-RPC", "{\"id\":1,\"method\":\"agents.list\"}\n",
        error("1", -32600, "invalid request: its \"jsonrpc\" is not \"2.0\""));
    row("response", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n",
        error("null", -32600, "expected a request, found a response"));
    row("unknown notification", "{\"jsonrpc\":\"2.0\",\"method\":\"news\"}\n", "");
    row("array as params", request(1, "agents.list", "[]"),
        error("1", -32602, "expected an object as params"));
    row("second hello", request(1, "hello"), error("1", -32600, "hello was sent before"));
    const auto nested = [](int levels) {
        return request(1, "agents.list",
                       "{\"x\":" + QByteArray(levels - 2, '[') + QByteArray(levels - 2, ']') + "}");
    };
    row("16 levels", nested(16), "");
    row("17 levels", nested(17), error("1", -32600, "expected at most 16 levels of nesting"));
    row("brackets in a string", request(1, "agents.list", "{\"x\":\"[[[[[[[[\\\"[[[[[[[[[[\"}"),
        "");
}

void ControlSessionTest::answersLine()
{
    QFETCH(QByteArray, line);
    Client client;
    client.open();
    QTEST(client.send(line), "response");
    QVERIFY(!client.session.isClosing());
}

void ControlSessionTest::requiresHello()
{
    Client client;
    QCOMPARE(client.send(request(1, "agents.list")),
             error("1", -32002, "expected hello as the first request"));
    QVERIFY(!client.session.isOpened());
    QVERIFY(client.send(request(2, "hello")).contains("-32602"));
    const QByteArray response =
        client.send(request(3, "hello", "{\"protocols\":[0,1,2],\"client\":\"test\"}"));
    QVERIFY(client.session.isOpened());
    const QJsonObject result =
        QJsonDocument::fromJson(response).object().value(QLatin1String("result")).toObject();
    QCOMPARE(result,
             (QJsonObject{{QStringLiteral("protocol"), 1},
                          {QStringLiteral("features"), QJsonArray{QStringLiteral("logs")}},
                          {QStringLiteral("host"),
                           QJsonObject{{QStringLiteral("name"), QStringLiteral("web")},
                                       {QStringLiteral("pid"), 7},
                                       {QStringLiteral("version"), QString()},
                                       {QStringLiteral("run"), QString()},
                                       {QStringLiteral("config"), QJsonValue()}}},
                          {QStringLiteral("access"), QStringLiteral("operate")},
                          {QStringLiteral("limits"),
                           QJsonObject{{QStringLiteral("line"), 1'048'576},
                                       {QStringLiteral("inFlight"), 16},
                                       {QStringLiteral("depth"), 16}}}}));
    QVERIFY(client.calls.isEmpty());
}

void ControlSessionTest::rejectsUnsupportedProtocol()
{
    Client client;
    QCOMPARE(client.send(request(1, "hello", "{\"protocols\":[2]}") + request(2, "agents.list")),
             error("1", -32011, "this host supports protocol 1 only", "{\"supported\":[1]}"));
    QVERIFY(client.session.isClosing());
}

void ControlSessionTest::returnsCalls()
{
    Client client;
    client.open();
    const QByteArray withoutParams(
        "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"agents.list\"}\n");
    const QByteArray params("{\"agent\":\"a\"}");
    QCOMPARE(client.send(request(1, "agents.get", params) + withoutParams), QByteArray());
    QCOMPARE(client.calls.size(), 2);
    QCOMPARE(client.calls[0].method, QByteArray("agents.get"));
    QCOMPARE(client.calls[0].params, params);
    QCOMPARE(client.calls[1].method, QByteArray("agents.list"));
    QCOMPARE(client.calls[1].params, QByteArray("{}"));

    const QByteArray result("{\"agents\":[]}");
    client.session.answer(client.calls[1].id, result);
    client.session.answer(
        client.calls[0].id,
        ControlError{ControlError::Code::UnknownAgent, QStringLiteral("no agent named a"), "{}"});
    // Each request has one response.
    client.session.answer(client.calls[1].id, result);
    QCOMPARE(client.received(),
             makeResult("\"x\"", result) + '\n' + error("1", -32001, "no agent named a", "{}"));
}

void ControlSessionTest::limitsRequestsInFlight()
{
    Client client;
    client.open();
    for (int id = 1; id <= ControlSession::maxInFlight; ++id)
        QCOMPARE(client.send(request(id, "agents.list")), QByteArray());
    QVERIFY(client.send(request(1, "agents.list")).contains("a request with this id"));
    QVERIFY(client.send(request(99, "agents.list")).contains("-32006"));
    client.session.answer(client.calls.front().id, "{}");
    client.received();
    QCOMPARE(client.send(request(1, "agents.list")), QByteArray());
}

void ControlSessionTest::cancelsOnlyRequestsInFlight()
{
    Client client;
    client.open();
    const QByteArray cancel(
        "{\"jsonrpc\":\"2.0\",\"method\":\"$/cancel\",\"params\":{\"id\":7}}\n");
    client.send(cancel);
    QVERIFY(client.calls.isEmpty());
    client.send(request(7, "agents.list") + cancel);
    QCOMPARE(client.calls.size(), 2);
    QVERIFY(!client.calls[1].method);
    QCOMPARE(client.calls[1].id, client.calls[0].id);
}

void ControlSessionTest::closesAfterLineThatIsTooLong()
{
    Client client;
    client.open();
    const QByteArray filler(ControlSession::longestLine, 'x');
    const QByteArray line = request(4, "agents.get", "{\"agent\":\"" + filler + "\"}");
    QCOMPARE(client.send(line + request(5, "agents.list")),
             error("4", -32005,
                   "expected a line of at most 1048576 bytes, found "
                       + QByteArray::number(line.size() - 1),
                   "{\"limit\":1048576}"));
    QVERIFY(client.session.isClosing());
    QVERIFY(client.calls.isEmpty());
}

void ControlSessionTest::limitsOutgoingBytes()
{
    Client client;
    QVERIFY(!client.session.notify("before hello"));
    client.open();
    const QByteArray line(100'000, 'e');
    int sent = 0;
    while (client.session.notify(line))
        ++sent;
    QCOMPARE(sent, 41);
    QVERIFY(client.session.outgoing().size() <= ControlSession::maxOutgoing);
    QVERIFY(!client.session.isClosing());
    client.received();
    QVERIFY(client.session.notify(line));
}

void ControlSessionTest::refusesLateResponsesWhileOthersAreUnread()
{
    Client client;
    client.open();
    client.send(request(1, "agents.list") + request(2, "agents.wait"));
    client.session.answer(client.calls[0].id, QByteArray(ControlSession::maxOutgoing, ' '));
    client.session.answer(client.calls[1].id, "{}");
    QVERIFY(!client.session.isClosing());
    QVERIFY(client.session.isIdle());
    const QByteArray received = client.received();
    QVERIFY(received.contains("\"id\":1,\"result\""));
    QVERIFY(received.contains("\"id\":2,\"error\":{\"code\":-32006"));
    QVERIFY(received.contains("\"limit\":4194304"));
}

void ControlSessionTest::readsNoRequestsWhileResponsesAreUnread()
{
    Client client;
    client.open();
    client.send(request(1, "agents.list"));
    client.session.answer(client.calls[0].id, QByteArray(ControlSession::maxOutgoing, ' '));
    client.session.receive(request(2, "agents.list"));
    QVERIFY(client.session.hasLine());
    QVERIFY(!client.session.isReady());
    client.received();
    QVERIFY(client.session.isReady());
}

void ControlSessionTest::rejectsResultThatIsTooLarge()
{
    Client client;
    client.open();
    client.send(request(1, "agents.list"));
    client.session.answer(client.calls[0].id, QByteArray(ControlSession::maxResult + 1, ' '));
    QVERIFY(!client.session.isClosing());
    QVERIFY(client.received().contains("-32005"));
    QVERIFY(client.session.isIdle());
}

// Events may be queued before it.
void ControlSessionTest::sendsResultLargerThanTheLimitOfUnreadOutput()
{
    Client client;
    client.open();
    client.send(request(1, "agents.list"));
    QVERIFY(client.session.notify("event"));
    client.session.answer(client.calls[0].id, QByteArray(ControlSession::maxResult, ' '));
    QVERIFY(!client.session.isClosing());
    QVERIFY(client.received().size() > ControlSession::maxResult);
    QVERIFY(!client.session.isClosing());
}

void ControlSessionTest::saysBye()
{
    Client client;
    client.open();
    client.session.receive(request(1, "agents.list"));
    client.session.close(QLatin1String("stopping"));
    QCOMPARE(client.received(),
             makeNotification(QLatin1String("bye"), "{\"reason\":\"stopping\"}") + '\n');
    QVERIFY(client.session.isClosing());
    QVERIFY(!client.session.hasLine());
}

// One read of a client can have thousands of short lines.
void ControlSessionTest::splitsLinesOnlyWhenTheyAreRead()
{
    constexpr qsizetype count = 32'768;
    const QByteArray lines = QByteArrayLiteral("x\n").repeated(count);
    Client client;
    const std::size_t before = ::mallinfo2().uordblks;
    client.session.receive(lines);
    const std::size_t after = ::mallinfo2().uordblks;
    QVERIFY2(after < before + 256 * std::size_t{1024}, qPrintable(QString::number(after - before)));
    qsizetype read = 0;
    for (; client.session.hasLine(); ++read) {
        QVERIFY(!client.session.readLine());
        client.received();
    }
    QCOMPARE(read, count);
}

void ControlSessionTest::readsLinesThatArriveWhileOthersWait()
{
    Client client;
    client.open();
    const QByteArray lines =
        "\n" + request(1, "agents.list") + '\n' + request(2, "agents.list") + "\r\n\n";
    client.session.receive(lines.first(lines.size() / 2));
    client.session.receive(lines.sliced(lines.size() / 2));
    client.session.receive(request(3, "agents.list"));
    for (const char *id : {"1", "2", "3"}) {
        QVERIFY(client.session.hasLine());
        const std::optional<ControlCall> call = client.session.readLine();
        QVERIFY(call);
        QCOMPARE(call->id.json(), QByteArray(id));
    }
    QVERIFY(!client.session.hasLine());
}

REKINDLE_TEST(ControlSessionTest)
#include "controlsessiontest.moc"
