// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "process/end/terminator_p.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/lifecycle/virtualscheduler.h>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

struct Target : StopTarget
{
    bool closeInput() override
    {
        log.push_back(QStringLiteral("close"));
        return hasInput;
    }
    void terminateGroup() override { log.push_back(QStringLiteral("terminate")); }
    void killGroup() override { log.push_back(QStringLiteral("kill")); }
    void reportUnresponsive() override { log.push_back(QStringLiteral("unresponsive")); }
    void reportStuck() override { log.push_back(QStringLiteral("stuck")); }

    bool hasInput = true;
    QStringList log;
};

QStringList words(const char *text) { return QString::fromLatin1(text).split(u' '); }

} // namespace

class TerminatorTest : public QObject
{
    Q_OBJECT

    VirtualClock m_clock;

private Q_SLOTS:
    void executesSteps()
    {
        VirtualScheduler scheduler(m_clock);
        const StopSequence sequence{1s, 5s, 2s};
        Target target;
        Terminator terminator(sequence, scheduler, target);
        QVERIFY(terminator.isIdle());
        terminator.stop();
        QVERIFY(!terminator.isIdle());
        QCOMPARE(target.log, words("close"));
        scheduler.advance(999ms);
        QCOMPARE(target.log, words("close"));
        scheduler.advance(1ms);
        QCOMPARE(target.log, words("close terminate"));
        QVERIFY(terminator.isGraceful());
        scheduler.advance(5s);
        QCOMPARE(target.log, words("close terminate unresponsive kill"));
        QVERIFY(!terminator.isGraceful());
        scheduler.advance(2s);
        QCOMPARE(target.log, words("close terminate unresponsive kill stuck"));
        scheduler.advance(24h);
        QCOMPARE(target.log.size(), 5);
    }

    void extendsGracefulStepsUpToTenTimesTheirWait()
    {
        VirtualScheduler scheduler(m_clock);
        const StopSequence sequence{1s, 5s, 2s};
        Target target;
        Terminator terminator(sequence, scheduler, target);
        terminator.extend(1h); // no stop is in progress
        terminator.stop();
        terminator.extend(500ms); // earlier than the end of the step
        scheduler.advance(999ms);
        QCOMPARE(target.log, words("close"));
        terminator.extend(2s);
        scheduler.advance(1999ms);
        QCOMPARE(target.log, words("close"));
        scheduler.advance(1ms);
        QCOMPARE(target.log, words("close terminate"));
        terminator.extend(24h);
        terminator.extend(24h);
        scheduler.advance(49999ms);
        QCOMPARE(target.log, words("close terminate"));
        scheduler.advance(1ms);
        QCOMPARE(target.log, words("close terminate unresponsive kill"));
        terminator.extend(24h);
        scheduler.advance(2s);
        QCOMPARE(target.log, words("close terminate unresponsive kill stuck"));
    }

    void skipsWaitsOfZero_data()
    {
        const Rows<bool, int, int, QStringList> row("hasInput", "closeStdin", "terminate", "log");
        row("no input", false, 1, 5, words("close terminate"));
        row("no wait for input", true, 0, 5, words("close terminate"));
        row("no SIGTERM", true, 0, 0, words("close kill"));
        row("wait for input only", true, 1, 0, words("close"));
    }

    void skipsWaitsOfZero()
    {
        QFETCH(bool, hasInput);
        QFETCH(int, closeStdin);
        QFETCH(int, terminate);
        VirtualScheduler scheduler(m_clock);
        const StopSequence sequence{std::chrono::seconds(closeStdin),
                                    std::chrono::seconds(terminate), 2s};
        Target target;
        target.hasInput = hasInput;
        Terminator terminator(sequence, scheduler, target);
        terminator.stop();
        QTEST(target.log, "log");
    }

    void secondStopKills()
    {
        VirtualScheduler scheduler(m_clock);
        const StopSequence sequence;
        Target target;
        Terminator terminator(sequence, scheduler, target);
        terminator.stop();
        terminator.stop();
        QCOMPARE(target.log, words("close terminate kill"));
        scheduler.advance(1s);
        terminator.kill();
        QCOMPARE(target.log, words("close terminate kill kill"));
        // The kill does not delay the report.
        scheduler.advance(1s);
        QCOMPARE(target.log.last(), QStringLiteral("stuck"));
    }

    void doesNothingAfterCancel()
    {
        VirtualScheduler scheduler(m_clock);
        const StopSequence sequence;
        Target target;
        Terminator terminator(sequence, scheduler, target);
        terminator.stop();
        terminator.cancel();
        scheduler.advance(1h);
        QCOMPARE(target.log, words("close terminate"));
        QCOMPARE(scheduler.armedCount(), std::size_t{0});
    }
};

REKINDLE_TEST(TerminatorTest)
#include "terminatortest.moc"
