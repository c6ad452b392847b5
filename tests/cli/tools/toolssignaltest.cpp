// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/toolsrun.h"
#include "processes.h"
#include "testprogram.h"
#include "testrow.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

using namespace Rekindle;

/// Signals to `rekindle tools`, and readers of stdout that do not read.
class ToolsSignalTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void signalStopsTheServer_data();
    void signalStopsTheServer();
    void reportsCancellation_data();
    void reportsCancellation();
    void secondSignalKills();
    void signalWhileTheServerStops();
    void signalWithFullStdout();
    void stopsAfterClosedStdout();
};

namespace {

/// Calls a tool of a server whose process is known.
struct Call
{
    explicit Call(const char *tool, const QString &serverOptions = {},
                  const QStringList &options = {})
        : run(words("tools", "call", tool) + options
              + words("--", "/bin/sh", "-c",
                      QStringLiteral("echo $$ > '%1'; exec '" REKINDLE_MCPSERVER "' --log '%2' %3")
                          .arg(file("process"), file("log"), serverOptions)))
    {
    }

    [[nodiscard]] QString file(const char *name) const
    {
        return folder.filePath(QString::fromLatin1(name));
    }
    /// Waits until the server has received the call.
    bool isInFlight() const { return hasReceived("tools/call"); }
    bool hasReceived(const char *method) const
    {
        return waitUntil([this, method] { return readFile(file("log")).contains(method); });
    }
    [[nodiscard]] pid_t server() const { return readFile(file("process")).trimmed().toInt(); }

    QTemporaryDir folder;
    CommandRun run;
};

} // namespace

void ToolsSignalTest::signalStopsTheServer_data()
{
    const Rows<int> row("signal");
    row("SIGINT", SIGINT);
    row("SIGTERM", SIGTERM);
}

void ToolsSignalTest::signalStopsTheServer()
{
    QFETCH(int, signal);
    Call call("silent");
    QVERIFY(call.run.begin());
    QVERIFY(call.isInFlight());
    const pid_t server = call.server();
    QVERIFY(isLiving(server));
    QCOMPARE(call.run.endBy(signal), 128 + signal);
    QVERIFY(!isLiving(server));
    // The cancellation is sent before stdin is closed.
    QVERIFY(readFile(call.file("log")).contains("notifications/cancelled"));
}

// A cancelled call is printed and recorded too.
void ToolsSignalTest::reportsCancellation_data()
{
    const Rows<QString, QByteArray> row("serverOptions", "method");
    row("in flight", {}, "tools/call");
    row("during the start", "--silent initialize", "initialize");
}

void ToolsSignalTest::reportsCancellation()
{
    QFETCH(QString, serverOptions);
    QFETCH(QByteArray, method);
    const QTemporaryDir folder;
    const QString store = folder.filePath(QStringLiteral("s.sqlite"));
    Call call("silent", serverOptions, words("--json", "--store", store));
    QVERIFY(call.run.begin());
    QVERIFY(call.hasReceived(method.constData()));
    const pid_t server = call.server();
    QCOMPARE(call.run.endBy(SIGINT), 128 + SIGINT);
    QVERIFY(!isLiving(server));
    const QList<QJsonObject> lines = jsonLines(call.run.output());
    QCOMPARE(lines.size(), 1);
    QCOMPARE(lines[0][QLatin1String("end")].toString(), QStringLiteral("Cancelled"));
    QCOMPARE(lines[0][QLatin1String("attempts")].toInt(), 1);
    QCOMPARE(lines[0][QLatin1String("error")][QLatin1String("kind")].toString(),
             QStringLiteral("Cancelled"));
    CompletedRun history(words("history", "--calls", "--store", store));
    VERIFY_CONTAINS(history.output(), "call of silent: Cancelled");
}

void ToolsSignalTest::secondSignalKills()
{
    Call call("silent", QStringLiteral("--ignore-term --ignore-eof"));
    QVERIFY(call.run.begin());
    QVERIFY(call.isInFlight());
    const pid_t server = call.server();
    call.run.signal(SIGINT);
    // The first signal has arrived.
    QVERIFY(
        waitUntil([&] { return readFile(call.file("log")).contains("notifications/cancelled"); }));
    QVERIFY(isLiving(server));
    QCOMPARE(call.run.endBy(SIGTERM), 128 + SIGINT);
    QVERIFY(!isLiving(server));
}

void ToolsSignalTest::signalWhileTheServerStops()
{
    Call call("state", QStringLiteral("--ignore-eof"));
    QVERIFY(call.run.begin());
    QVERIFY(call.run.waitForOutput("\n")); // now the server is stopped
    QCOMPARE(call.run.endBy(SIGINT), 128 + SIGINT);
    QVERIFY(!isLiving(call.server()));
}

void ToolsSignalTest::signalWithFullStdout()
{
    const QTemporaryDir folder;
    const QByteArray pipe = folder.filePath(QStringLiteral("pipe")).toUtf8();
    QCOMPARE(::mkfifo(pipe.constData(), 0600), 0);
    const int reader = ::open(pipe.constData(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
    QVERIFY(reader >= 0);
    const int size = ::fcntl(reader, F_GETPIPE_SZ);
    const QString message = QString(60'000, u'x');
    CommandRun run(onServer(words(
        "call", "echo", QStringLiteral(R"({"message": "%1"})").arg(message), "--repeat", "1000")));
    run.setStandardOutputFile(QString::fromUtf8(pipe));
    QVERIFY(run.begin());
    const bool isFull = waitUntil([&] {
        int waiting = 0;
        return ::ioctl(reader, FIONREAD, &waiting) == 0 && waiting >= size - 4096;
    });
    run.signal(SIGINT);
    const int code = run.end();
    ::close(reader);
    QVERIFY(isFull);
    QCOMPARE(code, 128 + SIGINT);
}

void ToolsSignalTest::stopsAfterClosedStdout()
{
    const QTemporaryDir folder;
    const QString log = folder.filePath(QStringLiteral("log"));
    ShellRun run("bash",
                 words("-o", "pipefail", "-c",
                       QStringLiteral("'" REKINDLE_COMMAND
                                      "' tools call echo '{\"message\": \"m\"}' --repeat 100000"
                                      " -- '" REKINDLE_MCPSERVER "' --log '%1' | head -n 1")
                           .arg(log)));
    QCOMPARE(run.complete(), 0);
    QCOMPARE(run.output(), QByteArray("m\n"));
    QCOMPARE(run.error(), QByteArray());
    QVERIFY(readFile(log).count("tools/call") < 50'000);
}

REKINDLE_TEST(ToolsSignalTest)
#include "toolssignaltest.moc"
