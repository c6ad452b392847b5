// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "testrow.h"
#include "wire/messagewriter_p.h"

using namespace Rekindle;

class MessageWriterTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void replacesOnlyId_data();
    void replacesOnlyId();
    void writesErrors();
    void writesOtherMessages();
};

void MessageWriterTest::replacesOnlyId_data()
{
    const Rows<QByteArray, QByteArray> row("line", "changed");
    row(R"({"jsonrpc":"2.0","id":1,"method":"ping"})",
        R"({"jsonrpc":"2.0","id":"new","method":"ping"})");
    row(R"( { "id" : "a\"b" , "jsonrpc":"2.0" ,"result":{"id":1} } )",
        R"( { "id" : "new" , "jsonrpc":"2.0" ,"result":{"id":1} } )");
    row(R"({"params":{"id":7},"method":"m","jsonrpc":"2.0","\u0069d":-12})",
        R"({"params":{"id":7},"method":"m","jsonrpc":"2.0","\u0069d":"new"})");
}

void MessageWriterTest::replacesOnlyId()
{
    QFETCH(QByteArray, line);
    QTEST(withId(line, MessagePeek::at(line), "\"new\""), "changed");
}

void MessageWriterTest::writesErrors()
{
    QCOMPARE(
        makeError("\"x\"", -32603, u"it \"died\"\n", R"({"signal":9})"),
        R"({"jsonrpc":"2.0","id":"x","error":{"code":-32603,"message":"it \"died\"\n","data":{"signal":9}}})");
    QCOMPARE(makeError({}, -32700, u"garbage"),
             R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"garbage"}})");
}

void MessageWriterTest::writesOtherMessages()
{
    QCOMPARE(makeResult("0", "{}"), R"({"jsonrpc":"2.0","id":0,"result":{}})");
    QCOMPARE(makeRequest("0", QLatin1String("ping")),
             R"({"jsonrpc":"2.0","id":0,"method":"ping"})");
    QCOMPARE(makeRequest("\"a\"", QLatin1String("tools/list"), R"({"cursor":"c"})"),
             R"({"jsonrpc":"2.0","id":"a","method":"tools/list","params":{"cursor":"c"}})");
    QCOMPARE(makeNotification(QLatin1String("notifications/initialized")),
             R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    QCOMPARE(makeNotification(QLatin1String("n"), R"({"a":1})"),
             R"({"jsonrpc":"2.0","method":"n","params":{"a":1}})");
}

REKINDLE_TEST(MessageWriterTest)
#include "messagewritertest.moc"
