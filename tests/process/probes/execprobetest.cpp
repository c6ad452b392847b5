// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proberun.h"
#include "process/agentlog.h"
#include "processes.h"
#include "testprogram.h"
#include "testrow.h"

#include <process/probes/execprobe_p.h>

using namespace Rekindle;

namespace {

QStringList chaosCommand(const QString &words)
{
    return QStringList{QStringLiteral(REKINDLE_CHAOSAGENT)} + words.split(u' ');
}

} // namespace

class ExecProbeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reportsResult_data()
    {
        const Rows<QString, QString> row("words", "expected");
        row("exit 0", "exit 0", "ok: exit code 0");
        row("last line", "out one out two exit 0", "ok: two");
        row("exit 1", "exit 1", "no: exit code 1");
        row("42 requests no restart", "exit 42", "no: exit code 42");
        row("error output", "out text err lost exit 3", "no: exit code 3: lost");
        row("signal", "signal 9", "no: signal 9");
        row("much output", "flood 16777216 out end exit 0", "ok: end");
        row("unfinished line", "partial half exit 0", "ok: half");
    }

    void reportsResult()
    {
        QFETCH(QString, words);
        TimerScheduler scheduler;
        ExecProbe probe(chaosCommand(words), {}, scheduler);
        ProbeRun run(probe);
        QTEST(run.run(), "expected");
        QTEST(run.run(), "expected");
        QCOMPARE(run.answers, 1);
    }

    void reportsMissingProgram()
    {
        TimerScheduler scheduler;
        ExecProbe probe({QStringLiteral("/no/such/program")}, {}, scheduler);
        const QString answer = ProbeRun(probe).run();
        QVERIFY2(answer.startsWith(QLatin1String("no: "))
                     && answer.contains(QLatin1String("/no/such/program")),
                 qPrintable(answer));
    }

    void runsInSurroundingsOfAgent()
    {
        const QTemporaryDir folder;
        ProcessDefinition surroundings;
        surroundings.workingDirectory = folder.path();
        surroundings.environment.insert(QStringLiteral("REKINDLE_TEST"), QStringLiteral("x"));
        TimerScheduler scheduler;
        ExecProbe where(chaosCommand(QStringLiteral("cwd exit 0")), surroundings, scheduler);
        QCOMPARE(ProbeRun(where).run(), QStringLiteral("ok: ") + folder.path());
        ExecProbe what(chaosCommand(QStringLiteral("env REKINDLE_TEST exit 0")), surroundings,
                       scheduler);
        QCOMPARE(ProbeRun(what).run(), QStringLiteral("ok: REKINDLE_TEST=x"));
    }

    void cancelKillsTheGroup_data()
    {
        const Rows<QString> row("kind");
        row("of the group", "group-ignoring-term");
        row("of a session of its own", "session-ignoring-term");
    }

    // The command forks, and both processes hang.
    void cancelKillsTheGroup()
    {
        QFETCH(QString, kind);
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("pids"));
        TimerScheduler scheduler;
        ExecProbe probe(
            chaosCommand(QStringLiteral("ignore-term append %1 fork %2 %1 hang").arg(file, kind)),
            {}, scheduler);
        ProbeRun run(probe);
        probe.start(std::chrono::seconds(2));
        QTRY_COMPARE_WITH_TIMEOUT(numbersIn(file).size(), 2, 30000);
        const QList<pid_t> pids = numbersIn(file);
        QVERIFY(isLiving(pids.first()) && isLiving(pids.last()));
        probe.cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!isAnyLiving(pids), 30000);
        QCOMPARE(run.answers, 0);
    }

    // The command leaves a process behind that holds its pipes open.
    void killsProcessesLeftBehind()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("pids"));
        TimerScheduler scheduler;
        ExecProbe probe(chaosCommand(QStringLiteral("fork group %1 await %1 exit 0").arg(file)), {},
                        scheduler);
        QCOMPARE(ProbeRun(probe).run(), QStringLiteral("ok: exit code 0"));
        QTRY_VERIFY_WITH_TIMEOUT(!isAnyLiving(numbersIn(file)), 30000);
    }

    void canBeDeletedInFinished()
    {
        TimerScheduler scheduler;
        QVERIFY(isDeletableInFinished(std::make_unique<ExecProbe>(
            chaosCommand(QStringLiteral("exit 0")), ProcessDefinition{}, scheduler)));
    }
};

REKINDLE_TEST(ExecProbeTest)
#include "execprobetest.moc"
