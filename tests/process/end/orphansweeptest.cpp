// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "process/guard/orphansweep_p.h"
#include "testprogram.h"
#include "testrow.h"

#include <memory>

using namespace Rekindle;
using Scope = OrphanSweep::Scope;

class OrphanSweepTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void recognizesOrphansByMark_data()
    {
        const Rows<QByteArray, bool, bool> row("environment", "ended", "all");
        const auto entry = [](const QByteArray &marks) -> QByteArray {
            return QByteArray("HOME=/\0REKINDLE_INSTANCE=", 25) + marks + QByteArray("\0A=B\0", 5);
        };
        const QByteArray run = "0123456789abcdef";
        const QByteArray other = "ffffffffffffffff:00000002:00000001";
        row("ended start", entry(run + ":00000002:00000005"), true, true);
        row("earlier start", entry(run + ":00000002:00000001"), true, true);
        row("live start", entry(run + ":00000002:00000006"), false, true);
        row("slot without an end", entry(run + ":00000003:00000001"), false, true);
        row("slot beyond the table", entry(run + ":0001fffe:00000000"), false, true);
        row("no number", entry(run + ":0000000x:00000001"), false, true);
        row("another host", entry(other), false, false);
        row("inner one of another", entry(other + '/' + run + ":00000002:00000005"), true, true);
        row("outer one of another", entry(run + ":00000002:00000005/" + other), true, true);
        row("live in another", entry(other + '/' + run + ":00000002:00000006"), false, true);
        row("truncated", entry(run + ":00000002:0000000"), false, false);
        row("no mark", QByteArray("HOME=/\0", 7), false, false);
        row("another name", QByteArray("XREKINDLE_INSTANCE=" + run + ":00000002:00000001"), false,
            false);
        row("without a final NUL", QByteArray("REKINDLE_INSTANCE=" + run + ":00000002:00000001"),
            true, true);
        row("empty", {}, false, false);
    }

    void recognizesOrphansByMark()
    {
        QFETCH(QByteArray, environment);
        const auto table = std::make_unique<GuardTable>();
        table->slots[2].ended = 5;
        const OrphanSweep sweep(*table, "0123456789abcdef");
        const std::string_view view(environment.constData(),
                                    static_cast<std::size_t>(environment.size()));
        QTEST(sweep.isOrphan(view, Scope::Ended), "ended");
        QTEST(sweep.isOrphan(view, Scope::All), "all");
    }

    void recognizesBoundProcessesAfterKillTime_data()
    {
        const Rows<std::uint32_t, std::int64_t, bool> row("bound", "killTime", "orphan");
        row("passed", 1, GuardTable::killTimePassed, true);
        row("not bound", 0, GuardTable::killTimePassed, false);
        row("not passed", 1, 1'000'000'000, false);
        row("none", 1, GuardTable::noKillTime, false);
    }

    void recognizesBoundProcessesAfterKillTime()
    {
        QFETCH(std::uint32_t, bound);
        QFETCH(std::int64_t, killTime);
        const auto table = std::make_unique<GuardTable>();
        table->slots[2].bound = bound;
        table->killTime = killTime;
        const OrphanSweep sweep(*table, "0123456789abcdef");
        QTEST(sweep.isOrphan("REKINDLE_INSTANCE=0123456789abcdef:00000002:00000001", Scope::Ended),
              "orphan");
    }
};

REKINDLE_TEST(OrphanSweepTest)
#include "orphansweeptest.moc"
