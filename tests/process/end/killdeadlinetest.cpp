// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// The guard kills the bound agents at the deadline, whatever their host does.

#include "process/agentlog.h"
#include "process/guards.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/lifecycle/clock.h>
#include <rekindle/process/killdeadline.h>

#include <algorithm>
#include <csignal>

using namespace Rekindle;

namespace {

Instant bootNow() { return SystemClock().bootNow(); }

/// Returns true if the process has a timer that will fire.
bool hasArmedTimer(pid_t process)
{
    const QDir descriptors(QStringLiteral("/proc/%1/fdinfo").arg(process));
    const QStringList names = descriptors.entryList(QDir::Files);
    return std::any_of(names.cbegin(), names.cend(), [&descriptors](const QString &name) {
        QFile file(descriptors.filePath(name));
        const QByteArray info = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        return info.contains("it_value: ") && !info.contains("it_value: (0, 0)");
    });
}

/// A host with a bound agent and another one, each with two processes.
class DeadlineHost
{
public:
    DeadlineHost()
    {
        process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process.start(QStringLiteral(REKINDLE_KILLDEADLINEHOST), {m_bound, m_free});
    }
    ~DeadlineHost()
    {
        process.kill();
        process.waitForFinished(30000);
    }
    Q_DISABLE_COPY_MOVE(DeadlineHost)

    [[nodiscard]] bool isUp() const { return bound().size() == 2 && free().size() == 2; }
    [[nodiscard]] QList<pid_t> bound() const { return numbersIn(m_bound); }
    [[nodiscard]] QList<pid_t> free() const { return numbersIn(m_free); }
    [[nodiscard]] bool areAllBoundLiving() const { return areAllLiving(bound()); }
    [[nodiscard]] bool areAllFreeLiving() const { return areAllLiving(free()); }
    [[nodiscard]] pid_t id() const { return static_cast<pid_t>(process.processId()); }

    void execute(const QByteArray &commands) { process.write(commands); }

    /// Returns the deadline that the next command `set` has set.
    Instant nextDeadline()
    {
        if (!QTest::qWaitFor([this] { return process.canReadLine(); }, 30000))
            return Instant::max();
        return Instant{std::chrono::nanoseconds{process.readLine().trimmed().toLongLong()}};
    }

    QProcess process;

private:
    static bool areAllLiving(const QList<pid_t> &processes)
    {
        return std::all_of(processes.cbegin(), processes.cend(), isLiving);
    }

    QTemporaryDir m_folder;
    QString m_bound = m_folder.filePath(QStringLiteral("bound"));
    QString m_free = m_folder.filePath(QStringLiteral("free"));
};

/// An agent that is not a process.
class ObjectAgent final : public Agent
{
public:
    void start() override {}
    void stop() override {}
};

} // namespace

class KillDeadlineTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { KillDeadline::clear(); }

    void killsOnlyBoundAgentsOfStoppedHost_data()
    {
        const Rows<QByteArray, int> row("commands", "deadlines");
        row("set", "set 2000\n", 1);
        row("moved to earlier", "set 3600000\nset 2000\n", 2);
        row("cleared and set again", "set 3600000\nclear\nset 2000\n", 2);
    }

    void killsOnlyBoundAgentsOfStoppedHost()
    {
        QFETCH(const QByteArray, commands);
        QFETCH(const int, deadlines);
        DeadlineHost host;
        QTRY_VERIFY_WITH_TIMEOUT(host.isUp(), 30000);
        host.execute(commands);
        Instant deadline;
        for (int i = 0; i < deadlines; ++i)
            deadline = host.nextDeadline();
        ::kill(host.id(), SIGSTOP);
        QTRY_VERIFY_WITH_TIMEOUT(!isAnyLiving(host.bound()), 30000);
        QVERIFY(bootNow() >= deadline);
        QCOMPARE(statusOf(host.id()).value(0), QByteArray("T"));
        QVERIFY(host.areAllFreeLiving());
    }

    // The host does not wake the guard, whose timer fires at the first deadline.
    void renewalMovesDeadline()
    {
        DeadlineHost host;
        QTRY_VERIFY_WITH_TIMEOUT(host.isUp(), 30000);
        QList<pid_t> guards;
        QTRY_VERIFY_WITH_TIMEOUT((guards = guardsOf(host.id())).size() == 1, 30000);
        host.execute("set 8000\n");
        host.nextDeadline();
        QTRY_VERIFY_WITH_TIMEOUT(hasArmedTimer(guards.first()), 30000);
        host.execute("set 8500\n");
        const Instant deadline = host.nextDeadline();
        ::kill(host.id(), SIGSTOP);
        QTRY_VERIFY_WITH_TIMEOUT(!isAnyLiving(host.bound()), 30000);
        QVERIFY(bootNow() >= deadline);
    }

    void movedDeadlineKillsLater_data()
    {
        const Rows<QByteArray> row("commands");
        row("moved", "set 2000\nset 3600000\n");
        row("cleared", "set 2000\nclear\n");
        row("set again", "set 2000\nclear\nset 3600000\n");
    }

    void movedDeadlineKillsLater()
    {
        QFETCH(const QByteArray, commands);
        DeadlineHost host;
        QTRY_VERIFY_WITH_TIMEOUT(host.isUp(), 30000);
        host.execute(commands);
        const Instant first = host.nextDeadline();
        QTRY_VERIFY_WITH_TIMEOUT(bootNow() > first + std::chrono::milliseconds(500), 30000);
        QVERIFY(host.areAllBoundLiving());
        // Then it is moved to an earlier time.
        host.execute("set 0\n");
        QTRY_VERIFY_WITH_TIMEOUT(!isAnyLiving(host.bound()), 30000);
        QVERIFY(host.areAllFreeLiving());
    }

    void hostIsKilledBeforeDeadline()
    {
        DeadlineHost host;
        QTRY_VERIFY_WITH_TIMEOUT(host.isUp(), 30000);
        host.execute("set 3600000\n");
        host.nextDeadline();
        ::kill(host.id(), SIGKILL);
        QVERIFY(host.process.waitForFinished(30000));
        QTRY_VERIFY_WITH_TIMEOUT(!isAnyLiving(host.bound() + host.free()), 30000);
    }

    void nextGuardKillsAtDeadline()
    {
        DeadlineHost host;
        QTRY_VERIFY_WITH_TIMEOUT(host.isUp(), 30000);
        QList<pid_t> guards;
        QTRY_VERIFY_WITH_TIMEOUT((guards = guardsOf(host.id())).size() == 1, 30000);
        QVERIFY(!hasArmedTimer(guards.first()));
        host.execute("set 2000\n");
        const Instant deadline = host.nextDeadline();
        ::kill(guards.first(), SIGKILL);
        QTRY_VERIFY_WITH_TIMEOUT(!isAnyLiving(host.bound()), 30000);
        QVERIFY(bootNow() >= deadline);
        QVERIFY(host.areAllFreeLiving());
    }

    void boundAgentDoesNotStartWithoutGuard()
    {
        qputenv("REKINDLE_GUARD", "/surely/not/there");
        DeadlineHost host;
        qunsetenv("REKINDLE_GUARD");
        QTRY_VERIFY_WITH_TIMEOUT(host.process.canReadLine(), 30000);
        QCOMPARE(host.process.readLine(),
                 QByteArray("Process is not started because of the kill deadline: no guard would "
                            "enforce it\n"));
        QCOMPARE(host.bound().size(), 0);
        // Only the test kills the process that has left its session.
        for (const pid_t process : host.free())
            ::kill(process, SIGKILL);
    }

    void boundAgentDoesNotStartAfterDeadline()
    {
        AgentLog log(chaos("hang"));
        QVERIFY(log.agent.setKillDeadlineBound(true));
        QVERIFY(KillDeadline::set(bootNow()));
        log.agent.start();
        QCOMPARE(log.entries, listOf("failed InitializationFailed"));
        QCOMPARE(log.failure.detail.message,
                 QStringLiteral("Process is not started because of the kill deadline: it has "
                                "passed"));
        QVERIFY(!log.failure.detail.permanent);

        QVERIFY(KillDeadline::set(bootNow() + std::chrono::hours(1)));
        log.agent.start();
        QVERIFY(log.agent.isAlive());
        log.agent.kill();
        QVERIFY(log.waitForEnd());
    }

    void releasedAgentStartsAfterDeadline()
    {
        AgentLog log(chaos("exit 0"));
        QVERIFY(log.agent.setKillDeadlineBound(true));
        QVERIFY(log.agent.setKillDeadlineBound(false));
        QVERIFY(KillDeadline::set(bootNow()));
        QVERIFY(log.run());
        QCOMPARE(log.entries.last(), QStringLiteral("stopped"));
    }

    void reportsDeadlineInFailure()
    {
        AgentLog log(chaos("hang"));
        QVERIFY(log.agent.setKillDeadlineBound(true));
        for (int i = 0; i < 3; ++i) {
            QVERIFY(KillDeadline::set(bootNow() + std::chrono::hours(1)));
            log.agent.start();
            QVERIFY(log.agent.isAlive());
            QVERIFY(KillDeadline::set(bootNow() + std::chrono::milliseconds(i * 10)));
            QVERIFY(log.waitForEnd());
            QCOMPARE(log.entries.last(), QStringLiteral("failed ProcessCrash"));
            QCOMPARE(log.failure.detail.message,
                     QStringLiteral("Process was killed by SIGKILL at the kill deadline"));
        }
    }

    void startAtDeadlineIsKilledOrRefused()
    {
        AgentLog log(chaos("hang"));
        QVERIFY(log.agent.setKillDeadlineBound(true));
        for (int i = 0; i < 100; ++i) {
            QVERIFY(KillDeadline::set(bootNow() + std::chrono::microseconds(i * 50)));
            log.agent.start();
            QVERIFY(log.waitForEnd());
        }
    }

    void onlyProcessesCanBeBound()
    {
        ObjectAgent agent;
        QVERIFY(!agent.setKillDeadlineBound(true));
    }
};

REKINDLE_TEST(KillDeadlineTest)
#include "killdeadlinetest.moc"
