// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"

#include <rekindle/process/exitverdict.h>

#include <csignal>

using namespace Rekindle;

class ExitVerdictTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // ProcessAgentTest and ProcessStopTest have the verdicts on known statuses.
    void judgesUnknownStatus()
    {
        const ExitVerdict verdict = ExitVerdict::of({}, false, ExitCodeTable());
        QCOMPARE(verdict.kind, ExitVerdict::Kind::Failed);
        QCOMPARE(verdict.failure.reason, FailureReason::Unknown);
        const ExitVerdict requested = ExitVerdict::of({}, true, ExitCodeTable());
        QCOMPARE(requested.kind, ExitVerdict::Kind::Stopped);
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
