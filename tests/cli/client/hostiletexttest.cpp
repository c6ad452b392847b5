// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"

#include <csignal>
#include <memory>

using namespace Rekindle;

/// An agent that writes escape sequences, marks of direction and bytes that are not UTF-8, and what
/// the commands show of it. The outputs are files and pipes.
class HostileTextTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void commandsShowPrintableText_data();
    void commandsShowPrintableText();
    void hostShowsPrintableText();
    void assistantReadsPrintableText();

private:
    static void verifyPrintable(const QByteArray &text)
    {
        VERIFY_CONTAINS(text, "evil");
        QVERIFY(text.isValidUtf8());
        for (const char *each : {"\x1b", "\x07", "\\u001b", "\xe2\x80\xae", "\xc2\x9b"})
            QVERIFY2(!text.contains(each), text.toPercentEncoding(" \n{}\":,[]").constData());
    }

    QTemporaryDir m_folder;
    QString m_configuration;
    QString m_store;
    std::unique_ptr<StartedRun> m_up;
};

void HostileTextTest::initTestCase()
{
    qputenv("XDG_RUNTIME_DIR", QFile::encodeName(m_folder.path()));
    m_configuration = writeFile(m_folder.path(), QStringLiteral("hostile.json"), R"({"agents": [
        {"name": "a", "kind": "process", "program": "sh", "ready": "now", "outputEvents": true,
         "arguments": ["-c", "TEXT='\\033[2J\\033]0;title\\007\\342\\200\\256evil\\302\\233 \\377\\2331m\\n'; printf \"$TEXT\"; printf \"$TEXT\" >&2; sleep 0.1; exit 3"],
         "policy": {"type": "linear", "initialDelay": "1h", "maxDelay": "1h"}}]})");
    m_store = m_folder.filePath(QStringLiteral("store.sqlite"));
    m_up = std::make_unique<StartedRun>(
        words("up", m_configuration, "--store", m_store, "--state", "off", "--log", "json"));
    QVERIFY(waitUntil([this] { return m_up->output().contains("restart.scheduled"); }));
}

void HostileTextTest::cleanupTestCase()
{
    if (m_up)
        QCOMPARE(m_up->endBy(SIGTERM), 0);
}

void HostileTextTest::commandsShowPrintableText_data()
{
    QTest::addColumn<QStringList>("command");
    const auto row = [](const QStringList &command) {
        QTest::newRow(qPrintable(command.join(u' '))) << command;
    };
    row(words("logs", "a"));
    row(words("logs", "a", "--json"));
    row(words("explain", "a"));
    row(words("explain", "a", "--json"));
    row(words("events", "--json"));
    row(words("events"));
}

void HostileTextTest::commandsShowPrintableText()
{
    QFETCH(const QStringList, command);
    CompletedRun run(command + words("--config", m_configuration));
    verifyPrintable(run.output());
}

void HostileTextTest::hostShowsPrintableText()
{
    verifyPrintable(m_up->output()); // events
    verifyPrintable(m_up->error());
}

void HostileTextTest::assistantReadsPrintableText()
{
    CommandRun server(words("control-mcp", "--config", m_configuration));
    QVERIFY(server.begin());
    server.write(
        R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}})"
        "\n"
        R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
        "\n"
        R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read_logs","arguments":{"agent":"a"}}})"
        "\n");
    QCOMPARE(server.endInput(), 0);
    verifyPrintable(server.output());
}

REKINDLE_TEST(HostileTextTest)
#include "hostiletexttest.moc"
