// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Recorded restarts of rekindle mcp, in the events and in the audit trail.

#include "editor.h"
#include "testprogram.h"

using namespace Rekindle;

class McpStoreTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void recordsHistory();
    void recordsToolCalls();
    void defaultStore();
    void offWritesNoStore();
    void continuesWithoutStore();

private:
    [[nodiscard]] QString file(const char *name) const
    {
        return m_folder.filePath(QString::fromUtf8(name));
    }

    QTemporaryDir m_folder;
};

void McpStoreTest::recordsHistory()
{
    const QString store = file("proxy.sqlite");
    Editor editor(words("--store", store, "--marker", file("marker"), "--quiet"),
                  words(REKINDLE_MCPSERVER));
    QVERIFY(editor.beginSession());
    qint64 pid = editor.serverPid();
    (void)editor.use("1", "restart_server", R"({"reason":"new code"})");
    pid = editor.waitForServer(pid);
    QVERIFY(pid != 0);
    (void)editor.use("2", "crash");
    QVERIFY(editor.waitForServer(pid) != 0);
    QVERIFY(!textOf(editor.use("3", "echo", R"({"message":"m"})")).isEmpty());
    QCOMPARE(editor.endInput(), 0);

    CompletedRun history(words("history", "--store", store, "--json"));
    const QStringList types = eventTypes(history.output(), QStringLiteral("mcpserver"));
    QCOMPARE(types.count(QStringLiteral("restart.requested")), 1);
    QCOMPARE(types.count(QStringLiteral("agent.failed")), 1);
    QVERIFY(history.output().contains("new code"));
    CompletedRun read(words("history", "--store", store));
    VERIFY_CONTAINS(read.output(), "new code");

    CompletedRun explain(words("explain", "mcpserver", "--store", store));
    VERIFY_CONTAINS(explain.output(), "SIGKILL");
}

// The sample server rejects a repeated id, so the retries have their own.
void McpStoreTest::recordsToolCalls()
{
    const QString store = file("calls.sqlite");
    Editor editor(
        words("--store", store, "--marker", file("marker"), "--quiet", "--tool-retry", "always"),
        words(REKINDLE_MCPSERVER));
    QVERIFY(editor.beginSession());
    QCOMPARE(textOf(editor.use("1", "fail")), QStringLiteral("it did not work"));
    QCOMPARE(textOf(editor.use("2", "echo", R"({"message":"m"})")), QStringLiteral("m"));
    QCOMPARE(editor.endInput(), 0);

    CompletedRun history(words("history", "--store", store, "--calls", "--json"));
    const QList<QByteArray> rows = history.output().trimmed().split('\n');
    QCOMPARE(rows.size(), 2);
    const auto call = [&rows](int row) {
        return QJsonDocument::fromJson(rows[row])[QLatin1String("data")];
    };
    QCOMPARE(call(0)[QLatin1String("tool")].toString(), QStringLiteral("fail"));
    QCOMPARE(call(0)[QLatin1String("end")].toString(), QStringLiteral("AttemptsExhausted"));
    QCOMPARE(call(0)[QLatin1String("retries")].toInt(), 3);
    QCOMPARE(call(1)[QLatin1String("tool")].toString(), QStringLiteral("echo"));
    QCOMPARE(call(1)[QLatin1String("retries")].toInt(), 0);
}

// The default store is named after the server and the folder.
void McpStoreTest::defaultStore()
{
    Editor editor(words("--marker", file("marker"), "--quiet"), words(REKINDLE_MCPSERVER));
    editor.setStateFolder(file("state"));
    QVERIFY(editor.beginSession());
    QCOMPARE(editor.endInput(), 0);
    const QStringList stores =
        QDir(file("state/rekindle")).entryList({QStringLiteral("*.sqlite")}, QDir::Files);
    QCOMPARE(stores.size(), 1);
    QVERIFY2(stores[0].startsWith(QStringLiteral("mcp-mcpserver-")), qPrintable(stores[0]));
    CommandRun history(words("history", "--json")); // the only store
    history.setStateFolder(file("state"));
    QCOMPARE(history.complete(), 0);
    QVERIFY(eventTypes(history.output(), QStringLiteral("mcpserver"))
                .contains(QStringLiteral("agent.started")));
    // Another server with the same program.
    Editor other(words("--marker", file("marker"), "--quiet"),
                 words(REKINDLE_MCPSERVER, "--starts", file("starts")));
    other.setStateFolder(file("state"));
    QVERIFY(other.beginSession());
    QCOMPARE(other.endInput(), 0);
    QCOMPARE(QDir(file("state/rekindle")).entryList({QStringLiteral("*.sqlite")}).size(), 2);
}

void McpStoreTest::offWritesNoStore()
{
    Editor editor(words("--store", "off", "--quiet"), words(REKINDLE_MCPSERVER));
    editor.setStateFolder(file("none"));
    QVERIFY(editor.beginSession());
    QCOMPARE(editor.endInput(), 0);
    QVERIFY(!QFileInfo::exists(file("none")));
}

// The session works without a store.
void McpStoreTest::continuesWithoutStore()
{
    Editor editor(words("--store", m_folder.path(), "--quiet"), words(REKINDLE_MCPSERVER));
    QVERIFY(editor.beginSession());
    QVERIFY(editor.waitForError("; events are queued, retrying"));
    QCOMPARE(textOf(editor.use("1", "echo", R"({"message":"m"})")), QStringLiteral("m"));
}

REKINDLE_TEST(McpStoreTest)
#include "mcpstoretest.moc"
