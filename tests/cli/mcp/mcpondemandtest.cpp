// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewayfile.h"
#include "testprogram.h"

#include <QTemporaryDir>
#include <QtTest>

#include <csignal>

using namespace Rekindle;

// rekindle mcp --config: servers with restartOnExit, which run only when somebody needs them.
class McpOnDemandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void startsOnDemand();
    void reportsServerThatCannotStart();
    void waitsForRetriedStart();
    void givesUpServerThatExitsOnList();
    void restartsByTool();

private:
    [[nodiscard]] QStringList options(const QList<QStringList> &servers,
                                      const QByteArray &own = {}) const
    {
        return words("--quiet", "--config", gatewayFile(m_folder.path(), servers, own));
    }

    QTemporaryDir m_folder;
};

// Started by the first that needs it, and after its death by the next: nothing of it runs in
// between. A call that only reads survives the death of its server, once.
void McpOnDemandTest::startsOnDemand()
{
    const QString starts = m_folder.filePath(QStringLiteral("starts"));
    const auto startCount = [&] { return readFile(starts).count('\n'); };
    Editor editor(options({one + words("--starts", starts)}, R"(, "restartOnExit": true)"));
    QVERIFY(editor.begin());
    QVERIFY(editor.openSession());
    QCOMPARE(startCount(), 0);
    QVERIFY(toolNames(editor.ask("1", "tools/list")).contains(QStringLiteral("echo")));
    QCOMPARE(startCount(), 1);
    const qint64 first = pidOf(editor, "2");
    ::kill(pid_t(first), SIGKILL);
    QVERIFY(waitUntilGone(first));
    QCOMPARE(editor.serverPid(), 0);
    QCOMPARE(textOf(editor.use("3", "echo", R"({"message":"m"})")), QStringLiteral("m"));
    QCOMPARE(startCount(), 2);
    const QString lost = errorOf(editor.use("4", "crash", R"({"signal":11})"));
    QVERIFY2(lost.contains(QStringLiteral("SIGSEGV")), qPrintable(lost));
    QCOMPARE(startCount(), 2);
    QVERIFY(pidOf(editor, "5") != 0);
    QCOMPARE(startCount(), 3);
}

void McpOnDemandTest::reportsServerThatCannotStart()
{
    const QString starts = m_folder.filePath(QStringLiteral("failing"));
    Editor editor(options({one + words("--starts", starts, "--exit-in-handshake", "3"), two},
                          R"(, "restartOnExit": true,
                              "policy": {"type": "immediate", "maxRetries": 1})"));
    QVERIFY(editor.begin());
    QVERIFY(editor.openSession());
    const QStringList tools = toolNames(editor.ask("1", "tools/list"));
    QVERIFY(tools.contains(QStringLiteral("echo"))); // of the other one
    const QString why = errorOf(editor.use("2", "nothing"));
    for (const char *part : {"server one is not ready", "exit code 3"})
        QVERIFY2(why.contains(QString::fromLatin1(part)), qPrintable(why));
    QCOMPARE(readFile(starts).count('\n'), 2);
    // The next list is another try.
    (void)editor.ask("3", "tools/list");
    QCOMPARE(readFile(starts).count('\n'), 4);
}

// With the tries of `spawn`; the call waits, though nobody knows yet who has the tool.
void McpOnDemandTest::waitsForRetriedStart()
{
    const QString starts = m_folder.filePath(QStringLiteral("slow"));
    Editor editor(
        options({one + words("--starts", starts, "--until", "2", "--exit-in-handshake", "3")},
                R"(, "restartOnExit": true)")
        + words("--list-wait", "1ms"));
    QVERIFY(editor.begin());
    QVERIFY(editor.openSession());
    QCOMPARE(textOf(editor.use("1", "echo", R"({"message":"m"})")), QStringLiteral("m"));
    QCOMPARE(readFile(starts).count('\n'), 3);
}

// It takes the handshake each time, which is no proof that it works.
void McpOnDemandTest::givesUpServerThatExitsOnList()
{
    const QString starts = m_folder.filePath(QStringLiteral("listing"));
    const QString events = m_folder.filePath(QStringLiteral("listing.jsonl"));
    Editor editor(options({one + words("--starts", starts, "--exit-on", "tools/list")},
                          R"(, "restartOnExit": true,
                              "policy": {"type": "immediate", "maxRetries": 2})")
                  + words("--events", events));
    QVERIFY(editor.begin());
    QVERIFY(editor.openSession());
    (void)editor.ask("1", "tools/list");
    QVERIFY(QTest::qWaitFor([&] { return readFile(events).contains("restart.exhausted"); }, 60000));
    (void)editor.ask("2", "tools/list");
    QCOMPARE(readFile(starts).count('\n'), 3);
}

void McpOnDemandTest::restartsByTool()
{
    Editor editor(options({one}, R"(, "restartOnExit": true)"));
    QVERIFY(editor.begin());
    QVERIFY(editor.openSession());
    (void)editor.ask("1", "tools/list");
    const qint64 first = pidOf(editor, "2");
    ::kill(pid_t(first), SIGKILL);
    QVERIFY(waitUntilGone(first));
    const QString answer =
        textOf(editor.use("3", "restart_server", R"({"server":"one","reason":"a test"})"));
    QVERIFY2(answer.contains(QStringLiteral("scheduled")), qPrintable(answer));
    QVERIFY(editor.waitForServer(first) != 0);
}

REKINDLE_TEST(McpOnDemandTest)
#include "mcpondemandtest.moc"
