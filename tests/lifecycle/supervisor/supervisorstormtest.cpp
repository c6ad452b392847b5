// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "fulllicense.h"
#include "testprogram.h"

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/lifecycle/virtualscheduler.h>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

constexpr int many = 10'000;

// Counts the starts between two passes of the event loop.
struct Pass
{
    int now = 0;
    int greatest = 0;
    int starts = 0;
    void count()
    {
        ++starts;
        greatest = std::max(greatest, ++now);
    }
};

class Counted : public Agent
{
public:
    explicit Counted(Pass &pass)
        : m_pass(pass)
    {
    }
    void start() override
    {
        m_pass.count();
        Q_EMIT started();
        Q_EMIT ready();
    }
    void stop() override { Q_EMIT stopped(); }
    void crash() { Q_EMIT failed(FailureReason::ProcessCrash, {}); }

private:
    Pass &m_pass;
};

void populate(AgentSupervisor &supervisor, Pass &pass, int count, const RestartPolicy &policy = {})
{
    for (int i = 0; i < count; ++i)
        QVERIFY(supervisor.add(QString::number(i), std::make_unique<Counted>(pass), policy));
}

} // namespace

class SupervisorStormTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void limitsStartsPerPass();
    void slowStartEndsPass();
    void restartsAllAfterCommonCrash();
    void clampsOptions();
    void rejectsInvalidAgents();
};

void SupervisorStormTest::limitsStartsPerPass()
{
    TimerScheduler scheduler;
    AgentSupervisor supervisor(scheduler, {.startsPerPass = 50, .passBudget = 1h});
    grantAll(supervisor);
    Pass pass;
    populate(supervisor, pass, many);
    // Other events are handled after each pass.
    QTimer others;
    int turns = 0;
    connect(&others, &QTimer::timeout, &others, [&] {
        ++turns;
        pass.now = 0;
    });
    others.start(0);
    supervisor.startAll();
    QCOMPARE(pass.starts, 0);
    QTRY_COMPARE_WITH_TIMEOUT(pass.starts, many, 60'000);
    QVERIFY(turns > 20);
    QVERIFY2(pass.greatest <= 200, qPrintable(QString::number(pass.greatest)));

    QSignalSpy allStopped(&supervisor, &AgentSupervisor::allStopped);
    supervisor.stopAll();
    QVERIFY(allStopped.wait(60'000));
    QTRY_COMPARE(scheduler.armedCount(), std::size_t{0}); // the watch for stalls ticks again
}

void SupervisorStormTest::slowStartEndsPass()
{
    // Time passes only while an agent starts.
    VirtualClock clock;
    class Slow : public Agent
    {
    public:
        Slow(VirtualClock &clock, QList<Instant> &starts)
            : m_clock(clock)
            , m_starts(starts)
        {
        }
        void start() override
        {
            m_starts.append(m_clock.now());
            m_clock.advance(6ms);
            Q_EMIT ready();
        }
        void stop() override { Q_EMIT stopped(); }

    private:
        VirtualClock &m_clock;
        QList<Instant> &m_starts;
    };
    VirtualScheduler scheduler(clock);
    AgentSupervisor supervisor(scheduler);
    grantAll(supervisor);
    QList<Instant> starts;
    for (int i = 0; i < 5; ++i)
        QVERIFY(supervisor.add(QString::number(i), std::make_unique<Slow>(clock, starts)));
    supervisor.startAll();
    QVERIFY(scheduler.advanceToNext());
    QCOMPARE(starts.size(), 2); // 12 ms are more than the budget
    QVERIFY(scheduler.advanceToNext());
    QCOMPARE(starts.size(), 4);
    scheduler.advance(0ns);
    QCOMPARE(starts.size(), 5);
}

void SupervisorStormTest::restartsAllAfterCommonCrash()
{
    VirtualClock clock;
    VirtualScheduler scheduler(clock);
    AgentSupervisor supervisor(scheduler);
    grantAll(supervisor);
    Pass pass;
    populate(supervisor, pass, many);
    supervisor.startAll();
    scheduler.advance(0ns);
    QCOMPARE(pass.starts, many);
    for (const QUuid &id : supervisor.ids())
        static_cast<Counted *>(supervisor.agent(id))->crash();
    QVERIFY(!supervisor.isIdle());
    scheduler.advance(2s);
    QCOMPARE(pass.starts, 2 * many);
    scheduler.advance(2min);
    for (const QUuid &id : supervisor.ids())
        QCOMPARE(supervisor.snapshot(id)->attempt, 0);
    supervisor.stopAll();
    scheduler.advance(0ns);
    QVERIFY(supervisor.isIdle());
}

void SupervisorStormTest::clampsOptions()
{
    VirtualClock clock;
    VirtualScheduler scheduler(clock);
    AgentSupervisor supervisor(scheduler, {.startsPerPass = 0, .passBudget = -1s});
    grantAll(supervisor);
    Pass pass;
    populate(supervisor, pass, 3);
    supervisor.startAll();
    for (int i = 0; i < 10; ++i)
        scheduler.advanceToNext();
    QCOMPARE(pass.starts, 3);
}

void SupervisorStormTest::rejectsInvalidAgents()
{
    VirtualClock clock;
    VirtualScheduler scheduler(clock);
    AgentSupervisor supervisor(scheduler);
    grantAll(supervisor);
    Pass pass;
    const auto agent = [&] { return std::make_unique<Counted>(pass); };
    const AgentSupervisor::Added web = supervisor.add(QStringLiteral("web"), agent());
    QVERIFY(web && supervisor.idOf(QStringLiteral("web")) == web.id);
    QVERIFY(supervisor.add(QStringLiteral("web"), agent())
                .faults.value(0)
                .message.contains(QLatin1String("duplicate")));
    QVERIFY(!supervisor.add(QString(), agent()));
    QVERIFY(!supervisor.add(QStringLiteral("x"), nullptr));
    RestartPolicy wrong;
    wrong.multiplier = 0;
    wrong.maxRetries = -1;
    QCOMPARE(supervisor.add(QStringLiteral("x"), agent(), wrong).faults.size(), 2);
    RestartPolicy unlimited;
    unlimited.stableAfter = 0s;
    QVERIFY(!supervisor.add(QStringLiteral("x"), agent(), unlimited, true));
    QCOMPARE(supervisor.ids(), QList<QUuid>{web.id});
    supervisor.remove(web.id);
    supervisor.remove(web.id);
    QVERIFY(supervisor.ids().isEmpty() && supervisor.idOf(QStringLiteral("web")).isNull());
    QVERIFY(supervisor.add(QStringLiteral("web"), agent())); // the name is free again
}

REKINDLE_TEST(SupervisorStormTest)
#include "supervisorstormtest.moc"
