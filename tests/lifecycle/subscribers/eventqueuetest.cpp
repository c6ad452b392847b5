// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"

#include <rekindle/lifecycle/eventqueue.h>
#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/lifecycle/virtualscheduler.h>

#include <atomic>
#include <thread>

using namespace Rekindle;

class EventQueueTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void returnsEventsInOrder();
    void emitsAvailableIfEmpty();
    void fullQueueReportsGap();
    void keepsPositionOfGaps();
    void capacityIsAtLeastOne();
    void slowSubscriberInAnotherThread();

private:
    void emitEvents(int events);
    static QString shown(const QList<EventQueue::Item> &items);

    VirtualClock m_clock;
    VirtualScheduler m_scheduler{m_clock};
    std::unique_ptr<RestartPolicyEvaluator> m_evaluator;
    QUuid m_id = QUuid::createUuid();
};

void EventQueueTest::init()
{
    m_evaluator = std::make_unique<RestartPolicyEvaluator>(m_scheduler);
    QVERIFY(!hasErrors(m_evaluator->add(m_id, QStringLiteral("a"), {})));
}

// Each isolation and each reset is one event.
void EventQueueTest::emitEvents(int events)
{
    for (int i = 0; i < events; ++i) {
        if (m_evaluator->circuitBreakerState(m_id).isolated)
            m_evaluator->resetCircuitBreaker(m_id);
        else
            m_evaluator->isolateCircuitBreaker(m_id);
    }
}

QString EventQueueTest::shown(const QList<EventQueue::Item> &items)
{
    QStringList words;
    for (const EventQueue::Item &item : items) {
        if (const auto *event = std::get_if<LifecycleEvent>(&item))
            words.append(QString::number(header(*event).sequence));
        else if (const auto *gap = std::get_if<EventQueue::Gap>(&item))
            words.append(QStringLiteral("gap(%1+%2)").arg(gap->first).arg(gap->count));
    }
    return words.join(u' ');
}

void EventQueueTest::returnsEventsInOrder()
{
    EventQueue queue(*m_evaluator);
    QCOMPARE(shown(queue.take()), QString());
    emitEvents(5);
    QCOMPARE(shown(queue.take(2)), QStringLiteral("1 2"));
    QCOMPARE(shown(queue.take()), QStringLiteral("3 4 5"));
    QCOMPARE(queue.dropped(), quint64{0});
}

void EventQueueTest::emitsAvailableIfEmpty()
{
    EventQueue queue(*m_evaluator);
    QSignalSpy available(&queue, &EventQueue::available);
    emitEvents(3);
    QCOMPARE(available.count(), 1);
    QCOMPARE(queue.take(2).size(), 2);
    emitEvents(1);
    QCOMPARE(available.count(), 1);
    QCOMPARE(queue.take().size(), 2);
    emitEvents(1);
    QCOMPARE(available.count(), 2);
}

void EventQueueTest::fullQueueReportsGap()
{
    EventQueue queue(*m_evaluator, 3);
    emitEvents(10);
    QCOMPARE(queue.dropped(), quint64{7});
    QCOMPARE(shown(queue.take()), QStringLiteral("1 2 3 gap(4+7)"));
    emitEvents(2);
    QCOMPARE(shown(queue.take()), QStringLiteral("11 12"));
}

void EventQueueTest::keepsPositionOfGaps()
{
    EventQueue queue(*m_evaluator, 3);
    emitEvents(4);
    QCOMPARE(shown(queue.take(2)), QStringLiteral("1 2"));
    emitEvents(4);
    QCOMPARE(shown(queue.take()), QStringLiteral("3 gap(4+1) 5 gap(6+3)"));
    QCOMPARE(queue.dropped(), quint64{4});
}

void EventQueueTest::capacityIsAtLeastOne()
{
    EventQueue queue(*m_evaluator, 0);
    emitEvents(3);
    QCOMPARE(shown(queue.take()), QStringLiteral("1 gap(2+2)"));
}

void EventQueueTest::slowSubscriberInAnotherThread()
{
    constexpr int emitted = 20'000;
    EventQueue queue(*m_evaluator, 16);
    std::atomic<bool> finished = false;
    quint64 next = 1;
    quint64 missed = 0;
    bool inOrder = true;
    std::thread subscriber([&] {
        for (;;) {
            const bool last = finished;
            const QList<EventQueue::Item> items = queue.take(5);
            for (const EventQueue::Item &item : items) {
                if (const auto *event = std::get_if<LifecycleEvent>(&item)) {
                    inOrder = inOrder && header(*event).sequence == next++
                        && header(*event).agent == QLatin1String("a");
                } else if (const auto *gap = std::get_if<EventQueue::Gap>(&item)) {
                    inOrder = inOrder && gap->first == next;
                    next += gap->count;
                    missed += gap->count;
                }
            }
            if (items.isEmpty() && last)
                return;
        }
    });
    emitEvents(emitted);
    finished = true;
    subscriber.join();
    QVERIFY(inOrder);
    QCOMPARE(next, quint64{emitted + 1});
    QCOMPARE(queue.dropped(), missed);
}

REKINDLE_TEST(EventQueueTest)
#include "eventqueuetest.moc"
