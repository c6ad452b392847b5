// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "process/end/exitverdict_p.h"
#include "testprogram.h"

#include <QTest>

#include <csignal>

using namespace Rekindle;

class ExitVerdictTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void judges_data()
    {
        using Status = ExitStatus::Kind;
        using Verdict = ExitVerdict::Kind;
        QTest::addColumn<ExitStatus>("status");
        QTest::addColumn<bool>("requested");
        QTest::addColumn<ExitVerdict::Kind>("kind");
        QTest::addColumn<FailureReason>("reason");
        const FailureReason none = FailureReason::Unknown;
        QTest::newRow("0") << ExitStatus{Status::Exited, 0} << false << Verdict::Stopped << none;
        QTest::newRow("42") << ExitStatus{Status::Exited, 42} << false << Verdict::RestartRequested
                            << none;
        QTest::newRow("3") << ExitStatus{Status::Exited, 3} << false << Verdict::Failed
                           << FailureReason::ProcessCrash;
        QTest::newRow("69") << ExitStatus{Status::Exited, 69} << false << Verdict::Failed
                            << FailureReason::DependencyFailure;
        QTest::newRow("signal") << ExitStatus{Status::Killed, SIGSEGV} << false << Verdict::Failed
                                << FailureReason::ProcessCrash;
        QTest::newRow("unknown") << ExitStatus{} << false << Verdict::Failed
                                 << FailureReason::Unknown;
        QTest::newRow("3, requested")
            << ExitStatus{Status::Exited, 3} << true << Verdict::Stopped << none;
        QTest::newRow("42, requested")
            << ExitStatus{Status::Exited, 42} << true << Verdict::Stopped << none;
        QTest::newRow("killed, requested")
            << ExitStatus{Status::Killed, SIGKILL} << true << Verdict::Stopped << none;
        QTest::newRow("unknown, requested") << ExitStatus{} << true << Verdict::Stopped << none;
    }

    void judges()
    {
        QFETCH(ExitStatus, status);
        QFETCH(bool, requested);
        const ExitVerdict verdict = ExitVerdict::of(status, requested, ExitCodeTable());
        QTEST(verdict.kind, "kind");
        QFETCH(FailureReason, reason);
        QCOMPARE(toText(verdict.failure.reason), toText(reason));
        QCOMPARE(verdict.failure.detail.message.isEmpty(),
                 verdict.kind != ExitVerdict::Kind::Failed);
    }

    void failureHasCodeOrSignal()
    {
        const ExitCodeTable table;
        const auto exited = ExitVerdict::of({ExitStatus::Kind::Exited, 78}, false, table);
        QCOMPARE(exited.failure.detail.exitCode, 78);
        QVERIFY(exited.failure.detail.permanent);
        QVERIFY(exited.failure.detail.message.contains(u"78"));
        const auto killed = ExitVerdict::of({ExitStatus::Kind::Killed, SIGABRT}, false, table);
        QCOMPARE(killed.failure.detail.signal, SIGABRT);
        QVERIFY(killed.failure.detail.message.contains(u"SIGABRT"));
        const auto unknown = ExitVerdict::of({}, false, table);
        QVERIFY(!unknown.failure.detail.exitCode);
        QVERIFY(!unknown.failure.detail.signal);
        QVERIFY(unknown.failure.detail.message.contains(u"SIGCHLD"));
    }
};

REKINDLE_TEST(ExitVerdictTest)
#include "exitverdicttest.moc"
