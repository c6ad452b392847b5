// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// rekindle mcp --watch: files change during a session.

#include "editor.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;

class McpWatchTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void restartsOnChange();
    void restartsAfterChangeDuringRestart();
    void ignoresOwnFiles_data();
    void ignoresOwnFiles();
    void reportsGlobWithoutMatch();

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
    Editor editor(options() + words("--events", file("events")),
                  words(REKINDLE_MCPSERVER, "--log", file("log")));
    QVERIFY(editor.beginSession());
    const qint64 first = editor.serverPid();
    change("22");
    QVERIFY(editor.waitForServer(first) != 0);
    QCOMPARE(textOf(editor.use("1", "echo", R"({"message":"same session"})")),
             QStringLiteral("same session"));
    QVERIFY(waitUntil([&] { return readFile(file("marker")).contains("\"watch\""); }));
    QVERIFY(readFile(file("marker")).contains("/server.code changed\""));
    QVERIFY(readFile(file("marker")).contains("42"));
    const QString verified = textOf(editor.use("2", "verify_server_restarted",
                                               R"({"since_timestamp":"2020-01-01T00:00:00Z"})"));
    QVERIFY2(verified.startsWith(QStringLiteral("\u2705 Server restart verified")),
             qPrintable(verified));
    QCOMPARE(editor.endInput(), 0);
    // No attempt was used, the reason names the file, and the client sent one initialize.
    const QStringList types = eventTypes(readFile(file("events")), QStringLiteral("mcpserver"));
    QCOMPARE(types.count(QStringLiteral("restart.requested")), 1);
    QVERIFY(types.filter(QStringLiteral("failed")).isEmpty());
    QVERIFY(readFile(file("events")).contains("server.code changed"));
    QCOMPARE(readFile(file("log")).count("\"initialize\""), 2);
}

// The new server may have read the old file, so there is exactly one more restart.
void McpWatchTest::restartsAfterChangeDuringRestart()
{
    Editor editor(options(),
                  words(REKINDLE_MCPSERVER, "--starts", file("starts"), "--from", "2", "--until",
                        "2", "--start-delay", "2000"));
    QVERIFY(editor.beginSession());
    change("22");
    QVERIFY(waitUntil([&] { return readFile(file("starts")).count('\n') == 2; }));
    change("333"); // while the second server starts
    QVERIFY(waitUntil([&] { return readFile(file("starts")).count('\n') == 3; }));
    QCOMPARE(textOf(editor.use("1", "echo", R"({"message":"m"})")), QStringLiteral("m"));
    QCOMPARE(readFile(file("starts")).count('\n'), 3);
}

// Events, store and marker change with every restart.
void McpWatchTest::ignoresOwnFiles_data()
{
    const Rows<QStringList> row("store");
    row("named store", words("--store", "my.sqlite"));
    row("usual store", QStringList());
}

void McpWatchTest::ignoresOwnFiles()
{
    QFETCH(QStringList, store);
    const QTemporaryDir starts;
    const QString count = starts.filePath(QStringLiteral("starts"));
    Editor editor(words("--watch", "**/*", "--marker", "marker", "--events", "ev.jsonl") + store,
                  words(REKINDLE_MCPSERVER, "--starts", count));
    editor.setWorkingDirectory(m_folder->path());
    editor.setStateFolder(file("state"));
    QVERIFY(editor.beginSession());
    for (int i = 0; i < 3; ++i) {
        change(QByteArray(i + 2, 'x'));
        QVERIFY(waitUntil([&] { return editor.error().count("restart requested") == i + 1; }));
        const QByteArray number = QByteArray::number(i);
        QCOMPARE(textOf(editor.use(number, "echo", R"({"message":"m"})")), QStringLiteral("m"));
        QVERIFY(waitUntil([&] { return QFile::exists(file("marker")); }));
    }
    QCOMPARE(editor.endInput(), 0);
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
    QVERIFY(editor.openSession());
}

REKINDLE_TEST(McpWatchTest)
#include "mcpwatchtest.moc"
