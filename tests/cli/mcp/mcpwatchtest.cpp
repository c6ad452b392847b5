// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// rekindle mcp --watch: files change under a session that goes on.

#include "editor.h"
#include "testprogram.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <cstdio>

using namespace Rekindle;

class McpWatchTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void restartsOnChange();
    void restartsOnReplacedFile();
    void callsWaitForRestart();
    void restartsAfterChangeDuringRestart();
    void restartsServerThatWasGivenUp();
    void limitsRestartsPerMinute();
    void limitsRestartsOfCrashingServer();
    void ignoresOwnFiles_data();
    void ignoresOwnFiles();
    void reportsGlobWithoutMatch();
    void rejectsUsage();

private:
    [[nodiscard]] QString file(const char *name) const
    {
        return m_folder->filePath(QString::fromUtf8(name));
    }
    [[nodiscard]] QStringList options() const
    {
        return words("--watch", file("*.code"), "--marker", file("marker"), "--store", "off");
    }
    void change(const QByteArray &text) const
    {
        QFile code(file("server.code"));
        QVERIFY(code.open(QIODevice::WriteOnly | QIODevice::Truncate));
        QCOMPARE(code.write(text), text.size());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void McpWatchTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    change("1");
}

void McpWatchTest::restartsOnChange()
{
    Editor editor(options() + words("--watch", file("other/**/*.code"), "--events", file("events")),
                  words(REKINDLE_MCPSERVER, "--log", file("log")));
    QVERIFY(editor.begin());
    QVERIFY(editor.openSession());
    const qint64 first = editor.serverPid();
    change("22");
    const qint64 second = editor.waitForServer(first);
    QVERIFY(second != 0);
    QCOMPARE(textOf(editor.use("1", "echo", R"({"message":"same session"})")),
             QStringLiteral("same session"));
    QVERIFY(QTest::qWaitFor([&] { return readFile(file("marker")).contains("\"watch\""); }, 30000));
    QVERIFY(readFile(file("marker")).contains("/server.code changed\""));
    QVERIFY(readFile(file("marker")).contains("42"));
    const QString verified = textOf(editor.use("2", "verify_server_restarted",
                                               R"({"since_timestamp":"2020-01-01T00:00:00Z"})"));
    QVERIFY2(verified.startsWith(QStringLiteral("Server restart verified")), qPrintable(verified));
    // A file in a folder that was not there.
    QVERIFY(QDir().mkpath(file("other/deep")));
    QFile other(file("other/deep/new.code"));
    QVERIFY(other.open(QIODevice::WriteOnly));
    other.close();
    QVERIFY(editor.waitForServer(second) != 0);
    QCOMPARE(textOf(editor.use("3", "echo", R"({"message":"still"})")), QStringLiteral("still"));
    editor.closeWriteChannel();
    QCOMPARE(editor.end(), 0);
    // No attempt was spent; the reason names the file; and the client never greeted anybody again.
    const QStringList types = eventTypes(readFile(file("events")), QStringLiteral("mcpserver"));
    QCOMPARE(types.count(QStringLiteral("restart.requested")), 2);
    QVERIFY(types.filter(QStringLiteral("failed")).isEmpty());
    QVERIFY(readFile(file("events")).contains("server.code changed"));
    QCOMPARE(readFile(file("log")).count("\"initialize\""), 3);
}

// As editors save, and several files at once: one restart each time.
void McpWatchTest::restartsOnReplacedFile()
{
    Editor editor(options(), words(REKINDLE_MCPSERVER, "--starts", file("starts")));
    QVERIFY(editor.begin());
    QVERIFY(editor.openSession());
    qint64 pid = editor.serverPid();
    for (int i = 0; i < 2; ++i) {
        const QStringList names{file("server.code"), file("a.code"), file("b.code")};
        for (const QString &name : names) {
            QFile saved(name + QStringLiteral(".new"));
            QVERIFY(saved.open(QIODevice::WriteOnly));
            saved.write(QByteArray::number(i));
        }
        for (const QString &name : names) { // nothing that takes its time comes in between
            const QByteArray to = QFile::encodeName(name);
            const QByteArray from = to + ".new";
            QCOMPARE(std::rename(from.constData(), to.constData()), 0);
        }
        pid = editor.waitForServer(pid);
        QVERIFY(pid != 0);
        QCOMPARE(textOf(editor.use(QByteArray::number(i), "echo", R"({"message":"m"})")),
                 QStringLiteral("m"));
    }
    QCOMPARE(readFile(file("starts")).count('\n'), 3);
    QVERIFY(editor.waitForError("/a.code and 2 others changed"));
}

void McpWatchTest::callsWaitForRestart()
{
    Editor editor(options(),
                  words(REKINDLE_MCPSERVER, "--starts", file("starts"), "--from", "2",
                        "--start-delay", "300"));
    QVERIFY(editor.begin());
    QVERIFY(editor.openSession());
    const qint64 first = editor.serverPid();
    change("22");
    QVERIFY(editor.waitForError("restart requested"));
    for (int i = 0; i < 50; ++i)
        editor.call(QByteArray::number(i), "echo", R"({"message":"held"})");
    for (int i = 0; i < 50; ++i)
        QCOMPARE(textOf(editor.answer(QByteArray::number(i))), QStringLiteral("held"));
    QVERIFY(editor.serverPid() != first);
}

// The new server may have read the old file: one more comes, and no more.
void McpWatchTest::restartsAfterChangeDuringRestart()
{
    Editor editor(options(),
                  words(REKINDLE_MCPSERVER, "--starts", file("starts"), "--from", "2", "--until",
                        "2", "--start-delay", "2000"));
    QVERIFY(editor.begin());
    QVERIFY(editor.openSession());
    change("22");
    QVERIFY(QTest::qWaitFor([&] { return readFile(file("starts")).count('\n') == 2; }, 30000));
    change("333"); // while the second one is on its way
    QVERIFY(QTest::qWaitFor([&] { return readFile(file("starts")).count('\n') == 3; }, 30000));
    QCOMPARE(textOf(editor.use("1", "echo", R"({"message":"m"})")), QStringLiteral("m"));
    QCOMPARE(readFile(file("starts")).count('\n'), 3);
}

// Somebody has mended it.
void McpWatchTest::restartsServerThatWasGivenUp()
{
    Editor editor(options() + words("--policy", "none"),
                  words(REKINDLE_MCPSERVER, "--starts", file("starts")));
    QVERIFY(editor.begin());
    QVERIFY(editor.openSession());
    const qint64 first = editor.serverPid();
    ::kill(static_cast<pid_t>(first), SIGKILL);
    QVERIFY(waitUntilGone(first));
    QVERIFY(!editor.use("1", "echo", R"({"message":"m"})").contains(QLatin1String("result")));
    change("22");
    QVERIFY(editor.waitForServer(first) != 0);
    QCOMPARE(textOf(editor.use("2", "echo", R"({"message":"m"})")), QStringLiteral("m"));
}

// The eleventh waits, which is said; the session goes on.
void McpWatchTest::limitsRestartsPerMinute()
{
    Editor editor(options(), words(REKINDLE_MCPSERVER, "--starts", file("starts")));
    QVERIFY(editor.begin());
    QVERIFY(editor.openSession());
    QElapsedTimer time;
    time.start();
    for (int i = 0; i < 10; ++i) {
        change("new code " + QByteArray(i + 1, 'x'));
        QVERIFY(
            QTest::qWaitFor([&] { return readFile(file("starts")).count('\n') == i + 2; }, 30000));
    }
    if (time.elapsed() > 45000)
        QSKIP("this machine does not make ten restarts in a minute");
    change("last");
    QVERIFY(editor.waitForError(
        "/server.code changed; restart delayed: ten restarts in the last minute"));
    QCOMPARE(textOf(editor.use("1", "echo", R"({"message":"m"})")), QStringLiteral("m"));
}

// The limit holds as well where there is no server when the change is seen.
void McpWatchTest::limitsRestartsOfCrashingServer()
{
    const QString script = QStringLiteral("echo x >> %1; echo x >> %2; exit 1")
                               .arg(file("starts"), file("server.code"));
    Editor editor(options() + words("--policy", "none"),
                  QStringList{QStringLiteral("sh"), QStringLiteral("-c"), script});
    QVERIFY(editor.begin());
    QVERIFY(editor.waitForError("restart delayed: ten restarts in the last minute"));
    QCOMPARE(readFile(file("starts")).count('\n'), 11);
}

// Events, store and marker change with every restart.
void McpWatchTest::ignoresOwnFiles_data()
{
    QTest::addColumn<QStringList>("store");
    QTest::newRow("named store") << words("--store", "my.sqlite");
    QTest::newRow("usual store") << QStringList();
}

void McpWatchTest::ignoresOwnFiles()
{
    QFETCH(QStringList, store);
    const QTemporaryDir starts;
    const QString count = starts.filePath(QStringLiteral("starts"));
    Editor editor(words("--watch", "**/*", "--marker", "marker", "--events", "ev.jsonl") + store,
                  words(REKINDLE_MCPSERVER, "--starts", count));
    editor.setWorkingDirectory(m_folder->path());
    QProcessEnvironment environment = editor.processEnvironment();
    environment.insert(QStringLiteral("XDG_STATE_HOME"), file("state"));
    editor.setProcessEnvironment(environment);
    QVERIFY(editor.begin());
    QVERIFY(editor.openSession());
    for (int i = 0; i < 3; ++i) {
        change(QByteArray(i + 2, 'x'));
        QVERIFY(QTest::qWaitFor([&] { return editor.error().count("restart requested") == i + 1; },
                                60000));
        const QByteArray number = QByteArray::number(i);
        QCOMPARE(textOf(editor.use(number, "echo", R"({"message":"m"})")), QStringLiteral("m"));
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(file("marker")); }, 30000));
    }
    editor.closeWriteChannel();
    QCOMPARE(editor.end(), 0);
    const QByteArray said = editor.error();
    QVERIFY2(said.count("restart requested") == 3, said.constData());
    QVERIFY2(said.count("(server.code changed)") == 3, said.constData());
    QCOMPARE(readFile(count).count('\n'), 4);
}

void McpWatchTest::reportsGlobWithoutMatch()
{
    Editor editor(words("--quiet", "--store", "off", "--watch", file("*.rb")),
                  words(REKINDLE_MCPSERVER));
    QVERIFY(editor.begin());
    QVERIFY(editor.waitForError("--watch: " + file("*.rb").toUtf8() + " matches no file yet"));
    QVERIFY(editor.openSession()); // and goes on
}

void McpWatchTest::rejectsUsage()
{
    CommandRun folder(words("mcp", "--watch", "src/", "--", "true"));
    QCOMPARE(folder.complete(), 64);
    QVERIFY2(folder.error().contains("src/**/*"), folder.error().constData());
    CommandRun known(words("mcp", "--watch", m_folder->path(), "--", "true"));
    QCOMPARE(known.complete(), 64);
    QVERIFY2(known.error().contains("expected files, found a folder; use "),
             known.error().constData());
    CommandRun home(words("mcp", "--watch", "~/x", "--", "true"));
    QCOMPARE(home.complete(), 64);
    QVERIFY2(home.error().contains("only a shell expands ~ and $"), home.error().constData());
    CommandRun pattern(words("mcp", "--watch", "[b-a]", "--", "true")); // not b-a
    QCOMPARE(pattern.complete(), 64);
    QVERIFY2(pattern.error().contains("--watch: [b-a]: invalid pattern: range out"),
             pattern.error().constData());
    CommandRun nothing(words("mcp", "--watch", "", "--", "true"));
    QCOMPARE(nothing.complete(), 64);
    CommandRun other(words("run", "--watch", "x", "--", "true")); // it is not run's
    QCOMPARE(other.complete(), 64);
}

REKINDLE_TEST(McpWatchTest)
#include "mcpwatchtest.moc"
