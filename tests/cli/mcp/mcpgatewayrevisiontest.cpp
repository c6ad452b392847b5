// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewayfile.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;

namespace {

/// The parameters of a modern client; `members` and `meta` are JSON with a comma at the begin.
QByteArray modernParams(const QByteArray &members = {}, const QByteArray &meta = {})
{
    return R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{})"
        + meta + '}' + members + '}';
}

} // namespace

// rekindle mcp --config with clients and servers of different protocol revisions.
class McpGatewayRevisionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void servesModernServers();
    void forwardsLogMessages_data();
    void forwardsLogMessages();

private:
    [[nodiscard]] QStringList options(const char *revision) const
    {
        return words("--quiet", "--list-wait", "1m", "--store", "off", "--config",
                     gatewayFile(m_folder.path(), {one + words("--revision", revision)}));
    }

    QTemporaryDir m_folder;
};

// To a legacy client, and also after a crash.
void McpGatewayRevisionTest::servesModernServers()
{
    Editor editor(options("modern"));
    QVERIFY(editor.beginSession());
    const QStringList tools = toolNames(editor.ask("1", "tools/list"));
    QVERIFY(tools.contains(QStringLiteral("echo")));
    const qint64 first = pidOf(editor, "2");
    VERIFY_CONTAINS(errorOf(editor.use("3", "crash")), "SIGKILL");
    QCOMPARE(textOf(editor.use("4", "echo", R"({"message":"m"})")), QStringLiteral("m"));
    const qint64 second = pidOf(editor, "5");
    QVERIFY(first != 0 && second != 0 && second != first);
    (void)editor.use("6", "change", R"({"add":"more"})");
    QVERIFY(waitUntil([&] {
        (void)editor.take();
        return editor.notifications().contains(QStringLiteral("notifications/tools/list_changed"));
    }));
    QVERIFY(toolNames(editor.ask("7", "tools/list")).contains(QStringLiteral("more")));
    QCOMPARE(pidOf(editor, "8"), second);
}

void McpGatewayRevisionTest::forwardsLogMessages_data()
{
    const Rows<QString> row("revision");
    row("modern", "modern");
    row("legacy", "legacy");
}

// To a modern client that requests them.
void McpGatewayRevisionTest::forwardsLogMessages()
{
    QFETCH(QString, revision);
    Editor editor(options(qPrintable(revision)));
    QVERIFY(editor.begin());
    QVERIFY(toolNames(editor.ask("1", "tools/list", modernParams()))
                .contains(QStringLiteral("chatter")));
    const QByteArray call = R"(,"name":"chatter","arguments":{"count":2})";
    const QString message = QStringLiteral("notifications/message");
    QCOMPARE(textOf(editor.ask("2", "tools/call", modernParams(call))), QStringLiteral("said"));
    QVERIFY(!editor.notifications().contains(message));
    QCOMPARE(
        textOf(editor.ask("3", "tools/call",
                          modernParams(call, R"(,"io.modelcontextprotocol/logLevel":"info")"))),
        QStringLiteral("said"));
    QCOMPARE(editor.notifications().count(message), 2);
}

REKINDLE_TEST(McpGatewayRevisionTest)
#include "mcpgatewayrevisiontest.moc"
