// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/watch/debounce_p.h"
#include "testprogram.h"

#include <rekindle/lifecycle/virtualscheduler.h>

#include <QtTest>

using namespace Rekindle;
using namespace std::chrono_literals;

class DebounceTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void manyAreOne();
    void eachAddsToTheWait();
    void itComesThoughTheyDoNotStop();
    void aTriggerFromInside();
    void nothingWithoutATrigger();

private:
    VirtualClock m_clock;
    VirtualScheduler m_scheduler{m_clock};
};

void DebounceTest::manyAreOne()
{
    int calls = 0;
    Debounce debounce(m_scheduler, 200ms, 5s, [&] { ++calls; });
    for (int i = 0; i < 1000; ++i)
        debounce.trigger();
    m_scheduler.advance(200ms - 1ns);
    QCOMPARE(calls, 0);
    m_scheduler.advance(1ns);
    QCOMPARE(calls, 1);
    m_scheduler.advance(1h);
    QCOMPARE(calls, 1);
    debounce.trigger();
    m_scheduler.advance(200ms);
    QCOMPARE(calls, 2);
}

void DebounceTest::eachAddsToTheWait()
{
    int calls = 0;
    Debounce debounce(m_scheduler, 200ms, 5s, [&] { ++calls; });
    debounce.trigger();
    m_scheduler.advance(199ms);
    debounce.trigger();
    m_scheduler.advance(199ms);
    QCOMPARE(calls, 0);
    m_scheduler.advance(1ms);
    QCOMPARE(calls, 1);
}

void DebounceTest::itComesThoughTheyDoNotStop()
{
    QList<Instant> calls;
    Debounce debounce(m_scheduler, 200ms, 5s, [&] { calls.append(m_scheduler.now()); });
    const Instant start = m_scheduler.now();
    for (int i = 0; i < 120; ++i) { // 12 s
        debounce.trigger();
        m_scheduler.advance(100ms);
    }
    QCOMPARE(calls.size(), 2);
    QVERIFY(calls[0] - start == 5s);
    // The second wait begins with the trigger that comes after the first call, or with it.
    QVERIFY(calls[1] - calls[0] == 5s);
}

void DebounceTest::aTriggerFromInside()
{
    int calls = 0;
    std::unique_ptr<Debounce> debounce;
    debounce = std::make_unique<Debounce>(m_scheduler, 200ms, 5s, [&] {
        if (++calls < 3)
            debounce->trigger();
    });
    debounce->trigger();
    m_scheduler.advance(600ms);
    QCOMPARE(calls, 3);
}

void DebounceTest::nothingWithoutATrigger()
{
    int calls = 0;
    const Debounce debounce(m_scheduler, 200ms, 5s, [&] { ++calls; });
    m_scheduler.advance(1h);
    QCOMPARE(calls, 0);
}

REKINDLE_TEST(DebounceTest)
#include "debouncetest.moc"
