// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/rings/eventring_p.h"
#include "testprogram.h"

#include <QTest>

using namespace Rekindle;

/// The latest events of a host and the positions in them.
class EventRingTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void storesMoreWhenObserved();
    void readsCursors_data();
    void readsCursors();
    void isEmptyAtFirst();
    void removesOldestEvents();
    void limitsBytesOfTexts();
    void beginsWithAnyNumber();
    void keepsCursorOfEmptyRing();
    void rejectsCursorsOfOtherRuns();
    void namesAgentsOfStoredEvents();

private:
    static LifecycleEvent event(quint64 sequence)
    {
        AgentReady ready;
        ready.sequence = sequence;
        ready.generation = sequence;
        return ready;
    }
    static LifecycleEvent output(quint64 sequence, qsizetype length)
    {
        AgentOutput line;
        line.sequence = sequence;
        line.line = QString(length, u'x');
        return line;
    }
};

void EventRingTest::readsCursors_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isValid");
    const auto row = [](const char *text, bool isValid) {
        QTest::newRow(text) << QString::fromLatin1(text) << isValid;
    };
    row("8d9a0f0c-0a55:0", true);
    row("r:18446744073709551615", true);
    row("r:18446744073709551616", false);
    row("", false);
    row("r", false);
    row("12", false);
    row(":1", false);
    row("r:", false);
    row("r:-1", false);
    row("r:+1", false);
    row("r: 1", false);
    row("r:1:2", false);
    row("r:1x", false);
}

void EventRingTest::readsCursors()
{
    QFETCH(QString, text);
    const std::optional<EventCursor> cursor = EventCursor::of(text);
    QTEST(cursor.has_value(), "isValid");
    if (cursor)
        QCOMPARE(cursor->text(), text);
}

void EventRingTest::isEmptyAtFirst()
{
    const EventRing ring(QStringLiteral("r"));
    QCOMPARE(ring.first(), 1U);
    QCOMPARE(ring.last(), 0U);
    QCOMPARE(ring.cursor(), QStringLiteral("r:0"));
    QCOMPARE(ring.oldestCursor(), QStringLiteral("r:0"));
}

void EventRingTest::removesOldestEvents()
{
    EventRing ring(QStringLiteral("r"), {.events = 4});
    for (quint64 i = 1; i <= 10; ++i) {
        ring.add(event(i));
        QCOMPARE(ring.last(), i);
        QCOMPARE(ring.first(), i <= 4 ? 1 : i - 3);
        for (quint64 each = ring.first(); each <= i; ++each)
            QCOMPARE(header(ring.at(each)).sequence, each);
    }
    QCOMPARE(ring.oldestCursor(), QStringLiteral("r:6"));
    QVERIFY(ring.contains({QStringLiteral("r"), 6}));
    QVERIFY(!ring.contains({QStringLiteral("r"), 5}));
    QVERIFY(ring.contains({QStringLiteral("r"), 10}));
    QVERIFY(!ring.contains({QStringLiteral("r"), 11}));
}

void EventRingTest::limitsBytesOfTexts()
{
    EventRing ring(QStringLiteral("r"), {.events = 100, .textBytes = 2000});
    for (quint64 i = 1; i <= 20; ++i)
        ring.add(output(i, 100)); // 200 bytes
    QCOMPARE(ring.first(), 11U);
    for (quint64 i = 21; i <= 60; ++i)
        ring.add(event(i)); // events without texts need no bytes
    QCOMPARE(ring.first(), 11U);
    ring.add(output(61, 900));
    QCOMPARE(ring.first(), 20U);
    // The newest event is stored in any case.
    ring.add(output(62, 100'000));
    QCOMPARE(ring.first(), 62U);
    for (quint64 i = 63; i <= 400; ++i)
        ring.add(output(i, 100));
    QCOMPARE(ring.first(), 391U);
    QCOMPARE(header(ring.at(391)).sequence, 391U);
}

void EventRingTest::beginsWithAnyNumber()
{
    EventRing ring(QStringLiteral("r"), {.events = 4});
    for (quint64 i = 50; i <= 52; ++i)
        ring.add(event(i));
    QCOMPARE(ring.first(), 50U);
    QCOMPARE(header(ring.at(51)).sequence, 51U);
    QCOMPARE(ring.oldestCursor(), QStringLiteral("r:49"));
}

void EventRingTest::keepsCursorOfEmptyRing()
{
    EventRing ring(QStringLiteral("r"), {.events = 4});
    const std::optional<EventCursor> empty = EventCursor::of(ring.cursor());
    ring.add(event(50));
    QVERIFY(ring.contains(*empty));
    for (quint64 i = 51; i <= 54; ++i)
        ring.add(event(i));
    QVERIFY(!ring.contains(*empty));
}

void EventRingTest::rejectsCursorsOfOtherRuns()
{
    EventRing ring(QStringLiteral("r"));
    ring.add(event(1));
    QVERIFY(ring.contains({QStringLiteral("r"), 1}));
    QVERIFY(!ring.contains({QStringLiteral("s"), 1}));
}

void EventRingTest::namesAgentsOfStoredEvents()
{
    EventRing ring(QStringLiteral("r"), {.events = 2});
    QVERIFY(ring.agents().isEmpty());
    quint64 sequence = 0;
    for (const char *name : {"a", "b", "b", "c"}) {
        AgentReady ready;
        ready.sequence = ++sequence;
        ready.agent = QLatin1String(name);
        ring.add(ready);
    }
    QCOMPARE(ring.agents(), (QSet<QString>{QStringLiteral("b"), QStringLiteral("c")}));
}

void EventRingTest::storesMoreWhenObserved()
{
    EventRing ring(QStringLiteral("run"), {.events = 5, .unobservedEvents = 2});
    const auto addReady = [&ring](quint64 sequence) {
        AgentReady event;
        event.sequence = sequence;
        ring.add(event);
    };
    for (quint64 i = 1; i <= 3; ++i)
        addReady(i);
    QCOMPARE(ring.first(), quint64{2});
    ring.observe();
    QCOMPARE(ring.first(), quint64{2});
    for (quint64 i = 4; i <= 7; ++i)
        addReady(i);
    QCOMPARE(ring.first(), quint64{3});
    for (quint64 i = 3; i <= 7; ++i)
        QCOMPARE(header(ring.at(i)).sequence, i);
}

REKINDLE_TEST(EventRingTest)
#include "eventringtest.moc"
