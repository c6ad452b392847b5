// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// No process remains after the host has exited, for whatever reason.

#include "process/agentlog.h"
#include "process/guards.h"
#include "testprogram.h"
#include "testrow.h"

#include <csignal>

using namespace Rekindle;

class OrphansTest : public QObject
{
    Q_OBJECT

    // The commands of an agent with two grandchildren, one of which has left the session. All
    // ignore SIGTERM and append their process ids to the file.
    static QStringList hostArguments(const QString &how, const QString &file)
    {
        return {how,  QStringLiteral("ignore-term"), QStringLiteral("append"),
                file, QStringLiteral("fork"),        QStringLiteral("group-ignoring-term"),
                file, QStringLiteral("fork"),        QStringLiteral("session-ignoring-term"),
                file, QStringLiteral("out"),         QStringLiteral("up")};
    }

private Q_SLOTS:
    void guardKillsEverythingAfterHost_data()
    {
        const Rows<QString, bool> row("how", "killed");
        row("killed", "wait", true);
        row("returned", "return", false);
        row("exited", "exit", false);
    }

    void guardKillsEverythingAfterHost()
    {
        QFETCH(QString, how);
        QFETCH(bool, killed);
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("pids"));
        QProcess host;
        host.setProcessChannelMode(QProcess::ForwardedChannels);
        host.start(QStringLiteral(REKINDLE_ORPHANHOST), hostArguments(how, file));
        QTRY_COMPARE_WITH_TIMEOUT(numbersIn(file).size(), 3, 30000);
        const qint64 process = host.processId();
        if (killed) {
            QTRY_COMPARE_WITH_TIMEOUT(guardsOf(process).size(), 1, 30000);
            QVERIFY(isAnyLiving(numbersIn(file)));
            ::kill(static_cast<pid_t>(process), SIGKILL);
        }
        QVERIFY(host.state() == QProcess::NotRunning || host.waitForFinished(30000));
        QTRY_VERIFY_WITH_TIMEOUT(!isAnyLiving(numbersIn(file)), 30000);
        QTRY_VERIFY_WITH_TIMEOUT(guardsOf(process).isEmpty(), 30000);
    }

    void guardIsRestarted()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("pids"));
        QProcess host;
        host.start(QStringLiteral(REKINDLE_ORPHANHOST),
                   hostArguments(QStringLiteral("wait"), file));
        QTRY_COMPARE_WITH_TIMEOUT(numbersIn(file).size(), 3, 30000);
        const qint64 process = host.processId();
        // Each call reads the processes again, so use the result of one call.
        QList<pid_t> guards;
        const auto hasOneGuard = [&] {
            guards = guardsOf(process);
            return guards.size() == 1;
        };
        QTRY_VERIFY_WITH_TIMEOUT(hasOneGuard(), 20000);
        const pid_t first = guards.first();
        ::kill(first, SIGKILL);
        QTRY_VERIFY_WITH_TIMEOUT(hasOneGuard() && guards.first() != first, 20000);
        // It knows agents that were started before it.
        ::kill(static_cast<pid_t>(process), SIGKILL);
        QVERIFY(host.waitForFinished(30000));
        QTRY_VERIFY_WITH_TIMEOUT(!isAnyLiving(numbersIn(file)), 30000);
    }

    void guardIgnoresTerminationSignals()
    {
        AgentLog log(chaos("hang"));
        log.agent.start();
        QList<pid_t> guards;
        QTRY_VERIFY_WITH_TIMEOUT((guards = guardsOf(::getpid())).size() == 1, 30000);
        for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE})
            ::kill(guards.first(), number);
        log.agent.kill();
        QVERIFY(log.waitForEnd());
        QCOMPARE(guardsOf(::getpid()), guards);
    }

    void agentsRunWithoutGuardAfterOneWarning()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("pids"));
        QProcess host;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("REKINDLE_GUARD"), QStringLiteral("/surely/not/there"));
        host.setProcessEnvironment(environment);
        host.start(QStringLiteral(REKINDLE_ORPHANHOST),
                   hostArguments(QStringLiteral("return"), file));
        QVERIFY(host.waitForFinished(30000));
        QCOMPARE(numbersIn(file).size(), 3);
        QCOMPARE(host.readAllStandardError().count("No process guard"), 1);
        // Only the test kills the process that has left its session.
        for (const pid_t process : numbersIn(file))
            ::kill(process, SIGKILL);
    }
};

REKINDLE_TEST(OrphansTest)
#include "orphanstest.moc"
