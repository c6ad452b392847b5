// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcp/jsonrpc/mcpmembers_p.h"
#include "mcp/proxy/clientrequest_p.h"
#include "testprogram.h"

using namespace Rekindle;

class McpMembersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsMembersOfParams();
};

void McpMembersTest::readsMembersOfParams()
{
    const auto look = [](const QByteArray &line, auto function) {
        return function(line, MessagePeek::at(line));
    };
    const QByteArray call(
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"e\u0063ho","_meta":{"progressToken":"t"},"arguments":{"name":"x"}}})");
    QCOMPARE(look(call, ClientRequest::of).subject, QByteArray("echo"));
    QCOMPARE(look(call, ClientRequest::of).progressToken.json(), "\"t\"");
    QCOMPARE(look(call, progressTokenOf).json(), "\"t\"");
    QVERIFY(!look(call, isModern));
    QVERIFY(!look(call, protocolVersionOf));

    const QByteArray progress(
        R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1}})");
    QCOMPARE(look(progress, progressTokenOf).json(), "7");
    const QByteArray cancelled(
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"7"}})");
    QCOMPARE(look(cancelled, requestIdOf).json(), "\"7\"");
    const QByteArray initialize(
        R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})");
    QCOMPARE(look(initialize, protocolVersionOf), QByteArray("2025-11-25"));
    QVERIFY(!look(initialize, isModern));
    const QByteArray answer(
        R"({"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18"}})");
    QCOMPARE(look(answer, protocolVersionOf), QByteArray("2025-06-18"));
    const QByteArray modern(
        R"({"jsonrpc":"2.0","id":0,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})");
    QVERIFY(look(modern, isModern));
    QCOMPARE(look(modern, protocolVersionOf), QByteArray("2026-07-28"));

    // Missing members and members of the wrong type
    for (const char *params : {"null", "5", "[]", "{}", R"({"name":5,"requestId":1.5,"_meta":[]})",
                               R"({"_meta":{"progressToken":null}})"}) {
        const QByteArray line =
            R"({"jsonrpc":"2.0","id":1,"method":"m","params":)" + QByteArray(params) + '}';
        QVERIFY(!look(line, ClientRequest::of).progressToken.isPresent());
        QVERIFY(!look(line, progressTokenOf).isPresent());
        QVERIFY(!look(line, requestIdOf).isPresent());
        QVERIFY(!look(line, protocolVersionOf));
    }
}

REKINDLE_TEST(McpMembersTest)
#include "mcpmemberstest.moc"
