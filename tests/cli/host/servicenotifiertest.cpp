// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "servicemanagersocket.h"
#include "testprogram.h"
#include "testrow.h"

#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <memory>

using namespace Rekindle;

/// `up` and `run` as services: the messages that systemd would receive.
class ServiceNotifierTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void isReadyWhenAgentsAreReady();
    void failingAgentDoesNotDelayReadiness();
    void reportsStop();
    void reportsReload();
    void sendsSignsOfLife();
    void ignoresWatchdogOfAnotherProcess();
    void hidesTheSocketFromAgents();
    void runsWithoutServiceManager_data();
    void runsWithoutServiceManager();
    void runIsReadyToo();

private:
    bool hasReceived(const QByteArray &text) { return m_manager->hasReceived(text); }
    bool waitFor(const QByteArray &text) { return m_manager->waitFor(text); }
    [[nodiscard]] QString write(const QByteArray &agents)
    {
        return writeFile(m_folder.path(), QStringLiteral("service.json"),
                         "{\"agents\": [" + agents + "]}");
    }
    // The variables of a service manager.
    void addVariables(CommandRun &run, const QString &watchdog = {}) const
    {
        run.setVariable("NOTIFY_SOCKET", m_path);
        if (!watchdog.isEmpty())
            run.setVariable("WATCHDOG_USEC", watchdog);
    }

    QTemporaryDir m_folder;
    QString m_path;
    std::unique_ptr<ServiceManagerSocket> m_manager;
};

namespace {

constexpr char sleeper[] = R"({"name": "web", "kind": "process", "program": "sh",
    "arguments": ["-c", "echo notify=$${NOTIFY_SOCKET-none}; exec sleep 1000"],
    "ready": {"kind": "line", "pattern": "notify"}})";
constexpr char crasher[] = R"({"name": "crash", "kind": "process", "program": "sh",
    "arguments": ["-c", "exit 1"], "policy": {"type": "linear", "initialDelay": "1h",
                                               "maxDelay": "1h"}})";

QStringList upOf(const QString &configuration)
{
    return words("up", configuration, "--store", "off", "--state", "off", "--log", "text",
                 "--control", "off");
}

} // namespace

void ServiceNotifierTest::init()
{
    m_manager = std::make_unique<ServiceManagerSocket>();
    m_path = m_manager->path();
}

void ServiceNotifierTest::isReadyWhenAgentsAreReady()
{
    const QString late = writeFile(m_folder.path(), QStringLiteral("late"), {});
    CommandRun up(upOf(write(R"({"name": "late", "kind": "process", "program": "sh", "arguments":
        ["-c", "read line < $0; echo begins; exec sleep 1000", ")"
                             + late.toUtf8() + R"(.fifo"],
        "ready": {"kind": "line", "pattern": "begins"}})")));
    const QByteArray fifo = QFile::encodeName(late) + ".fifo";
    QCOMPARE(::mkfifo(fifo.constData(), 0600), 0);
    addVariables(up);
    QVERIFY(up.begin());
    QVERIFY(up.waitForError("late: start 1"));
    QVERIFY(!hasReceived("READY=1"));
    QFile file(QFile::decodeName(fifo));
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    QCOMPARE(file.write("go\n"), 3);
    QVERIFY(waitFor("READY=1\n"));
    QVERIFY(waitFor("STATUS=1 of 1 agent running\n"));
    QCOMPARE(up.endBy(SIGTERM), 0);
}

void ServiceNotifierTest::failingAgentDoesNotDelayReadiness()
{
    CommandRun up(upOf(write(QByteArray(sleeper) + ", " + crasher)));
    addVariables(up);
    QVERIFY(up.begin());
    QVERIFY(waitFor("READY=1\n"));
    QVERIFY(waitFor("STATUS=1 of 2 agents running; not running: crash (Waiting)\n"));
    QCOMPARE(up.endBy(SIGTERM), 0);
    QCOMPARE(m_manager->count("READY=1"), 1);
}

void ServiceNotifierTest::reportsStop()
{
    CommandRun up(upOf(write(sleeper)));
    addVariables(up);
    QVERIFY(up.begin());
    QVERIFY(waitFor("READY=1\n"));
    QCOMPARE(up.endBy(SIGTERM), 0);
    QVERIFY(hasReceived("STOPPING=1\nSTATUS=stopping 1 agent\n"));
}

void ServiceNotifierTest::reportsReload()
{
    CommandRun up(upOf(write(sleeper)));
    addVariables(up);
    // With a controlling terminal, SIGHUP stops it.
    up.setChildProcessModifier([] {
        ::setsid();
        std::signal(SIGHUP, SIG_DFL);
        std::signal(SIGTERM, SIG_DFL);
    });
    QVERIFY(up.begin());
    QVERIFY(waitFor("READY=1\n"));
    m_manager->clear();
    up.signal(SIGHUP);
    QVERIFY(waitFor("RELOADING=1\nMONOTONIC_USEC="));
    QVERIFY(waitFor("READY=1"));
    QCOMPARE(up.endBy(SIGTERM), 0);
}

void ServiceNotifierTest::sendsSignsOfLife()
{
    CommandRun up(upOf(write(sleeper)));
    addVariables(up, QStringLiteral("20000"));
    QVERIFY(up.begin());
    QVERIFY(waitUntil(
        [this] { return hasReceived("WATCHDOG=1") && m_manager->count("WATCHDOG=1") > 3; }));
    QCOMPARE(up.endBy(SIGTERM), 0);
}

void ServiceNotifierTest::ignoresWatchdogOfAnotherProcess()
{
    CommandRun up(upOf(write(sleeper)));
    addVariables(up, QStringLiteral("1000"));
    up.setVariable("WATCHDOG_PID", QStringLiteral("1"));
    QVERIFY(up.begin());
    QVERIFY(waitFor("READY=1\n"));
    QCOMPARE(up.endBy(SIGTERM), 0);
    QVERIFY(!hasReceived("WATCHDOG=1"));
}

void ServiceNotifierTest::hidesTheSocketFromAgents()
{
    CommandRun up(upOf(write(sleeper)));
    addVariables(up);
    QVERIFY(up.begin());
    QVERIFY(up.waitForError("web| notify=none"));
    QCOMPARE(up.endBy(SIGTERM), 0);
}

void ServiceNotifierTest::runsWithoutServiceManager_data()
{
    const Rows<QString> row("socket");
    row("no socket", m_folder.filePath(QStringLiteral("none")));
    row("empty", "");
    row("relative path", "notify");
    row("vsock", "vsock:2:1234");
    row("too long", QString(200, u'/'));
}

void ServiceNotifierTest::runsWithoutServiceManager()
{
    QFETCH(const QString, socket);
    m_path = socket;
    CommandRun up(upOf(write(sleeper)));
    addVariables(up, QStringLiteral("1000"));
    QVERIFY(up.begin());
    QVERIFY(up.waitForError("web| notify"));
    QCOMPARE(up.endBy(SIGTERM), 0);
}

void ServiceNotifierTest::runIsReadyToo()
{
    CommandRun run(words("run", "--store", "off", "--", "sleep", "1000"));
    addVariables(run);
    QVERIFY(run.begin());
    QVERIFY(waitFor("READY=1\nSTATUS=1 of 1 agent running\n"));
    run.signal(SIGTERM);
    QVERIFY(waitFor("STOPPING=1"));
    run.end();
}

REKINDLE_TEST(ServiceNotifierTest)
#include "servicenotifiertest.moc"
