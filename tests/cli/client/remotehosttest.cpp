// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/uniquefd_p.h"
#include "cli/client/hostaddress_p.h"
#include "cli/commandrun.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/lifecycle/virtualscheduler.h>
#include <rekindle/models/remoteagents.h>

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <memory>

using namespace Rekindle;

/// `control-stdio`, and --host ssh:// with a program named ssh that runs its command on this
/// machine.
class RemoteHostTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void makesCommandOfAddress_data();
    void makesCommandOfAddress();
    void rejectsAddress_data();
    void rejectsAddress();
    void copiesBothDirections();
    void endsWithTheReaderOfStdout();
    void endsWithASocketAsStdout();
    void reportsOutputThatCannotBeWritten();
    void endsWithTheHost();
    void reportsMissingHost();
    void commandsOperateRemoteHosts_data();
    void commandsOperateRemoteHosts();
    void controlStdioOffersNoOtherMachine();
    void logsOfRemoteHostIncludeFiles();
    void reapsProcessesOfSsh();
    void reportsFailureOfSsh();
    void reportsMissingSsh();
    void agentsReturnWithTheirHost();

private:
    // Returns a PATH where this script is ssh.
    QString pathWithSsh(const QByteArray &script) const
    {
        const QString folder = m_folder.filePath(QStringLiteral("bin"));
        const QString ssh = writeFile(folder, QStringLiteral("ssh"), "#!/bin/sh\n" + script);
        QFile::setPermissions(ssh, QFile::ReadOwner | QFile::ExeOwner | QFile::WriteOwner);
        return folder + u':' + qEnvironmentVariable("PATH");
    }

    void useSsh(CommandRun &run, const QByteArray &script) const
    {
        run.setVariable("PATH", pathWithSsh(script));
    }

    QTemporaryDir m_folder;
    QString m_configuration;
    std::unique_ptr<CommandRun> m_up;
};

namespace {

constexpr char hello[] = R"({"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocols":[1],)"
                         R"("client":"test"}})"
                         "\n";

// Runs the command that ssh would give to the shell of the other machine.
constexpr char localSsh[] = "for word in \"$@\"; do last=$word; done\n"
                            "rekindle() { \"" REKINDLE_COMMAND "\" \"$@\"; }\n"
                            "eval \"$last\"\n";

} // namespace

void RemoteHostTest::initTestCase()
{
    QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("bin")));
    m_configuration = writeFile(m_folder.path(), QStringLiteral("it's remote.json"),
                                configuration({words("sleep", "1h")}, {}));
    m_up = std::make_unique<CommandRun>(
        words("up", m_configuration, "--store", "off", "--state", "off", "--log", "json"));
    QVERIFY(m_up->begin());
    QVERIFY(m_up->waitForOutput("agent.ready"));
}

void RemoteHostTest::cleanupTestCase() { QCOMPARE(m_up->endBy(SIGTERM), 0); }

void RemoteHostTest::makesCommandOfAddress_data()
{
    QTest::addColumn<QString>("address");
    QTest::addColumn<QStringList>("command");
    const auto row = [](const char *address, const QStringList &end) {
        QTest::newRow(address) << QString::fromLatin1(address) << words("ssh", "-T") + end;
    };
    row("ssh://machine/", words("--", "machine", "rekindle control-stdio"));
    row("ssh://machine", words("--", "machine", "rekindle control-stdio"));
    row("ssh://me@machine/web-1",
        words("--", "me@machine", "rekindle control-stdio --host 'web-1'"));
    row("ssh://machine:2222/web",
        words("-p", "2222", "--", "machine", "rekindle control-stdio --host 'web'"));
    row("ssh://machine/a;reboot",
        words("--", "machine", "rekindle control-stdio --host 'a;reboot'"));
    row("ssh://machine/it's", words("--", "machine", "rekindle control-stdio --host 'it'\\''s'"));
}

void RemoteHostTest::makesCommandOfAddress()
{
    QFETCH(const QString, address);
    QTEST(HostAddress(address).command(), "command");
}

void RemoteHostTest::rejectsAddress_data()
{
    const Rows<QString> row("address");
    for (const char *each :
         {"ssh://", "ssh:///web", "ssh://machine:port/web", "ssh://me:secret@machine/web",
          "ssh://machine/web?x", "ssh://machine/web#x"})
        row(each);
}

void RemoteHostTest::rejectsAddress()
{
    QFETCH(const QString, address);
    CompletedRun run(words("status", "--host", address), 64);
    VERIFY_CONTAINS(run.error(), "--host: expected ssh://[USER@]MACHINE[:PORT]/[NAME], found ");
}

void RemoteHostTest::copiesBothDirections()
{
    StartedRun run(words("control-stdio", "--config", m_configuration));
    run.write(hello);
    QVERIFY(run.waitForOutput("\"protocol\":1"));
    run.write("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"agents.list\"}\n");
    // The response arrives although stdin has ended.
    QCOMPARE(run.endInput(), 0);
    QCOMPARE(run.output().count('\n'), 2);
    VERIFY_CONTAINS(run.output(), "\"agent\":\"a\"");
}

void RemoteHostTest::endsWithTheReaderOfStdout()
{
    // Its stdin stays open.
    ShellRun run("sh",
                 words("-c", R"("$0" control-stdio --config "$1" | head -c 10)", REKINDLE_COMMAND,
                       m_configuration));
    QVERIFY(run.begin());
    run.write(hello);
    QCOMPARE(run.end(), 0);
    QCOMPARE(run.output().size(), 10);
}

// sshd gives a command one socket as stdin and stdout.
void RemoteHostTest::endsWithASocketAsStdout()
{
    std::array<int, 2> ends{-1, -1};
    QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    UniqueFd client(ends[0]);
    UniqueFd server(ends[1]);
    CommandRun run(words("control-stdio", "--config", m_configuration));
    run.setChildProcessModifier([descriptor = server.get()] {
        ::dup2(descriptor, STDIN_FILENO);
        ::dup2(descriptor, STDOUT_FILENO);
    });
    QVERIFY(run.begin());
    server.reset();
    QCOMPARE(::send(client.get(), hello, sizeof hello - 1, 0), ssize_t{sizeof hello - 1});
    std::array<char, 4096> answer{};
    QVERIFY(::recv(client.get(), answer.data(), answer.size(), 0) > 0);
    client.reset();
    QCOMPARE(run.end(), 0);
}

void RemoteHostTest::reportsOutputThatCannotBeWritten()
{
    ShellRun run("sh",
                 words("-c", R"(exec "$0" control-stdio --config "$1" > /dev/full)",
                       REKINDLE_COMMAND, m_configuration));
    QVERIFY(run.begin());
    run.write(hello);
    QCOMPARE(run.end(), 1);
    VERIFY_CONTAINS(run.error(), "stdout: No space left on device");
}

void RemoteHostTest::endsWithTheHost()
{
    const QString other = writeFile(m_folder.path(), QStringLiteral("other.json"),
                                    configuration({words("sleep", "1h")}, {}));
    StartedRun up(words("up", other, "--store", "off", "--state", "off", "--log", "json"));
    QVERIFY(up.waitForOutput("agent.ready"));
    StartedRun run(words("control-stdio", "--config", other));
    run.write(hello);
    QVERIFY(run.waitForOutput("\"protocol\":1"));
    QCOMPARE(up.endBy(SIGTERM), 0);
    QCOMPARE(run.end(), 0);
    VERIFY_CONTAINS(run.output(), "\"method\":\"bye\"");
}

void RemoteHostTest::reportsMissingHost()
{
    CompletedRun run(words("control-stdio", "--host", m_folder.filePath(QStringLiteral("x.sock"))),
                     69);
    VERIFY_CONTAINS(run.error(), "no host listens on it (No such file or directory)");
    CompletedRun remote(words("control-stdio", "--host", "ssh://machine/"), 64);
    VERIFY_CONTAINS(remote.error(), "expected a host on this machine");
}

void RemoteHostTest::commandsOperateRemoteHosts_data()
{
    const Rows<QStringList, QByteArray> row("arguments", "expected");
    row("status", words("status"), "Running");
    row("explain", words("explain", "a"), "no start or stop is planned");
    row("isolate", words("isolate", "a"), "circuit breaker isolated");
    row("reset", words("reset", "a"), "circuit breaker closed");
}

void RemoteHostTest::commandsOperateRemoteHosts()
{
    QFETCH(const QStringList, arguments);
    QFETCH(const QByteArray, expected);
    CompletedRun hosts(words("hosts", "--json"));
    QString name;
    const QJsonDocument document = QJsonDocument::fromJson(hosts.output());
    for (const auto &each : document[QLatin1String("hosts")].toArray()) {
        if (each[QLatin1String("config")].toString() == m_configuration)
            name = each[QLatin1String("name")].toString();
    }
    QVERIFY(name.startsWith(QLatin1String("it's remote-")));
    const QString address =
        QLatin1String("ssh://me@machine/") + QString::fromLatin1(QUrl::toPercentEncoding(name));
    CommandRun run(arguments + words("--host", address));
    useSsh(run, localSsh);
    QCOMPARE(run.complete(), 0);
    VERIFY_CONTAINS(run.output(), expected);
}

void RemoteHostTest::controlStdioOffersNoOtherMachine()
{
    CompletedRun help(words("control-stdio", "--help"));
    VERIFY_CONTAINS(help.output(), "--host NAME|PATH");
    QVERIFY(!help.output().contains("ssh://["));
    CompletedRun other(words("status", "--help"));
    VERIFY_CONTAINS(other.output(), "ssh://[");
}

// The lines are read on the other machine, which sends no new ones.
void RemoteHostTest::logsOfRemoteHostIncludeFiles()
{
    const QString filing = writeFile(m_folder.path(), QStringLiteral("filing.json"), R"({"agents": [
        {"name": "filer", "kind": "process", "program": "sh", "stdout": {"file": "filing.log"},
         "ready": {"kind": "now"}, "arguments": ["-c", "echo first; exec sleep 1000"]}]})");
    StartedRun up(words("up", filing, "--store", "off", "--state", "off", "--log", "json"));
    QVERIFY(up.waitForOutput("agent.ready"));
    const QString log = m_folder.filePath(QStringLiteral("filing.log"));
    QVERIFY(waitUntil([&] { return readFile(log) == "first\n"; }));
    CommandRun logs(
        words("logs", "filer", "--follow", "--stream", "stdout", "--host", "ssh://machine/filing"));
    useSsh(logs, localSsh);
    QCOMPARE(logs.complete(), 0);
    QCOMPARE(logs.output(), QByteArray("first\n"));
    VERIFY_CONTAINS(logs.error(), "on the other machine are not followed");
    QCOMPARE(up.endBy(SIGTERM), 0);
}

// Each call of control-mcp starts ssh.
void RemoteHostTest::reapsProcessesOfSsh()
{
    CommandRun run(words("control-mcp", "--host", "ssh://machine/"));
    useSsh(run, "exit 255\n");
    QVERIFY(run.begin());
    constexpr int calls = 20;
    for (int id = 1; id <= calls; ++id) {
        run.write(R"({"jsonrpc":"2.0","id":)" + QByteArray::number(id)
                  + R"(,"method":"tools/call","params":{"name":"list_agents"}})" + '\n');
        QVERIFY(waitUntil([&] { return run.wholeLines().count('\n') == id; }));
    }
    QFile children(QStringLiteral("/proc/%1/task/%1/children").arg(run.processId()));
    QVERIFY(children.open(QIODevice::ReadOnly));
    const qsizetype left = children.readAll().trimmed().split(' ').size();
    QVERIFY2(left < calls / 2, QByteArray::number(left).constData());
    QCOMPARE(run.endInput(), 0);
}

void RemoteHostTest::reportsFailureOfSsh()
{
    CommandRun run(words("status", "--host", "ssh://machine/web"));
    useSsh(run, "echo 'ssh: connect to host machine: Connection refused' >&2; exit 255\n");
    QCOMPARE(run.complete(), 69);
    VERIFY_CONTAINS(run.error(), "Connection refused");
    VERIFY_CONTAINS(run.error(), "ssh://machine/web: the host has closed the connection");
}

void RemoteHostTest::reportsMissingSsh()
{
    CommandRun run(words("status", "--host", "ssh://machine/web"));
    run.setVariable("PATH", m_folder.path());
    QCOMPARE(run.complete(), 69);
    VERIFY_CONTAINS(run.error(), "ssh cannot be started: No such file or directory");
}

// ssh may ask for a password each time.
void RemoteHostTest::agentsReturnWithTheirHost()
{
    using std::chrono::seconds;
    const QString far = writeFile(m_folder.path(), QStringLiteral("far.json"),
                                  configuration({words("sleep", "1h")}, {}));
    const auto host = [&far] {
        auto up = std::make_unique<CommandRun>(
            words("up", far, "--store", "off", "--state", "off", "--log", "json"));
        return up->begin() && up->waitForOutput("agent.ready") ? std::move(up) : nullptr;
    };
    std::unique_ptr<CommandRun> up = host();
    QVERIFY(up);
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", QFile::encodeName(pathWithSsh(localSsh)));
    const auto restored = qScopeGuard([&] { qputenv("PATH", path); });
    VirtualClock clock;
    VirtualScheduler times(clock);
    RemoteAgents source(times, QStringLiteral("ssh://me@machine/far"));
    times.advance({}); // connects
    QVERIFY(waitUntil([&] { return source.isAvailable(); }));
    QCOMPARE(source.ids().size(), 1);
    QCOMPARE(up->endBy(SIGTERM), 0);
    QVERIFY(waitUntil([&] { return !source.isAvailable(); }));
    for (const int delay : {1, 2, 4, 8, 16, 30, 30}) {
        QVERIFY2(waitUntil([&] { return times.nextDue() == times.now() + seconds(delay); }),
                 QByteArray::number(delay).constData());
        times.advance(seconds(delay));
    }
    QVERIFY(waitUntil([&] { return times.nextDue() == times.now() + seconds(30); }));
    up = host();
    QVERIFY(up);
    times.advance(seconds(30));
    QVERIFY(waitUntil([&] { return source.isAvailable(); }));
    QCOMPARE(source.ids().size(), 1);
    QCOMPARE(up->endBy(SIGTERM), 0);
    QVERIFY(waitUntil([&] { return times.nextDue() == times.now() + seconds(1); }));
}

REKINDLE_TEST(RemoteHostTest)
#include "remotehosttest.moc"
