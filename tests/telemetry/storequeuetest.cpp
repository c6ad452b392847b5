// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stores.h"
#include "testprogram.h"

#include "telemetry/storequeue_p.h"

#include <thread>

using namespace Rekindle;
using namespace std::chrono_literals;

/// The queue between the engine's thread and the writer's thread.
class StoreQueueTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsOrder();
    void takenItemsUseCapacity();
    void abandonCountsTakenItemsOnce();
    void recordsGapAtItsPosition();
    void countsDroppedItemsByKind();
    void busyAgentLeavesRoomForOthers();
    void returnsShareWhenSettled();
    void countsLosses();
    void dropsItemsAfterRefusal();
    void refusalShowsAllLosses();
    void keepsOrderAcrossThreads();

private:
    static LifecycleEvent numberedOf(const QString &agent, quint64 sequence)
    {
        LifecycleEvent event = numbered(sequence);
        std::visit([&agent](EventHeader &common) { common.agent = agent; }, event);
        return event;
    }

    static QString shown(const StoreQueue::Items &items)
    {
        QStringList words;
        for (const StoreItem &item : items) {
            if (const auto *event = std::get_if<LifecycleEvent>(&item))
                words.append(QString::number(header(*event).sequence));
            else if (const auto *gap = std::get_if<StoreGap>(&item))
                words.append(QStringLiteral("gap(%1+%2,%3)")
                                 .arg(gap->firstSequence)
                                 .arg(gap->events)
                                 .arg(gap->decisions));
            else
                words.append(QStringLiteral("decision"));
        }
        return words.join(u' ');
    }
};

void StoreQueueTest::keepsOrder()
{
    StoreQueue queue(10, 2, [] {});
    queue.push(numbered(1));
    queue.push(DecisionRecord{});
    queue.push(numbered(2));
    QCOMPARE(shown(queue.take(1h)),
             QStringLiteral("1 decision 2")); // a full batch is taken at once
    QCOMPARE(queue.status().accepted, quint64{3});
    queue.push(numbered(3));
    QCOMPARE(shown(queue.take(0ms)), QStringLiteral("3"));
}

void StoreQueueTest::takenItemsUseCapacity()
{
    StoreQueue queue(6, 1, [] {});
    for (quint64 i = 1; i <= 3; ++i)
        queue.push(numbered(i));
    const StoreQueue::Items items = queue.take(0ms);
    QCOMPARE(shown(items), QStringLiteral("1 2 3"));
    queue.push(numbered(4));
    QCOMPARE(queue.status().dropped, quint64{1});
    queue.reportWritten(items, 2);
    queue.push(numbered(5));
    QCOMPARE(shown(queue.take(0ms)), QStringLiteral("gap(4+1,0) 5"));
}

// Later reports of a writer that hangs are ignored.
void StoreQueueTest::abandonCountsTakenItemsOnce()
{
    StoreQueue queue(10, 1, [] {});
    for (quint64 i = 1; i <= 3; ++i)
        queue.push(numbered(i));
    const StoreQueue::Items items = queue.take(0ms);
    queue.reportWritten(items, 1);
    for (quint64 i = 4; i <= 5; ++i)
        queue.push(numbered(i));
    queue.abandon();
    QCOMPARE(queue.status().dropped, quint64{4});
    QCOMPARE(queue.status().lost, quint64{4});
    QCOMPARE(queue.status().settled, queue.status().accepted);
    queue.reportLost(items);
    queue.reportWritten(items, 2);
    queue.abandon();
    QCOMPARE(queue.status().dropped, quint64{4});
    queue.push(numbered(6));
    QCOMPARE(queue.status().dropped, quint64{5});
}

void StoreQueueTest::recordsGapAtItsPosition()
{
    StoreQueue queue(4, 1, [] {});
    for (quint64 i = 1; i <= 5; ++i) {
        queue.push(numbered(i));
        if (i > 3)
            queue.push(DecisionRecord{{.agent = QStringLiteral("a")}});
    }
    QCOMPARE(shown(queue.take(0ms)), QStringLiteral("1 2 gap(3+3,2)"));
    QCOMPARE(queue.status().dropped, quint64{5});
}

void StoreQueueTest::countsDroppedItemsByKind()
{
    StoreQueue queue(1, 10, [] {});
    queue.push(numbered(1));
    queue.push(ToolCallFinished{});
    queue.push(numbered(2));
    queue.push(ToolCallFinished{});
    queue.push(CommandRecord{});
    queue.push(DecisionRecord{});
    QCOMPARE(queue.status().dropped, quint64{5});
    const StoreQueue::Items items = queue.take(0ms);
    const auto gap = std::get<StoreGap>(items.back());
    QCOMPARE(gap.calls, quint64{2});
    QCOMPARE(gap.events, quint64{1});
    QCOMPARE(gap.firstSequence, quint64{2});
    QCOMPARE(toJson(gap),
             QByteArray(R"({"firstSequence":2,"events":1,"decisions":1,"commands":1,"calls":2})"));
    QCOMPARE(toJson(StoreGap{}), QByteArray(R"({"firstSequence":0,"events":0,"decisions":0})"));
}

// The gaps account for every item of the busy agent that was dropped.
void StoreQueueTest::busyAgentLeavesRoomForOthers()
{
    StoreQueue queue(100, 10, [] {});
    quint64 sequence = 0;
    for (int i = 0; i < 8; ++i) {
        for (int j = 0; j < 1'000; ++j)
            queue.push(numberedOf(QStringLiteral("busy"), ++sequence));
        queue.push(numberedOf(QStringLiteral("calm"), ++sequence));
        DecisionRecord record;
        record.agent = QStringLiteral("calm");
        queue.push(std::move(record));
        ToolCallFinished call;
        call.agent = QStringLiteral("calm");
        queue.push(call);
    }
    int calm = 0;
    quint64 next = 1;
    for (const StoreItem &item : queue.take(0ms)) {
        if (const auto *gap = std::get_if<StoreGap>(&item)) {
            QCOMPARE(gap->firstSequence, next);
            QCOMPARE(gap->decisions + gap->calls, quint64{0});
            next += gap->events;
            continue;
        }
        const auto *event = std::get_if<LifecycleEvent>(&item);
        if (event)
            QCOMPARE(header(*event).sequence, next++);
        if (!event || header(*event).agent == QLatin1String("calm"))
            ++calm;
    }
    QCOMPARE(calm, 24);
    QCOMPARE(next, sequence + 1);
    QCOMPARE(queue.status().dropped, quint64{8'000 - 50}); // the busy agent has used its half
}

void StoreQueueTest::returnsShareWhenSettled()
{
    StoreQueue queue(4, 1, [] {});
    for (quint64 i = 1; i <= 4; ++i)
        queue.push(numbered(i));
    const StoreQueue::Items items = queue.take(0ms);
    QCOMPARE(shown(items), QStringLiteral("1 2 gap(3+2,0)"));
    queue.reportWritten(items, items.size());
    for (quint64 i = 5; i <= 7; ++i)
        queue.push(numbered(i));
    QCOMPARE(shown(queue.take(0ms)), QStringLiteral("5 6 gap(7+1,0)"));
}

void StoreQueueTest::countsLosses()
{
    StoreQueue queue(4, 1, [] {});
    for (quint64 i = 1; i <= 3; ++i)
        queue.push(numbered(i));
    const StoreQueue::Items items = queue.take(0ms);
    queue.reportLost(items);
    QCOMPARE(queue.status().dropped, quint64{3});
    QCOMPARE(queue.status().lost, quint64{2});
    QCOMPARE(queue.status().settled, queue.status().accepted);
}

void StoreQueueTest::dropsItemsAfterRefusal()
{
    StoreQueue queue(2, 1, [] {});
    queue.push(numbered(1));
    queue.refuse({});
    queue.push(numbered(2));
    QCOMPARE(queue.status().dropped, quint64{2});
    queue.close();
    QCOMPARE(shown(queue.take(1h)), QString());
}

// As the signals of the store: a receiver of failed() may ask at once how much was lost.
void StoreQueueTest::refusalShowsAllLosses()
{
    QList<quint64> lostAtRefusal;
    StoreQueue queue(8, 1, [&] {
        if (const StoreQueue::Status now = queue.status(); now.refused)
            lostAtRefusal.append(now.lost);
    });
    for (quint64 i = 1; i <= 2; ++i)
        queue.push(numbered(i));
    StoreQueue::Items taken = queue.take(0ms);
    queue.push(numbered(3));
    queue.refuse(QStringLiteral("read-only"), std::move(taken));
    QCOMPARE(lostAtRefusal, QList<quint64>{3});
    QCOMPARE(queue.status().dropped, quint64{3});
    QCOMPARE(queue.status().settled, queue.status().accepted);
    QCOMPARE(queue.status().failure, QStringLiteral("read-only"));
}

void StoreQueueTest::keepsOrderAcrossThreads()
{
    constexpr quint64 count = 50'000;
    StoreQueue queue(100, 10, [] {});
    quint64 next = 1;
    bool isInOrder = true;
    std::thread writer([&] {
        for (;;) {
            const StoreQueue::Items items = queue.take(0ms);
            for (const StoreItem &item : items) {
                if (const auto *event = std::get_if<LifecycleEvent>(&item)) {
                    isInOrder = isInOrder && header(*event).sequence == next++;
                } else if (const auto *gap = std::get_if<StoreGap>(&item)) {
                    isInOrder = isInOrder && gap->firstSequence == next;
                    next += gap->events;
                }
            }
            queue.reportWritten(items, items.size());
            if (items.empty() && queue.isClosing())
                return;
        }
    });
    for (quint64 i = 1; i <= count; ++i)
        queue.push(numbered(i));
    queue.close();
    writer.join();
    QVERIFY(isInOrder);
    QCOMPARE(next, count + 1);
}

REKINDLE_TEST(StoreQueueTest)
#include "storequeuetest.moc"
