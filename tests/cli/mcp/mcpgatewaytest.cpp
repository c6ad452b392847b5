// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewayfile.h"
#include "testprogram.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>

using namespace Rekindle;

// rekindle mcp --config with real servers.
class McpGatewayTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void servesManyAsOne();
    void answersForKilledServer();
    void slowServersDoNotDelayOthers();
    void blockedServerDoesNotDelayOthers();
    void restartsByTool();
    void recordsHistory();
    void answersEveryCallOnce();
    void forwardsRequestsOfServers();
    void forwardsLargeResponses();
    void stopsWhenTheEditorExits();
    void leavesNoOrphansWhenKilled();
    void stopsOnSigterm();
    void reportsFaultsOfFile();
    void rejectsUsage();

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
    QVERIFY(editor.begin());
    QVERIFY(editor.openSession());
    const QStringList tools = toolNames(editor.ask("1", "tools/list"));
    for (const char *name : {"echo", "two__echo", "only_two", "restart_server"})
        QVERIFY2(tools.contains(QString::fromLatin1(name)), name);
    QVERIFY(!tools.contains(QStringLiteral("one__echo")));
    const qint64 first = pidOf(editor, "2");
    const qint64 second = pidOf(editor, "3", "two__state");
    QVERIFY(first != 0 && second != 0 && first != second);
    // Ids of both kinds that look alike.
    editor.call("4", "sleep", R"({"ms":100})");
    editor.call("\"4\"", "two__echo", R"({"message":"text"})");
    QCOMPARE(textOf(editor.answer("\"4\"")), QStringLiteral("text"));
    QVERIFY(!textOf(editor.answer("4")).isEmpty());
    const QJsonObject prompts = editor.ask("5", "prompts/list");
    QCOMPARE(prompts[QLatin1String("result")][QLatin1String("prompts")].toArray().size(), 2);
}

void McpGatewayTest::answersForKilledServer()
{
    // Long enough to be seen dead.
    Editor editor(options({one + words("--err", "last words"), two},
                          R"(, "policy": {"type": "linear", "initialDelay": "4s"})"));
    QVERIFY(editor.begin());
    QVERIFY(editor.openSession());
    const QStringList tools = toolNames(editor.ask("1", "tools/list"));
    const qint64 first = pidOf(editor, "2");
    QString why = errorOf(editor.use("3", "crash", R"({"signal":11})"));
    QVERIFY2(why.contains(QStringLiteral("SIGSEGV")), qPrintable(why));
    // Until it is back: at once, and why. The other one is there all the time.
    why = errorOf(editor.use("4", "echo", R"({"message":"m"})"));
    QVERIFY2(why.startsWith(QStringLiteral("one: ")), qPrintable(why));
    for (const char *part : {"SIGSEGV", "last words", "it restarts in"})
        QVERIFY2(why.contains(QString::fromLatin1(part)), qPrintable(why));
    QCOMPARE(textOf(editor.use("5", "two__echo", R"({"message":"m"})")), QStringLiteral("m"));
    QCOMPARE(toolNames(editor.ask("6", "tools/list")), tools);

    int id = 100;
    QVERIFY(QTest::qWaitFor(
        [&] {
            return !textOf(editor.use(QByteArray::number(++id), "echo", R"({"message":"m"})"))
                        .isEmpty();
        },
        30000));
    const qint64 second = pidOf(editor, "7");
    QVERIFY(second != 0 && second != first);
    QCOMPARE(toolNames(editor.ask("8", "tools/list")), tools);
}

void McpGatewayTest::slowServersDoNotDelayOthers()
{
    const QByteArray text =
        R"( {"mcpServers":{"silent":{"command":"SERVER","args":["--silent","initialize"]},
             "missing":{"command":"/nowhere/server"},"dead":{"command":"/bin/false"},
             "good":{"command":"SERVER"}}} )";
    const QString path = writeFile(m_folder.path(), QStringLiteral("mcp.json"),
                                   QByteArray(text).replace("SERVER", REKINDLE_MCPSERVER));
    Editor editor(words("--quiet", "--list-wait", "100ms", "--config", path));
    QVERIFY(editor.begin());
    QVERIFY(editor.openSession());
    // Without a limit on the time: it may not be up within that wait where the machine is busy.
    int id = 0;
    QVERIFY(QTest::qWaitFor(
        [&] {
            return toolNames(editor.ask(QByteArray::number(++id), "tools/list"))
                .contains(QStringLiteral("echo"));
        },
        30000));
    QCOMPARE(textOf(editor.use("\"a\"", "echo", R"({"message":"m"})")), QStringLiteral("m"));
    const QString why = errorOf(editor.use("\"b\"", "nope"));
    for (const char *part : {"silent", "missing", "/nowhere/server"})
        QVERIFY2(why.contains(QString::fromLatin1(part)), qPrintable(why));
}

void McpGatewayTest::blockedServerDoesNotDelayOthers()
{
    Editor editor(options({one, two}));
    QVERIFY(editor.begin());
    QVERIFY(editor.openSession());
    (void)editor.ask("1", "tools/list");
    const qint64 first = pidOf(editor, "2");
    ::kill(static_cast<pid_t>(first), SIGSTOP);
    const QByteArray large = R"({"message":")" + QByteArray(100000, 'x') + R"("})";
    for (int i = 0; i < 50; ++i) // far more than its pipe holds
        editor.call("\"big" + QByteArray::number(i) + '"', "echo", large);
    QCOMPARE(textOf(editor.use("3", "two__echo", R"({"message":"m"})")), QStringLiteral("m"));
    ::kill(static_cast<pid_t>(first), SIGCONT);
    for (int i = 0; i < 50; ++i)
        QCOMPARE(textOf(editor.answer("\"big" + QByteArray::number(i) + '"')).size(), 100000);
}

void McpGatewayTest::restartsByTool()
{
    Editor editor(options({one, two}));
    QVERIFY(editor.begin());
    QVERIFY(editor.openSession());
    (void)editor.ask("1", "tools/list");
    const qint64 first = pidOf(editor, "2");
    const qint64 other = pidOf(editor, "3", "two__state");
    QVERIFY(textOf(editor.use("4", "restart_server", R"({"server":"one","reason":"new code"})"))
                .contains(QStringLiteral("scheduled")));
    // It is waited for, not refused.
    QCOMPARE(textOf(editor.use("5", "echo", R"({"message":"held"})")), QStringLiteral("held"));
    QVERIFY(pidOf(editor, "6") != first);
    QCOMPARE(pidOf(editor, "7", "two__state"), other);
    const QByteArray since = R"(,"since_timestamp":"2020-01-01T00:00:00Z"})";
    QVERIFY(textOf(editor.use("8", "verify_server_restarted", R"({"server":"one")" + since))
                .contains(QStringLiteral("new code")));
    QVERIFY(textOf(editor.use("9", "verify_server_restarted", R"({"server":"two")" + since))
                .contains(QStringLiteral("not been restarted")));
}

void McpGatewayTest::recordsHistory()
{
    const QString store = m_folder.filePath(QStringLiteral("gateway.sqlite"));
    Editor editor(options({one, two}) + words("--store", store));
    QVERIFY(editor.begin());
    QVERIFY(editor.openSession());
    (void)editor.ask("1", "tools/list");
    (void)editor.use("2", "two__crash", R"({"signal":11})");
    int id = 100;
    QVERIFY(QTest::qWaitFor(
        [&] { return pidOf(editor, QByteArray::number(++id), "two__state") != 0; }, 60000));
    editor.closeWriteChannel();
    QCOMPARE(editor.end(), 0);
    CommandRun read(words("explain", "two", "--store", store));
    QCOMPARE(read.complete(), 0);
    QVERIFY2(read.output().contains("SIGSEGV"), read.output().constData());
}

void McpGatewayTest::answersEveryCallOnce()
{
    // At once, or the calls would wait in vain most of the time.
    Editor editor(options({one, two}, ", \"policy\": \"mcp-proxy\""));
    QVERIFY(editor.begin());
    QVERIFY(editor.openSession());
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

void McpGatewayTest::forwardsRequestsOfServers()
{
    Editor editor(options({one, two}));
    QVERIFY(editor.begin());
    QVERIFY(editor.openSession());
    (void)editor.ask("1", "tools/list");
    // Both with the same id; each is to get its own answer.
    editor.call("2", "ask", R"({"method":"roots/list","id":1})");
    QVERIFY(QTest::qWaitFor([&] { return editor.take(), editor.requestIds().size() == 1; }, 30000));
    editor.call("3", "two__ask", R"({"method":"roots/list","id":1})");
    QVERIFY(QTest::qWaitFor([&] { return editor.take(), editor.requestIds().size() == 2; }, 30000));
    const QByteArray first = editor.requestIds().at(0);
    const QByteArray second = editor.requestIds().at(1);
    QVERIFY(first != second);
    const auto reply = [&](const QByteArray &id, const char *name) {
        editor.send(R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{"roots":[{"uri":"file:///)"
                    + name + R"("}]}})");
    };
    reply(second, "of-two");
    reply(first, "of-one");
    QVERIFY(textOf(editor.answer("2")).contains(QStringLiteral("of-one")));
    QVERIFY(textOf(editor.answer("3")).contains(QStringLiteral("of-two")));
}

void McpGatewayTest::forwardsLargeResponses()
{
    Editor editor(options({one, two}));
    QVERIFY(editor.begin());
    QVERIFY(editor.openSession());
    (void)editor.ask("1", "tools/list");
    editor.call("2", "big", R"({"bytes":5000000})");
    editor.call("3", "two__big", R"({"bytes":5000000})");
    QCOMPARE(textOf(editor.answer("2")).size(), 5000000);
    QCOMPARE(textOf(editor.answer("3")).size(), 5000000);
}

void McpGatewayTest::stopsWhenTheEditorExits()
{
    Editor editor(options({one, two + words("--ignore-eof", "--ignore-term")}));
    QVERIFY(editor.begin());
    QVERIFY(editor.openSession());
    (void)editor.ask("1", "tools/list");
    const qint64 first = pidOf(editor, "2");
    const qint64 stubborn = pidOf(editor, "3", "two__state");
    editor.closeWriteChannel();
    QCOMPARE(editor.end(), 0);
    QVERIFY(waitUntilGone(first));
    QVERIFY(waitUntilGone(stubborn));
}

void McpGatewayTest::leavesNoOrphansWhenKilled()
{
    Editor editor(options({one + words("--ignore-eof", "--ignore-term"), two}));
    QVERIFY(editor.begin());
    QVERIFY(editor.openSession());
    (void)editor.ask("1", "tools/list");
    const qint64 first = pidOf(editor, "2");
    const qint64 second = pidOf(editor, "3", "two__state");
    editor.signal(SIGKILL);
    QVERIFY(editor.waitForFinished(30000));
    QVERIFY(waitUntilGone(first));
    QVERIFY(waitUntilGone(second));
}

void McpGatewayTest::stopsOnSigterm()
{
    Editor editor(options({one, two}));
    QVERIFY(editor.begin());
    QVERIFY(editor.openSession());
    (void)editor.ask("1", "tools/list");
    const qint64 first = pidOf(editor, "2");
    editor.call("3", "silent");
    QVERIFY(!editor.ask("4", "ping").isEmpty());
    editor.signal(SIGTERM);
    QCOMPARE(editor.end(), 0);
    QVERIFY(waitUntilGone(first));
    QVERIFY(!errorOf(editor.answer("3")).isEmpty());
}

void McpGatewayTest::reportsFaultsOfFile()
{
    const QString path =
        writeFile(m_folder.path(), QStringLiteral("bad.json"),
                  "{ // bad\n\"mcpServers\": { \"a\": {\"command\": \"\"},\n"
                  "\"b\": {\"command\": \"/bin/cat\", \"args\": [\"${input:x}\"]}, } }\n");
    CommandRun run(words("mcp", "--config", path));
    QCOMPARE(run.complete(), 78);
    const QByteArray error = run.error();
    QVERIFY2(error.contains((path + QStringLiteral(":2:34: /mcpServers/a/command: ")).toUtf8()),
             error.constData());
    QVERIFY2(error.contains((path + QStringLiteral(":3:39: /mcpServers/b/args/0: ")).toUtf8()),
             error.constData());
}

void McpGatewayTest::rejectsUsage()
{
    const QString path = gatewayFile(m_folder.path(), {one});
    for (const QStringList &arguments :
         {words("mcp", "--config", path, "--", "server"),
          words("mcp", "--config", path, "--marker", "m"),
          words("mcp", "--list-wait", "1s", "--", "server"), words("mcp", "--config")}) {
        CommandRun run(arguments);
        QCOMPARE(run.complete(), 64);
    }
    CommandRun missing(words("mcp", "--config", m_folder.filePath(QStringLiteral("none"))));
    QCOMPARE(missing.complete(), 78);
}

REKINDLE_TEST(McpGatewayTest)
#include "mcpgatewaytest.moc"
