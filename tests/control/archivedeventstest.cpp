// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/archivedevents_p.h"
#include "scriptedarchive.h"
#include "testprogram.h"

#include <QTest>

using namespace Rekindle;

/// Joins the events of an archive and those of a ring.
class ArchivedEventsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void continuesFromCursorAndGoesOverToTheRing();
    void continuesWithLaterRuns();
    void beginsWithTheOldestEvent();
    void beginsWithTheRingIfTheArchiveIsEmpty();
    void readsFurtherPages();
    void skipsLinesOfAgentsThatAreNotStored();
    void reportsGapOfTheStore();
    void reportsNoGapThatTheRingCanFill();
    void reportsGapAtTheEndOfAnEarlierRun();
    void reportsRemovedEventsOfOneRun();
    void reportsRemovedEventsAcrossRuns();
    void reportsGapIfTheArchiveFails();
    void readsAgainIfTheRingHasRemovedFurtherEvents();
    void ignoresPageAfterItsDestruction();

private:
    /// Adds events of the current run up to this number to the ring, which has four places.
    void emitUpTo(quint64 last)
    {
        while (m_ring->last() < last) {
            AgentReady event;
            event.sequence = m_ring->last() + 1;
            m_ring->add(event);
        }
    }

    /// The steps until the ring continues or a page is awaited.
    QString steps()
    {
        using Kind = ArchivedEvents::Step::Kind;
        QStringList all;
        for (;;) {
            const ArchivedEvents::Step step = m_events->next();
            const QString position = m_events->position().text();
            if (step.kind == Kind::Event)
                all.append(position);
            else if (step.kind == Kind::Gap)
                all.append(QStringLiteral("gap %1-%2 (%3)")
                               .arg(step.from.text(), position)
                               .arg(step.count));
            else
                return (all << (step.kind == Kind::Ring ? QLatin1String("ring after ") + position
                                                        : QStringLiteral("wait")))
                    .join(u' ');
        }
    }
    static QString run() { return QStringLiteral("new"); }
    static EventCursor cursor(const char *run, quint64 sequence)
    {
        return {QLatin1String(run), sequence};
    }

    std::unique_ptr<EventRing> m_ring;
    std::unique_ptr<ScriptedArchive> m_archive;
    std::shared_ptr<ArchivedEvents> m_events;
    int m_arrivals = 0;
};

void ArchivedEventsTest::init()
{
    m_arrivals = 0;
    m_ring = std::make_unique<EventRing>(run(), EventRing::Limits{.events = 4});
    m_archive = std::make_unique<ScriptedArchive>();
    m_events = std::make_shared<ArchivedEvents>(*m_archive, *m_ring);
    m_events->onArrival([this] { ++m_arrivals; });
}

void ArchivedEventsTest::continuesFromCursorAndGoesOverToTheRing()
{
    emitUpTo(10); // the ring has 7 to 10
    m_events->begin(cursor("new", 2));
    QCOMPARE(steps(), QStringLiteral("wait"));
    QCOMPARE(m_archive->requested().text(), QStringLiteral("new:2"));
    m_archive->respond({.events = events("new", {3, 4, 5, 6, 7, 8}), .isLast = true});
    QCOMPARE(m_arrivals, 1);
    QCOMPARE(steps(), QStringLiteral("new:3 new:4 new:5 new:6 ring after new:6"));
}

void ArchivedEventsTest::continuesWithLaterRuns()
{
    emitUpTo(2);
    m_events->begin(cursor("a", 8));
    m_archive->respond({.events = events("a", {9}) + events("b", {1, 2}) + events("new", {1, 2}),
                        .isLast = true,
                        .isComplete = true});
    QCOMPARE(steps(), QStringLiteral("a:9 b:1 b:2 ring after new:0"));
}

void ArchivedEventsTest::beginsWithTheOldestEvent()
{
    emitUpTo(1);
    m_events->begin({});
    m_archive->respond({.events = events("a", {5, 6}), .isLast = true, .isComplete = true});
    QCOMPARE(m_events->position().text(), QStringLiteral("a:4"));
    QCOMPARE(steps(), QStringLiteral("a:5 a:6 ring after new:0"));
}

void ArchivedEventsTest::beginsWithTheRingIfTheArchiveIsEmpty()
{
    emitUpTo(6);
    m_events->begin({});
    m_archive->respond({.isLast = true, .isComplete = true});
    QCOMPARE(m_events->position().text(), QStringLiteral("new:2"));
    QCOMPARE(steps(), QStringLiteral("ring after new:2"));
}

void ArchivedEventsTest::readsFurtherPages()
{
    emitUpTo(10);
    m_events->begin(cursor("new", 2));
    m_archive->respond({.events = events("new", {3, 4}), .next = 44});
    QCOMPARE(steps(), QStringLiteral("new:3 new:4 wait"));
    QCOMPARE(m_archive->position.next, qint64{44});
    m_archive->respond({.events = events("new", {5, 6}), .next = 46});
    QCOMPARE(steps(), QStringLiteral("new:5 new:6 ring after new:6"));
    QVERIFY(!m_archive->done);
}

void ArchivedEventsTest::skipsLinesOfAgentsThatAreNotStored()
{
    emitUpTo(10);
    m_events->begin(cursor("new", 2));
    m_archive->respond({.events = events("new", {3, 5, 9}), .isLast = true, .isComplete = true});
    QCOMPARE(steps(), QStringLiteral("new:3 new:5 ring after new:6"));
}

void ArchivedEventsTest::reportsGapOfTheStore()
{
    emitUpTo(20);
    m_events->begin(cursor("new", 2));
    m_archive->respond({.events = events("new", {3}) + gap("new", 4, 6) + events("new", {9, 10})
                            + gap("new", 11, 3),
                        .isLast = true,
                        .isComplete = true});
    QCOMPARE(steps(),
             QStringLiteral("new:3 gap new:4-new:8 (5) new:9 new:10 gap new:11-new:16 (6) "
                            "ring after new:16"));
}

void ArchivedEventsTest::reportsNoGapThatTheRingCanFill()
{
    emitUpTo(10);
    m_events->begin(cursor("new", 5));
    m_archive->respond({.events = events("new", {6}) + gap("new", 7, 2), .isLast = true});
    QCOMPARE(steps(), QStringLiteral("new:6 ring after new:6"));
}

void ArchivedEventsTest::reportsGapAtTheEndOfAnEarlierRun()
{
    emitUpTo(1);
    m_events->begin(cursor("a", 4)); // in the gap
    m_archive->respond({.events = gap("a", 3, 4) + events("new", {1}), .isLast = true});
    QCOMPARE(steps(), QStringLiteral("gap a:5-a:6 (2) ring after new:0"));
}

void ArchivedEventsTest::reportsRemovedEventsOfOneRun()
{
    emitUpTo(20);
    m_events->begin(cursor("new", 2));
    m_archive->respond({.events = events("new", {3}), .next = 4});
    QCOMPARE(steps(), QStringLiteral("new:3 wait"));
    m_archive->respond({.events = events("new", {9}), .next = 10, .removed = 4});
    QCOMPARE(steps(), QStringLiteral("gap new:4-new:8 (5) new:9 wait"));
    m_archive->respond({.isLast = true, .isComplete = true, .removed = 3});
    QCOMPARE(steps(), QStringLiteral("gap new:10-new:16 (7) ring after new:16"));
}

void ArchivedEventsTest::reportsRemovedEventsAcrossRuns()
{
    emitUpTo(1);
    m_events->begin(cursor("a", 2));
    m_archive->respond({.events = events("a", {3}), .next = 4});
    QCOMPARE(steps(), QStringLiteral("a:3 wait"));
    m_archive->respond(
        {.events = events("b", {5}), .isLast = true, .isComplete = true, .removed = 9});
    QCOMPARE(steps(), QStringLiteral("gap a:4-b:4 (9) b:5 ring after new:0"));
}

void ArchivedEventsTest::reportsGapIfTheArchiveFails()
{
    emitUpTo(10);
    m_events->begin(cursor("new", 2));
    m_archive->respond({.events = events("new", {3}), .next = 4});
    QCOMPARE(steps(), QStringLiteral("new:3 wait"));
    m_archive->respond({.error = QStringLiteral("disk full")});
    QCOMPARE(steps(), QStringLiteral("gap new:4-new:6 (3) ring after new:6"));
}

void ArchivedEventsTest::readsAgainIfTheRingHasRemovedFurtherEvents()
{
    emitUpTo(10);
    m_events->begin(cursor("new", 8));
    emitUpTo(20); // the ring has 17 to 20
    m_archive->respond(
        {.events = events("new", {9, 10}), .next = 11, .isLast = true, .isComplete = true});
    QCOMPARE(steps(), QStringLiteral("new:9 new:10 wait"));
    QCOMPARE(m_archive->position.next, qint64{11});
    m_archive->respond({.events = events("new", {11, 12}), .isLast = true, .isComplete = true});
    QCOMPARE(steps(), QStringLiteral("new:11 new:12 ring after new:16"));
}

void ArchivedEventsTest::ignoresPageAfterItsDestruction()
{
    m_events->begin({});
    m_events.reset();
    m_archive->respond({.isLast = true});
    QCOMPARE(m_arrivals, 0);
}

REKINDLE_TEST(ArchivedEventsTest)
#include "archivedeventstest.moc"
