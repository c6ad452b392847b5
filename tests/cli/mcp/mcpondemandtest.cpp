// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewayfile.h"
#include "testprogram.h"

#include <csignal>

using namespace Rekindle;

// rekindle mcp --config: servers with restartOnExit, which are started on demand.
class McpOnDemandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void startsOnDemand();
    void restartsByTool();

private:
    [[nodiscard]] QStringList options(const QList<QStringList> &servers,
                                      const QByteArray &own = {}) const
    {
        return words("--quiet", "--config", gatewayFile(m_folder.path(), servers, own));
    }

    QTemporaryDir m_folder;
};

// The first call starts the server, and after its exit the next call does. A read-only call is
// repeated once after the exit of its server.
void McpOnDemandTest::startsOnDemand()
{
    const QString starts = m_folder.filePath(QStringLiteral("starts"));
    const auto startCount = [&] { return readFile(starts).count('\n'); };
    Editor editor(options({one + words("--starts", starts)}, R"(, "restartOnExit": true)"));
    QVERIFY(editor.beginSession());
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
    VERIFY_CONTAINS(lost, "SIGSEGV");
    QCOMPARE(startCount(), 2);
    QVERIFY(pidOf(editor, "5") != 0);
    QCOMPARE(startCount(), 3);
}

void McpOnDemandTest::restartsByTool()
{
    Editor editor(options({one}, R"(, "restartOnExit": true)"));
    QVERIFY(editor.beginSession());
    (void)editor.ask("1", "tools/list");
    const qint64 first = pidOf(editor, "2");
    ::kill(pid_t(first), SIGKILL);
    QVERIFY(waitUntilGone(first));
    const QString answer =
        textOf(editor.use("3", "restart_server", R"({"server":"one","reason":"a test"})"));
    VERIFY_CONTAINS(answer, "scheduled");
    QVERIFY(editor.waitForServer(first) != 0);
}

REKINDLE_TEST(McpOnDemandTest)
#include "mcpondemandtest.moc"
