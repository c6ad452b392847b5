// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/fifo.h"
#include "editor.h"
#include "testprogram.h"
#include "testrow.h"

#include <unistd.h>

#include <csignal>
#include <memory>

using namespace Rekindle;

// Clients and servers that do not read, or stop reading.
class McpPipeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void exitsIfServerIsStopped();
    void restartsServerThatClosesStdin();
    void answersManyHeldCallsAtTheEnd();
    void boundsUnreadResponses();
    void exitsOnClosedStdout_data();
    void exitsOnClosedStdout();
    void exitsOnFullStdout();

private:
    [[nodiscard]] QStringList options() const
    {
        return words("--quiet", "--marker", file("marker"));
    }
    [[nodiscard]] QString file(const char *name) const
    {
        return m_folder.filePath(QString::fromUtf8(name));
    }

    QTemporaryDir m_folder;
};

namespace {

constexpr char initialize[] =
    R"({"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"p","version":"1"}})";

} // namespace

// The proxy does not read stdin then, so the end of stdin is not seen.
void McpPipeTest::exitsIfServerIsStopped()
{
    Editor editor(options(), words(REKINDLE_MCPSERVER));
    QVERIFY(editor.beginSession());
    const qint64 server = editor.serverPid();
    ::kill(static_cast<pid_t>(server), SIGSTOP);
    editor.call("1", "echo", R"({"message":")" + QByteArray(3 * 1024 * 1024, 'x') + R"("})");
    QCOMPARE(editor.endInput(), 0);
    QVERIFY(waitUntilGone(server));
}

void McpPipeTest::restartsServerThatClosesStdin()
{
    Editor editor(options(), words(REKINDLE_MCPSERVER, "--ignore-eof"));
    QVERIFY(editor.beginSession());
    const qint64 server = editor.serverPid();
    editor.call("1", "deaf");
    const QString input = QStringLiteral("/proc/%1/fd/0").arg(server);
    QVERIFY(waitUntil([&] { return !QFileInfo(input).isSymLink(); }));
    QCOMPARE(textOf(editor.use("2", "lookup", R"({"message":"m"})")), QStringLiteral("m"));
    const QJsonObject answer = editor.answer("1");
    const QString why = answer[QLatin1String("error")][QLatin1String("message")].toString();
    VERIFY_CONTAINS(why, "closed its stdin");
    QVERIFY(waitUntilGone(server));
}

// More than fits into a pipe, at the exit of the proxy.
void McpPipeTest::answersManyHeldCallsAtTheEnd()
{
    Fifo output(file("slow"));
    const QByteArray line(390, 'e');
    Editor editor(options(),
                  words(REKINDLE_MCPSERVER, "--err", QString::fromUtf8(line), "--err",
                        QString::fromUtf8(line), "--err", QString::fromUtf8(line), "--starts",
                        file("starts"), "--from", "2", "--start-delay", "60000"));
    editor.setStandardOutputFile(output.path());
    QVERIFY(editor.begin());
    editor.request("\"open\"", "initialize", initialize);
    editor.send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    QVERIFY(output.waitFor("\"open\""));
    const qint64 server = editor.waitForServer();
    ::kill(static_cast<pid_t>(server), SIGKILL);
    const qint64 next = editor.waitForServer(server);
    QVERIFY(next != 0);
    constexpr int calls = 500;
    for (int i = 0; i < calls; ++i)
        editor.call(QByteArray::number(i), "echo");
    editor.closeWriteChannel();
    // Reads late and in small steps.
    QVERIFY(waitUntilGone(next));
    QVERIFY(output.takeSlowly(editor));
    QCOMPARE(editor.exitCode(), 0);
    QVERIFY(output.text().endsWith('\n'));
    QCOMPARE(output.text().count('\n'), calls + 1);
    QVERIFY(output.text().size() > 512 * 1024);
}

// Each line gets a response; the queue of responses must be bounded.
void McpPipeTest::boundsUnreadResponses()
{
    Fifo output(file("unread"));
    Editor editor(options(), words(REKINDLE_MCPSERVER));
    editor.setStandardOutputFile(output.path());
    QVERIFY(editor.begin());
    constexpr int lines = 500000;
    const QByteArray input = QByteArray("xxxxxxxx\n").repeated(lines); // more than a large pipe
    editor.write(input);
    // Until nothing is written for a second.
    qint64 left = -1;
    QElapsedTimer still;
    QVERIFY(waitUntil([&] {
        if (editor.bytesToWrite() != std::exchange(left, editor.bytesToWrite()))
            still.start();
        return left == 0 || (left < input.size() && still.elapsed() > 1000);
    }));
    QVERIFY(left > 0);
    // The proxy continues when the client reads.
    editor.closeWriteChannel();
    qsizetype taken = 0;
    QVERIFY(waitUntil([&] {
        output.take(1024 * 1024);
        return output.text().size() == std::exchange(taken, output.text().size())
            && editor.state() == QProcess::NotRunning;
    }));
    QCOMPARE(output.text().count('\n'), lines);
    QCOMPARE(editor.exitCode(), 0);
}

void McpPipeTest::exitsOnClosedStdout_data()
{
    const Rows<bool> row("fromTheStart");
    row("from the start", true);
    row("later", false);
}

// Stdout is closed from the start.
void McpPipeTest::exitsOnClosedStdout()
{
    QFETCH(bool, fromTheStart);
    Editor editor(options(), words(REKINDLE_MCPSERVER));
    auto output = std::make_unique<Fifo>(file("closed"));
    editor.setStandardOutputFile(output->path());
    if (fromTheStart)
        editor.setChildProcessModifier([] { ::close(STDOUT_FILENO); });
    QVERIFY(editor.begin());
    const qint64 server = editor.waitForServer();
    QVERIFY(server != 0);
    output.reset();
    editor.request("1", "initialize", initialize);
    // A client that has exited is normal; a stdout that was never open is an error.
    QCOMPARE(editor.end(), fromTheStart ? 1 : 0);
    QCOMPARE(editor.error().contains("rekindle: stdout: "), fromTheStart);
    QVERIFY(waitUntilGone(server));
}

void McpPipeTest::exitsOnFullStdout()
{
    Editor editor(options(), words(REKINDLE_MCPSERVER));
    editor.setStandardOutputFile(QStringLiteral("/dev/full"));
    QVERIFY(editor.begin());
    const qint64 server = editor.waitForServer();
    editor.request("1", "initialize", initialize);
    QCOMPARE(editor.end(), 1);
    QCOMPARE(editor.error(),
             QByteArray("rekindle: stdout: No space left on device; cannot respond to the "
                        "client\n"));
    QVERIFY(waitUntilGone(server));
}

REKINDLE_TEST(McpPipeTest)
#include "mcppipetest.moc"
