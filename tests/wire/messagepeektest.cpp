// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "properties.h"
#include "randomjson.h"
#include "testprogram.h"
#include "testrow.h"
#include "wire/lineframer_p.h"
#include "wire/messagepeek_p.h"

#include <algorithm>

using namespace Rekindle;
using Kind = MessagePeek::Kind;

class MessagePeekTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void detectsKind_data();
    void detectsKind();
    void locatesMembers();
    void readsAnyMessage();
    void readsEnds_data();
    void readsEnds();
};

void MessagePeekTest::detectsKind_data()
{
    const Rows<QByteArray, Kind, QByteArray, QByteArray> row("line", "kind", "id", "method");
    row(R"({"jsonrpc":"2.0","id":1,"method":"ping"})", Kind::Request, "1", "ping");
    row(R"({"method":"tools\/call","params":{},"jsonrpc":"2.0","id":"a\"b"})", Kind::Request,
        R"("a\"b")", "tools/call");
    row(R"( {"i\u0064" : 0 , "\u006Dethod":"m","jsonrpc" : "2.0"} )", Kind::Request, "0", "m");
    row(R"({"jsonrpc":"2.0","method":"n","extra":[{"id":3}]})", Kind::Notification, "", "n");
    row(R"({"result":{"id":5,"method":"x"},"jsonrpc":"2.0","id":"0"})", Kind::Result, "\"0\"", "");
    row(R"({"jsonrpc":"2.0","id":7,"result":null})", Kind::Result, "7", "");
    row(R"({"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":""}})", Kind::Error, "7", "");
    row(R"({"jsonrpc":"2.0","id":null,"error":{}})", Kind::Error, "", "");
    row(R"({"jsonrpc":"2.0","error":{}})", Kind::Error, "", "");
    row(R"([])", Kind::Batch, "", "");
    row(R"( [{"jsonrpc":"2.0","id":1,"method":"ping"}] )", Kind::Batch, "", "");

    for (const char *noise :
         {"", " ", "Server listening on port 3000", "{", "[info] started", "[1", "{foo}", "{}{}",
          R"({"jsonrpc":"2.0","id":1,"method":"ping"})"
          R"({"jsonrpc":"2.0"})",
          R"({"jsonrpc":"2.0","id":1,"method":"pi)",
          R"({"jsonrpc":"2.0","id":1,"method":"ping"} x)",
          R"({"jsonrpc":"2.0","id":1,"params":[}],"method":"ping"})",
          R"({"jsonrpc":"2.0","id":01,"method":"ping"})", "\xff\xfe", "\xef\xbb\xbf{}"})
        row(noise, Kind::NotJson, "", "");
    for (const char *other :
         {"5", "\"text\"", "null", "{}", R"({"level":30,"msg":"started"})",
          R"({"id":1,"method":"ping"})", R"({"jsonrpc":"1.0","id":1,"method":"ping"})",
          R"({"jsonrpc":2.0,"id":1,"method":"ping"})", R"({"jsonrpc":"2.0"})",
          R"({"jsonrpc":"2.0","id":1})", R"({"jsonrpc":"2.0","result":{}})",
          R"({"jsonrpc":"2.0","id":null,"result":{}})",
          R"({"jsonrpc":"2.0","id":1,"result":{},"error":{}})",
          R"({"jsonrpc":"2.0","id":1.5,"error":{}})", R"({"jsonrpc":"2.0","id":1,"error":"text"})"})
        row(other, Kind::NotMessage, nullptr, "");
    row(R"({"jsonrpc":"2.0","id":null,"method":"ping"})", Kind::NotMessage, "", "ping");
    row(R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})", Kind::NotMessage, "", "ping");
    row(R"({"jsonrpc":"2.0","id":[1],"method":"ping"})", Kind::NotMessage, "", "ping");
    row(R"({"jsonrpc":"2.0","id":1,"method":5})", Kind::NotMessage, "1", "");
    row(R"({"jsonrpc":"2.0","id":1,"method":"m","result":{}})", Kind::NotMessage, "1", "m");
    row(R"({"jsonrpc":"2.0","id":1,"id":2,"method":"ping"})", Kind::NotMessage, "", "");
    row(R"({"jsonrpc":"2.0","id":1,"\u0069d":2,"method":"ping"})", Kind::NotMessage, "", "");
    row("NUL", QByteArray(3, '\0'), Kind::NotJson, {}, {});
    row("invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"a\xc3\"}",
        Kind::Request, "\"\xff\"", "a\xc3");
    row("too deep",
        "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":" + QByteArray(100000, '[')
            + QByteArray(100000, ']') + "}",
        Kind::NotJson, {}, {});
}

void MessagePeekTest::detectsKind()
{
    QFETCH(QByteArray, line);
    QFETCH(Kind, kind);
    const MessagePeek peek = MessagePeek::at(line);
    QCOMPARE(peek.kind, kind);
    QCOMPARE(!peek.fault.isEmpty(), kind == Kind::NotJson || kind == Kind::NotMessage);
    // Unspecified for lines that are not messages
    QFETCH(QByteArray, id);
    if (!id.isNull()) {
        QCOMPARE(peek.id.json(), id);
        QTEST(peek.method, "method");
    }
}

void MessagePeekTest::locatesMembers()
{
    const QByteArray line(R"({"id" : 5, "params": {"a":[1, 2]} ,"method":"m","jsonrpc":"2.0"})");
    MessagePeek peek = MessagePeek::at(line);
    QCOMPARE(peek.idValue.of(line), QByteArrayView("5"));
    QCOMPARE(peek.params.of(line), QByteArrayView(R"({"a":[1, 2]})"));
    QVERIFY(!peek.result.isPresent());
    QVERIFY(!peek.error.isPresent());
    const QByteArray answer(R"({"jsonrpc":"2.0","id":5,"result": "text" })");
    peek = MessagePeek::at(answer);
    QCOMPARE(peek.result.of(answer), QByteArrayView("\"text\""));
}

// Members in any order and any notation, with other members between them
void MessagePeekTest::readsAnyMessage()
{
    verifyProperty("any message", 3000, [](const std::vector<std::uint8_t> &bytes) {
        using Json = RandomJson::Json;
        RandomJson random(bytes);
        std::vector<std::pair<std::string, Json>> members{{"jsonrpc", "2.0"}};
        Json id = random.chance(50) ? Json(random.text()) : Json(random.byte() - 100);
        const Kind kind = std::array{Kind::Request, Kind::Notification, Kind::Result,
                                     Kind::Error}[random.byte() % 4];
        if (kind != Kind::Notification)
            members.emplace_back("id", id);
        const bool isCall = kind == Kind::Request || kind == Kind::Notification;
        const std::string method = random.text();
        const Json body = kind == Kind::Error ? random.object() : random.value();
        if (isCall)
            members.emplace_back("method", method);
        const bool hasBody = !isCall || random.chance(80);
        if (hasBody)
            members.emplace_back(isCall                     ? "params"
                                     : kind == Kind::Result ? "result"
                                                            : "error",
                                 body);
        if (random.chance(30))
            members.emplace_back("x" + random.text(), random.value());
        for (std::size_t i = members.size(); i > 1; --i)
            std::swap(members[i - 1], members[random.byte() % i]);
        Json message = Json::object();
        for (const auto &[name, value] : members)
            message[name] = value;

        const QByteArray line = QByteArray::fromStdString(random.written(message));
        const MessagePeek peek = MessagePeek::at(line);
        RC_ASSERT(peek.kind == kind);
        const auto parsed = [&](JsonSpan span) {
            return Json::parse(span.of(line).toByteArray().toStdString());
        };
        RC_ASSERT(peek.id.isPresent() == (kind != Kind::Notification));
        if (peek.id.isPresent()) {
            RC_ASSERT(Json::parse(peek.id.json().toStdString()) == id);
            RC_ASSERT(parsed(peek.idValue) == id);
            RC_ASSERT((peek.id.type() == MessageId::Type::String) == id.is_string());
        }
        RC_ASSERT(peek.method.toStdString() == (isCall ? method : std::string()));
        RC_ASSERT(peek.params.isPresent() == (isCall && hasBody));
        RC_ASSERT(peek.result.isPresent() == (kind == Kind::Result));
        RC_ASSERT(peek.error.isPresent() == (kind == Kind::Error));
        for (const JsonSpan span : {peek.params, peek.result, peek.error}) {
            if (span.isPresent())
                RC_ASSERT(parsed(span) == body);
        }
    });
}

void MessagePeekTest::readsEnds_data()
{
    const Rows<QByteArray, QByteArray, Kind, QByteArray> row("first", "last", "kind", "id");
    row("id at the start", R"({"jsonrpc":"2.0","id":5,"result":{"text":"xxx)", "xxx", Kind::Result,
        "5");
    row("request", R"({"jsonrpc":"2.0","id":"a","method":"m","params":{"text":"xxx)", "xxx",
        Kind::Request, "\"a\"");
    row("error", R"({"jsonrpc":"2.0","id":5,"error":{"message":"xxx)", "xxx", Kind::Error, "5");
    row("id at the end", R"({"result":{"text":"xxx)", R"(xxx"},"jsonrpc":"2.0","id":-17} )",
        Kind::Result, "-17");
    row("string at the end", R"({"result":{"text":"xxx)", R"(xxx"} , "id" : "ab c" } )",
        Kind::Result, "\"ab c\"");
    row("method, id at the end", R"({"method":"m","params":{"text":"xxx)",
        R"(xxx"},"jsonrpc":"2.0","id":3})", Kind::Request, "3");
    row("id of an inner object", R"({"result":{"text":"xxx)", R"(xxx","id":3}})", Kind::NotMessage,
        "");
    row("id within a string", R"({"result":"xxx)", R"(xxx,\"id\":3})", Kind::NotMessage, "");
    row("id within a string that ends", R"({"result":"xxx)", R"(xxx,\"id\":3"})", Kind::NotMessage,
        "");
    row("key that ends so", R"({"result":"xxx)", R"(xxx","x\"id":3})", Kind::NotMessage, "");
    row("key that is longer", R"({"result":"xxx)", R"(xxx","xid":3})", Kind::NotMessage, "");
    row("escaped id", R"({"result":"xxx)", R"(xxx","id":"a\"b"})", Kind::NotMessage, "");
    row("no id", R"({"jsonrpc":"2.0","method":"n","params":{"text":"xxx)", R"(xxx"}})",
        Kind::NotMessage, "");
    row("no end", R"({"result":"xxx)", R"(xxx","id":3)", Kind::NotMessage, "");
    row("noise", "xxx", "xxx", Kind::NotMessage, "");
    row("nothing", "", "", Kind::NotMessage, "");
    row("only the tail's half", R"({"result":"xxx)", R"(:3})", Kind::NotMessage, "");
}

void MessagePeekTest::readsEnds()
{
    QFETCH(QByteArray, first);
    QFETCH(QByteArray, last);
    const MessagePeek peek = MessagePeek::atEnds(first, last);
    QTEST(peek.kind, "kind");
    QTEST(peek.id.json(), "id");
}

REKINDLE_TEST(MessagePeekTest)
#include "messagepeektest.moc"
