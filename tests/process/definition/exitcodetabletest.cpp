// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "testrow.h"

#include <Rekindle/ExitCodeTable>

using namespace Rekindle;

class ExitCodeTableTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hasDefaults_data()
    {
        const Rows<int, FailureReason, bool> row("code", "reason", "permanent");
        row("any", 1, FailureReason::ProcessCrash, false);
        row("unavailable", 69, FailureReason::DependencyFailure, false);
        row("temporary", 75, FailureReason::DependencyFailure, false);
        row("configuration", 78, FailureReason::InitializationFailed, true);
        row("not executable", 126, FailureReason::InitializationFailed, false);
        row("not found", 127, FailureReason::InitializationFailed, false);
        row("shell's SIGSEGV", 139, FailureReason::ProcessCrash, false);
    }

    void hasDefaults()
    {
        QFETCH(int, code);
        const ExitCodeTable::Meaning meaning = ExitCodeTable().meaning(code);
        QFETCH(FailureReason, reason);
        QCOMPARE(toText(meaning.reason), toText(reason));
        QTEST(meaning.permanent, "permanent");
    }

    void addsAndReplacesRows()
    {
        ExitCodeTable table;
        QVERIFY(table.insert(3, {FailureReason::ResourceExhaustion, true}));
        QVERIFY(table.meaning(3).reason == FailureReason::ResourceExhaustion);
        QVERIFY(table.meaning(3).permanent);
        QVERIFY(table != ExitCodeTable());
        QVERIFY(ExitCodeTable().meaning(3).reason == FailureReason::ProcessCrash);
        QVERIFY(table.insert(69, {FailureReason::ProcessCrash, false}));
        QVERIFY(table.meaning(69).reason == FailureReason::ProcessCrash);
    }

    void rowReplacesRestartRequest()
    {
        ExitCodeTable table;
        QVERIFY(table.isRestartRequest(42));
        QVERIFY(!table.isRestartRequest(43));
        QVERIFY(table.insert(42, {FailureReason::Timeout, false}));
        QVERIFY(!table.isRestartRequest(42));
        QVERIFY(table.meaning(42).reason == FailureReason::Timeout);
    }

    void rejectsCleanAndInvalidCodes()
    {
        ExitCodeTable table;
        for (const int code : {-1, 0, 256})
            QVERIFY(!table.insert(code, {}));
        QVERIFY(table == ExitCodeTable());
    }
};

REKINDLE_TEST(ExitCodeTableTest)
#include "exitcodetabletest.moc"
