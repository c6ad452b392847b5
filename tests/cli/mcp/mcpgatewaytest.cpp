// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewayfile.h"
#include "testprogram.h"

#include <csignal>

using namespace Rekindle;

// rekindle mcp --config with real servers.
class McpGatewayTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void servesManyAsOne();
    void blockedServerDoesNotDelayOthers();
    void restartsByTool();
    void refusesRestartDuringEventOfTheServer();
    void answersEveryCallOnce();
    void stopsWhenTheEditorExits();
    void stopsOnSigterm();
    void servesItsOwnFileOnce();

private:
    [[nodiscard]] QStringList options(const QList<QStringList> &servers,
                                      const QByteArray &own = {}) const
    {
        return words("--quiet", "--config", gatewayFile(m_folder.path(), servers, own));
    }

    QTemporaryDir m_folder;
};

void McpGatewayTest::servesManyAsOne()
{
    Editor editor(options({one, two + words("--page-size", "2", "--with", "only_two")}));
    QVERIFY(editor.beginSession());
    const QStringList tools = toolNames(editor.ask("1", "tools/list"));
    for (const char *name : {"echo", "two__echo", "only_two", "restart_server"})
        QVERIFY2(tools.contains(QString::fromLatin1(name)), name);
    QVERIFY(!tools.contains(QStringLiteral("one__echo")));
    const qint64 first = pidOf(editor, "2");
    const qint64 second = pidOf(editor, "3", "two__state");
    QVERIFY(first != 0 && second != 0 && first != second);
    // A number and a text with the same digits as ids.
    editor.call("4", "sleep", R"({"ms":100})");
    editor.call("\"4\"", "two__echo", R"({"message":"text"})");
    QCOMPARE(textOf(editor.answer("\"4\"")), QStringLiteral("text"));
    QVERIFY(!textOf(editor.answer("4")).isEmpty());
    const QJsonObject prompts = editor.ask("5", "prompts/list");
    QCOMPARE(prompts[QLatin1String("result")][QLatin1String("prompts")].toArray().size(), 2);
}

void McpGatewayTest::blockedServerDoesNotDelayOthers()
{
    Editor editor(options({one, two}));
    QVERIFY(editor.beginSession());
    (void)editor.ask("1", "tools/list");
    const qint64 first = pidOf(editor, "2");
    ::kill(static_cast<pid_t>(first), SIGSTOP);
    const QByteArray large = R"({"message":")" + QByteArray(100000, 'x') + R"("})";
    for (int i = 0; i < 50; ++i) // far more than fits into its pipe
        editor.call("\"big" + QByteArray::number(i) + '"', "echo", large);
    QCOMPARE(textOf(editor.use("3", "two__echo", R"({"message":"m"})")), QStringLiteral("m"));
    ::kill(static_cast<pid_t>(first), SIGCONT);
    for (int i = 0; i < 50; ++i)
        QCOMPARE(textOf(editor.answer("\"big" + QByteArray::number(i) + '"')).size(), 100000);
}

void McpGatewayTest::restartsByTool()
{
    Editor editor(options({one, two}));
    QVERIFY(editor.beginSession());
    (void)editor.ask("1", "tools/list");
    const qint64 first = pidOf(editor, "2");
    const qint64 other = pidOf(editor, "3", "two__state");
    QVERIFY(textOf(editor.use("4", "restart_server", R"({"server":"one","reason":"new code"})"))
                .contains(QStringLiteral("scheduled")));
    // The call waits for the new server.
    QCOMPARE(textOf(editor.use("5", "echo", R"({"message":"held"})")), QStringLiteral("held"));
    QVERIFY(pidOf(editor, "6") != first);
    QCOMPARE(pidOf(editor, "7", "two__state"), other);
    const QByteArray since = R"(,"since_timestamp":"2020-01-01T00:00:00Z"})";
    QVERIFY(textOf(editor.use("8", "verify_server_restarted", R"({"server":"one")" + since))
                .contains(QStringLiteral("new code")));
    QVERIFY(textOf(editor.use("9", "verify_server_restarted", R"({"server":"two")" + since))
                .contains(QStringLiteral("not been restarted")));
}

// The call waits for the tools of the server and is handled when they arrive. The server has used
// up its restarts by then.
void McpGatewayTest::refusesRestartDuringEventOfTheServer()
{
    const QString starts = m_folder.filePath(QStringLiteral("restarting"));
    Editor editor(
        options({one + words("--starts", starts, "--until", "10", "--exit-in-handshake", "42")})
        + words("--list-wait", "1m"));
    QVERIFY(editor.beginSession());
    const QString answer =
        textOf(editor.use("1", "restart_server", R"({"server":"one","reason":"a test"})"));
    VERIFY_CONTAINS(answer, "refused");
    QCOMPARE(readFile(starts).count('\n'), 11);
}

void McpGatewayTest::answersEveryCallOnce()
{
    // Immediate restarts, otherwise most calls would fail.
    Editor editor(options({one, two}, ", \"policy\": \"mcp-proxy\""));
    QVERIFY(editor.beginSession());
    (void)editor.ask("\"list\"", "tools/list");
    constexpr int rounds = 20;
    int id = 0;
    for (int round = 0; round < rounds; ++round) {
        for (const char *tool : {"lookup", "echo", "two__lookup", "two__echo"})
            editor.call(QByteArray::number(++id), tool, R"({"message":"m"})");
        if (round % 4 == 0)
            editor.call(QByteArray::number(++id), round % 8 == 0 ? "crash" : "two__crash");
    }
    for (int i = 1; i <= id; ++i)
        QVERIFY2(!editor.answer(QByteArray::number(i)).isEmpty(), qPrintable(QString::number(i)));
    (void)editor.ask("\"last\"", "ping");
    for (int i = 1; i <= id; ++i)
        QCOMPARE(editor.answers()[QByteArray::number(i)].size(), 1);
}

void McpGatewayTest::stopsWhenTheEditorExits()
{
    Editor editor(options({one, two + words("--ignore-eof", "--ignore-term")}));
    QVERIFY(editor.beginSession());
    (void)editor.ask("1", "tools/list");
    const qint64 first = pidOf(editor, "2");
    const qint64 stubborn = pidOf(editor, "3", "two__state");
    QCOMPARE(editor.endInput(), 0);
    QVERIFY(waitUntilGone(first));
    QVERIFY(waitUntilGone(stubborn));
}

void McpGatewayTest::stopsOnSigterm()
{
    Editor editor(options({one, two}));
    QVERIFY(editor.beginSession());
    (void)editor.ask("1", "tools/list");
    const qint64 first = pidOf(editor, "2");
    editor.call("3", "silent");
    QVERIFY(!editor.ask("4", "ping").isEmpty());
    QCOMPARE(editor.endBy(SIGTERM), 0);
    QVERIFY(waitUntilGone(first));
    QVERIFY(!errorOf(editor.answer("3")).isEmpty());
}

// One entry names the file, and a shell starts rekindle with it.
void McpGatewayTest::servesItsOwnFileOnce()
{
    const QString starts = m_folder.filePath(QStringLiteral("once"));
    const QString path = m_folder.filePath(QStringLiteral("mcp.json"));
    const QByteArray text =
        R"( {"mcpServers":{"self":{"command":"REKINDLE","args":["mcp","--config","FILE"]},
             "shell":{"command":"/bin/sh","args":["-c","exec 'REKINDLE' mcp --config 'FILE'"]},
             "good":{"command":"SERVER","args":["--starts","STARTS"]}}} )";
    QCOMPARE(writeFile(m_folder.path(), QStringLiteral("mcp.json"),
                       QByteArray(text)
                           .replace("REKINDLE", REKINDLE_COMMAND)
                           .replace("FILE", path.toUtf8())
                           .replace("SERVER", REKINDLE_MCPSERVER)
                           .replace("STARTS", starts.toUtf8())),
             path);
    Editor editor(words("--list-wait", "1m", "--config", path));
    QVERIFY(editor.beginSession());
    QVERIFY(toolNames(editor.ask("1", "tools/list")).contains(QStringLiteral("echo")));
    QCOMPARE(readFile(starts).count('\n'), 1);
    QCOMPARE(editor.endInput(), 0);
    VERIFY_CONTAINS(editor.error(), "/mcpServers/self/args: warning: skipped: ");
    VERIFY_CONTAINS(editor.error(), "[shell] ");
}

REKINDLE_TEST(McpGatewayTest)
#include "mcpgatewaytest.moc"
