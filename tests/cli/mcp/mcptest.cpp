// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewayfile.h"
#include "testprogram.h"
#include "testrow.h"

#include <csignal>

using namespace Rekindle;

class McpTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sessionSurvivesACrash();
    void restartsByTool();
    void exitCode42RequestsRestart();
    void ignoresMarkerOfOtherServer();
    void noInjectAddsNoTools();
    void reportsMissingServer();
    void forwardsStderr();
    void forwardsLargeMessages();
    void forwardsManyMessages();
    void leavesNoServerBehind_data();
    void leavesNoServerBehind();
    void servesWholeSessionFromPipe();

private:
    [[nodiscard]] QStringList options() const { return words("--quiet", "--marker", marker()); }
    [[nodiscard]] QString marker() const { return file(QTest::currentTestFunction()); }
    [[nodiscard]] QString file(const char *name) const
    {
        return m_folder.filePath(QString::fromUtf8(name));
    }

    QTemporaryDir m_folder;
};

void McpTest::sessionSurvivesACrash()
{
    Editor editor(options(), words(REKINDLE_MCPSERVER, "--err", "last words"));
    QVERIFY(editor.beginSession());
    QVERIFY(toolNames(editor.ask("1", "tools/list")).contains(QStringLiteral("lookup")));
    const qint64 first = editor.serverPid();
    editor.call("2", "crash", R"({"signal":11})");
    const QString why = errorOf(editor.answer("2"));
    VERIFY_CONTAINS(why, "SIGSEGV");
    VERIFY_CONTAINS(why, "last words");
    QCOMPARE(textOf(editor.use("\"2\"", "echo", R"({"message":"again"})")),
             QStringLiteral("again"));
    QVERIFY(editor.waitForServer(first) != 0);
    QCOMPARE(editor.answers().size(), 4);
}

void McpTest::restartsByTool()
{
    Editor editor(options(), words(REKINDLE_MCPSERVER));
    QVERIFY(editor.beginSession());
    const QStringList tools = toolNames(editor.ask("1", "tools/list"));
    QVERIFY(tools.endsWith(QStringLiteral("verify_server_restarted")));
    const qint64 first = editor.serverPid();
    const QByteArray since = R"({"since_timestamp":"2020-01-01T00:00:00+00:00"})";
    QVERIFY(textOf(editor.use("2", "verify_server_restarted", since))
                .startsWith(QStringLiteral("\u274C No restart marker")));

    const QString scheduled = textOf(editor.use("3", "restart_server", R"({"reason":"new code"})"));
    VERIFY_CONTAINS(scheduled, "new code");
    QCOMPARE(textOf(editor.use("4", "echo", R"({"message":"held"})")), QStringLiteral("held"));
    const qint64 second = editor.serverPid();
    QVERIFY(second != 0 && second != first);

    const QJsonObject verified = editor.use("5", "verify_server_restarted", since);
    QVERIFY2(textOf(verified).startsWith(QStringLiteral("\u2705 Server restart verified")),
             qPrintable(textOf(verified)));
    const QJsonValue facts = verified[QLatin1String("result")][QLatin1String("structuredContent")];
    QCOMPARE(facts[QLatin1String("previous_pid")].toInteger(), first);
    QCOMPARE(facts[QLatin1String("current_pid")].toInteger(), second);
    QVERIFY(facts[QLatin1String("handshake_done")].toBool());
    QVERIFY(waitUntil([&] { return readFile(marker()).contains("\"new code\""); }));
    QVERIFY(readFile(marker()).contains("42"));

    const QJsonObject future =
        editor.use("6", "verify_server_restarted", R"({"since_timestamp":"2999-01-01T00:00:00Z"})");
    QVERIFY(textOf(future).startsWith(QStringLiteral("\u274C No recent restart")));
    QVERIFY(future[QLatin1String("result")][QLatin1String("isError")].toBool());
}

void McpTest::exitCode42RequestsRestart()
{
    Editor editor(options(), words(REKINDLE_MCPSERVER));
    QVERIFY(editor.beginSession());
    const qint64 first = editor.serverPid();
    QCOMPARE(textOf(editor.use("1", "exit42")), QStringLiteral("restarting"));
    QCOMPARE(textOf(editor.use("2", "echo", R"({"message":"new"})")), QStringLiteral("new"));
    QVERIFY(editor.serverPid() != first);
    QVERIFY(waitUntil([&] { return readFile(marker()).contains("exit 42"); }));

    // The server writes its own reason into this file.
    (void)editor.use("3", "exit42",
                     R"({"marker":")" + marker().toUtf8() + R"(","reason":"I was updated"})");
    QCOMPARE(textOf(editor.use("4", "echo", R"({"message":"m"})")), QStringLiteral("m"));
    QVERIFY(waitUntil([&] {
        const QByteArray written = readFile(marker());
        return written.contains("exit 42") && written.contains("\"I was updated\"");
    }));
}

// Two servers in one project use the same file.
void McpTest::ignoresMarkerOfOtherServer()
{
    const auto write = [this](const char *timestamp, const char *method) {
        QFile file(marker());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(R"({"timestamp":")") + timestamp
                   + R"(","reason":"theirs","exit_code":42,"method":")" + method + "\"}");
    };
    const char since[] = R"({"since_timestamp":"2020-01-01T00:00:00Z"})";
    Editor editor(options(), words(REKINDLE_MCPSERVER));
    QVERIFY(editor.beginSession());
    write("2099-01-01T00:00:00Z", "watch");
    const QString verified = textOf(editor.use("1", "verify_server_restarted", since));
    QVERIFY2(verified.startsWith(QStringLiteral("\u274C No restart of this server")),
             qPrintable(verified));
    write("2021-01-01T00:00:00Z", "watch"); // older than this proxy, so it may be of this server
    QVERIFY(textOf(editor.use("2", "verify_server_restarted", since))
                .startsWith(QStringLiteral("\u2705 Server restart verified")));
    write("2099-01-01T00:00:00Z", "watch");
    QCOMPARE(textOf(editor.use("3", "exit42")), QStringLiteral("restarting"));
    QCOMPARE(textOf(editor.use("4", "echo", R"({"message":"m"})")), QStringLiteral("m"));
    const QString own = textOf(editor.use("5", "verify_server_restarted", since));
    QVERIFY2(!own.contains(QStringLiteral("theirs")), qPrintable(own));

    // One server after the other.
    QFile::remove(marker());
    {
        Editor before(options(), words(REKINDLE_MCPSERVER));
        QVERIFY(before.beginSession());
        (void)before.use("1", "restart_server", R"({"reason":"of the first"})");
        QVERIFY(waitUntil([&] { return readFile(marker()).contains("of the first"); }));
        QCOMPARE(before.endInput(), 0);
    }
    for (const bool isSame : {true, false}) {
        Editor after(options(),
                     words(REKINDLE_MCPSERVER) + (isSame ? QStringList() : words("--noise")));
        QVERIFY(after.beginSession());
        const QString text = textOf(after.use("1", "verify_server_restarted", since));
        QVERIFY2(text.startsWith(isSame ? QStringLiteral("\u2705 Server restart verified")
                                        : QStringLiteral("\u274C No restart of this server")),
                 qPrintable(text));
    }
}

void McpTest::noInjectAddsNoTools()
{
    Editor editor(options() + words("--no-inject"), words(REKINDLE_MCPSERVER));
    QVERIFY(editor.beginSession());
    QVERIFY(!toolNames(editor.ask("1", "tools/list")).contains(QStringLiteral("restart_server")));
    QVERIFY(!textOf(editor.use("2", "restart_server", R"({"reason":"r"})"))
                 .contains(QStringLiteral("scheduled")));
}

// The editor gets an error response.
void McpTest::reportsMissingServer()
{
    Editor editor(options(), words("/nowhere/server"));
    QVERIFY(editor.begin());
    const QString why = errorOf(editor.ask("1", "initialize", "{}"));
    QCOMPARE(why,
             QStringLiteral("The MCP server is not running: Program /nowhere/server was not "
                            "found"));
    QVERIFY(!errorOf(editor.ask("2", "tools/list")).isEmpty());
    QCOMPARE(editor.state(), QProcess::Running);
    QCOMPARE(editor.endInput(), 0);
}

void McpTest::forwardsStderr()
{
    Editor editor(options(), words(REKINDLE_MCPSERVER, "--err", "I speak"));
    QVERIFY(editor.begin());
    QVERIFY(editor.waitForError("I speak\n"));
}

void McpTest::forwardsLargeMessages()
{
    Editor editor(options(), words(REKINDLE_MCPSERVER));
    QVERIFY(editor.beginSession());
    const QByteArray text(4 * 1024 * 1024, 'y');
    for (const char *id : {"1", "2", "3"}) {
        QCOMPARE(textOf(editor.use(id, "echo", R"({"message":")" + text + R"("})")).size(),
                 text.size());
    }
    QCOMPARE(textOf(editor.use("4", "big", R"({"bytes":8000000})")).size(), 8000000);
}

// More messages than fit into pipes and buffers.
void McpTest::forwardsManyMessages()
{
    Editor editor(options(), words(REKINDLE_MCPSERVER));
    QVERIFY(editor.beginSession());
    editor.call("1", "chatter", R"({"count":50000})");
    QVERIFY(!textOf(editor.answer("1")).isEmpty());
    QCOMPARE(editor.notifications().count(QStringLiteral("notifications/message")), 50000);
}

void McpTest::leavesNoServerBehind_data()
{
    const Rows<QStringList, int> row("server", "signal");
    const QStringList willing = words(REKINDLE_MCPSERVER);
    const QStringList unwilling = willing + words("--ignore-eof", "--ignore-term");
    row("the editor exits", willing, 0);
    row("the editor exits, the server does not", unwilling, 0);
    row("stopped", willing, SIGTERM);
    row("killed", unwilling, SIGKILL);
}

void McpTest::leavesNoServerBehind()
{
    QFETCH(QStringList, server);
    QFETCH(int, signal);
    Editor editor(options(), server);
    QVERIFY(editor.beginSession());
    const qint64 process = editor.serverPid();
    QCOMPARE(signal == 0 ? editor.endInput() : editor.endBy(signal), signal == SIGKILL ? -1 : 0);
    QVERIFY(waitUntilGone(process));
}

// printf '...' | rekindle mcp -- server
void McpTest::servesWholeSessionFromPipe()
{
    Editor editor(options(), words(REKINDLE_MCPSERVER));
    QVERIFY(editor.begin());
    editor.request(
        "0", "initialize",
        R"({"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"p","version":"1"}})");
    editor.send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    editor.call("1", "echo", R"({"message":"piped"})");
    // More than fits into pipes and buffers. When the server has read the end of its stdin, it has
    // 2 s for the rest of the responses, so the last one must not take long.
    const QByteArray block(64 * 1024, 'b');
    constexpr int last = 64;
    for (int id = 2; id <= last; ++id)
        editor.call(QByteArray::number(id), "echo", R"({"message":")" + block + R"("})");
    editor.closeWriteChannel();
    QCOMPARE(textOf(editor.answer("1")), QStringLiteral("piped"));
    for (int id = 2; id <= last; ++id)
        QCOMPARE(textOf(editor.answer(QByteArray::number(id))).size(), block.size());
    QCOMPARE(editor.end(), 0);
}

REKINDLE_TEST(McpTest)
#include "mcptest.moc"
