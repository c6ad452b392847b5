// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stage.h"
#include "testprogram.h"
#include "timelinestage.h"

#include <rekindle/models/localagents.h>
#include <rekindle/models/timelinemodel.h>

#include <QSignalSpy>
#include <QtTest>

#include <malloc.h>
#include <random>

using namespace Rekindle;
using namespace std::chrono_literals;
using Kind = TimelineRow::MarkKind;
using State = InstanceState;

class TimelineModelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void changesRevisions();
    void ignoresEventsWithoutEffect();
    void removesAgents();
    void followsCurrentTime();
    void showsTheAgentsOfASource();
    void storesTheTextsOfMarks();
    void dropsOldestEntriesOfAllRows();
    void retainsCurrentStates();
    void limitsMemory_data();
    void limitsMemory();
};

void TimelineModelTest::changesRevisions()
{
    TimelineModel model;
    const QSignalSpy resets(&model, &TimelineModel::reset);
    const auto revision = [&model](int row) { return model.row(row).revision(); };
    const QList<QUuid> ids{QUuid::createUuid(), QUuid::createUuid()};
    for (const QUuid &id : ids)
        model.add(id, QStringLiteral("web"), at<StartHeld>(1));
    QCOMPARE(resets.size(), 2);
    const quint64 first = revision(0);
    const quint64 second = revision(1);
    model.add(ids[1], QStringLiteral("web"), at<AgentStarted>(2));
    QCOMPARE(revision(0), first);
    QVERIFY(revision(1) != second);
    model.advance(ms(60'000));
    QVERIFY(revision(0) != first);
    QCOMPARE(marks(model.row(0)), QStringLiteral("10001 LongHold"));
    QCOMPARE(resets.size(), 2);
}

void TimelineModelTest::ignoresEventsWithoutEffect()
{
    TimelineModel model;
    const QSignalSpy resets(&model, &TimelineModel::reset);
    const QUuid id = QUuid::createUuid();
    model.addAgent(id, QStringLiteral("web"));
    model.addAgent(id, QStringLiteral("web"));
    QCOMPARE(resets.size(), 1);
    const quint64 before = model.row(0).revision();
    model.add(id, QStringLiteral("web"), at<AgentOutput>(1));
    QCOMPARE(model.row(0).revision(), before);
}

void TimelineModelTest::removesAgents()
{
    TimelineModel model;
    const QList<QUuid> ids{QUuid::createUuid(), QUuid::createUuid(), QUuid::createUuid()};
    for (const QUuid &id : ids)
        model.add(id, id.toString(), at<AgentFailed>(1));
    model.removeAgent(ids[1]);
    model.removeAgent(ids[1]);
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.size(), 4U);
    QCOMPARE(model.indexOf(ids[1]), -1);
    QCOMPARE(model.indexOf(ids[2]), 1);
    QCOMPARE(model.row(1).name(), ids[2].toString());
}

void TimelineModelTest::followsCurrentTime()
{
    TimelineModel model;
    const QSignalSpy spy(&model, &TimelineModel::viewChanged);
    model.setSpan(800ms);
    model.setSpan(800ms);
    QCOMPARE(spy.size(), 1);
    QCOMPARE(model.frame(ms(1000), 99, 3, 50),
             (TimelinePaint::Frame{ms(300), ms(1100), ms(1000), 99, 3, 50}));
    model.setFrom(ms(5));
    QVERIFY(!model.follow());
    QCOMPARE(model.frame(ms(1000), 99, 3, 50).from, ms(5));
    model.setFrom({});
    QVERIFY(model.follow());
    QCOMPARE(spy.size(), 3);
    model.setSpan(0ms);
    QCOMPARE(model.span(), TimelineModel::leastSpan);
}

void TimelineModelTest::showsTheAgentsOfASource()
{
    auto stage = std::make_unique<Stage>();
    const QUuid id = stage->add(QStringLiteral("web"), {});
    stage->play(QStringLiteral("start +10s"));
    auto source = std::make_unique<LocalAgents>(stage->supervisor);
    const UtcTime now = source->utcNow();
    TimelineModel model;
    model.add(QUuid::createUuid(), {}, at<AgentFailed>(1));
    model.setSource(source.get());
    QCOMPARE(model.source(), source.get());
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.row(0).changes().front().time(), now - 10s);
    stage->play(QStringLiteral("stop +1s"));
    QCOMPARE(model.row(0).changes().back().state(), State::Stopped);
    stage->addFailing(QStringLiteral("db"));
    stage->play(QStringLiteral("start:db +500ms"));
    QCOMPARE(model.row(1).name(), QStringLiteral("db"));
    QCOMPARE(model.row(1).changes().back().state(), State::Waiting);
    QCOMPARE(model.row(1).future().start, source->utcNow() + 500ms);
    TimelineModel later;
    later.setSource(source.get());
    QCOMPARE(later.row(0).name(), QStringLiteral("db")); // in the order of names
    QCOMPARE(later.indexOf(id), 1);
    stage->supervisor.remove(id);
    stage->play(QStringLiteral("+1s"));
    QCOMPARE(model.rowCount(), 1);
    stage.reset();
    QCOMPARE(model.rowCount(), 0);
    source.reset();
    QVERIFY(model.source() == nullptr);
}

void TimelineModelTest::storesTheTextsOfMarks()
{
    TimelineModel model;
    const QUuid id = QUuid::createUuid();
    AgentFailed failed = at<AgentFailed>(1);
    failed.reason = FailureReason::Timeout;
    model.add(id, {}, failed);
    const TimelineRow::Mark mark = model.row(0).marks(Kind::Failure)[0];
    QVERIFY(model.text(mark).contains(QLatin1String("Timeout")));
    for (int i = 2; i <= 10'001; ++i)
        model.add(id, {}, at<AgentFailed>(i));
    QCOMPARE(model.text(mark), QString());
    QVERIFY(!model.text(model.row(0).marks(Kind::Failure)[1]).isEmpty());
    model.clear();
    QCOMPARE(model.rowCount(), 0);
}

void TimelineModelTest::dropsOldestEntriesOfAllRows()
{
    constexpr int limit = 1600;
    TimelineModel model(nullptr, limit);
    std::mt19937 random(1);
    QList<QUuid> ids;
    for (int i = 0; i < 8; ++i)
        ids.append(QUuid::createUuid());
    std::size_t greatest = 0;
    const QSignalSpy resets(&model, &TimelineModel::reset);
    for (int i = 0; i < 10'000; ++i) {
        const QUuid id = ids[static_cast<int>(random() % 8)];
        if (random() % 4 == 0)
            model.add(id, {}, at<AgentFailed>(i));
        else
            model.add(id, {}, at<AgentStarted>(i));
        greatest = std::max(greatest, model.size());
    }
    QVERIFY(greatest <= limit + limit / 16 + 2);
    QVERIFY(resets.size() > 8 && resets.size() < 200);
    // Only the oldest ones: no row has an entry before the first one of the others, except its
    // state at that time.
    std::size_t size = 0;
    UtcTime first = ms(0);
    for (int row = 0; row < 8; ++row) {
        size += model.row(row).size();
        first = std::max(first, model.row(row).changes().front().time());
    }
    QCOMPARE(size, model.size());
    for (int row = 0; row < 8; ++row)
        QVERIFY(model.row(row).changes()[1].time() + 100ms > first);
}

void TimelineModelTest::retainsCurrentStates()
{
    TimelineModel model(nullptr, 100);
    const QUuid quiet = QUuid::createUuid();
    model.add(quiet, {}, at<AgentReady>(0));
    for (int i = 1; i < 1000; ++i)
        model.add(QUuid(static_cast<uint>(i % 200), 0, 0, 0, 0, 0, 0, 0, 0, 0, 1), {},
                  at<AgentStarted>(i));
    QCOMPARE(states(model.row(0)), QStringLiteral("0 Running"));
    QVERIFY(model.size() <= 201 + 100 / 16 + 1);
}

void TimelineModelTest::limitsMemory_data()
{
    QTest::addColumn<int>("rows");
    QTest::addColumn<bool>("marks");
    QTest::newRow("1,000 agents, states") << 1000 << false;
    QTest::newRow("1,000 agents, marks") << 1000 << true;
    QTest::newRow("1 agent") << 1 << true;
}

// Compares two limits, because a model also stores texts.
void TimelineModelTest::limitsMemory()
{
#ifdef __GLIBC__
    QFETCH(const int, rows);
    QFETCH(const bool, marks);
    const auto used = [] { return mallinfo2().uordblks + mallinfo2().hblkhd; };
    const auto greatest = [&](std::size_t limit) {
        const std::size_t before = used();
        std::size_t most = before;
        TimelineModel model(nullptr, limit);
        SharedBreakerStateChanged opened;
        opened.newState = CircuitBreakerState::Open;
        for (int i = 0; i < static_cast<int>(limit) * 3; ++i) {
            const QUuid id(static_cast<uint>(i % rows), 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
            if (!marks || i / rows % 5 == 0)
                model.add(id, {}, at<AgentStarted>(i));
            else
                model.add(id, {}, at(i, opened));
            if (i % 1024 == 0)
                most = std::max(most, used());
        }
        return most - before;
    };
    const std::size_t entries = greatest(120'000) - greatest(20'000);
    QVERIFY2(entries <= std::size_t{150'000'000} * 100'000 / TimelineModel::defaultLimit,
             qPrintable(QString::number(entries)));
#endif
}

REKINDLE_TEST(TimelineModelTest)

#include "timelinemodeltest.moc"
