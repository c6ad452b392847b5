// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "chaosstage.h"
#include "testprogram.h"

using namespace Rekindle;
using namespace std::chrono_literals;

/// A plug-in that answers late or never: the engine does not wait for it.
class LateEvaluatorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("REKINDLE_TEST_LOADING_IS_FINE", "1"); }
    void ownThread();
    void hangs();
    void othersContinueWhileOneHangs();
    void longQueueIsNoHang();
    void threadsThatNeverComeBack();
    void neverAnswers();
    void answersTwice();
    void answersAfterRemoval();
    void destructorHangs();
    void deletedInASlot();
};

void LateEvaluatorTest::ownThread()
{
    // The event loop continues while a plug-in hangs.
    ChaosStage stage;
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("hangs")));
    stage.play(QStringLiteral("start"));
    int passes = 0;
    QTimer timer;
    connect(&timer, &QTimer::timeout, this, [&] { ++passes; });
    timer.start(0);
    QVERIFY(QTest::qWaitFor([&] { return passes >= 10; }, PluginStage::limit));
    QCOMPARE(stage.state(), InstanceState::Evaluating);
}

void LateEvaluatorTest::hangs()
{
    const Flag asked;
    ChaosStage stage;
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("hangs"), asked.parameter())
                  + QStringLiteral(",'initialDelay':'5s'"));
    stage.play(QStringLiteral("start"));
    QVERIFY(asked.wait());
    stage.play(QStringLiteral("+999ms"));
    QCOMPARE(stage.state(), InstanceState::Evaluating);
    stage.play(QStringLiteral("+1ms"));
    QCOMPARE(stage.log.text(), QStringLiteral("START started failed 1s scheduled:1"));
    QCOMPARE(stage.delay(), Duration(4s)); // 5 s after the failure
    QVERIFY(stage.waitForFaults(1));
    QCOMPARE(stage.faults[0].what, QStringLiteral("no answer within 1s"));
    QCOMPARE(stage.host.abandonedThreads(), 1);
}

void LateEvaluatorTest::othersContinueWhileOneHangs()
{
    const Flag asked;
    ChaosStage stage;
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("hangs"), asked.parameter())
                  + QStringLiteral(",'initialDelay':'60s'"));
    stage.add(QStringLiteral("b"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("counts")));
    stage.play(QStringLiteral("start"));
    QVERIFY(asked.wait());
    stage.play(QStringLiteral("start:b +1s"));
    // Both were late, because they share a thread. b has failed again and is answered by the new
    // thread, which may have answered its first request as well.
    QVERIFY(stage.think());
    QVERIFY(stage.host.abandonedThreads() >= 1);
    const QUuid b = stage.supervisor.idOf(QStringLiteral("b"));
    const Duration delay = *stage.supervisor.snapshot(b)->nextStartAt - stage.clock.now();
    QVERIFY2(delay == 101s || delay == 102s, qPrintable(durationToString(delay)));
}

// With many requests at once, the last one is late although each answer was quick.
void LateEvaluatorTest::longQueueIsNoHang()
{
    const Flag first;
    const Flag third;
    ChaosStage stage;
    stage.ask(1, QStringLiteral("waits"), first);
    QVERIFY(first.wait());
    stage.ask(2, QStringLiteral("accept"));
    stage.ask(3, QStringLiteral("waits"), third);
    stage.ask(4, QStringLiteral("accept"));
    first.raise();
    QVERIFY(third.wait());
    stage.host.withdraw(4, CustomEvaluators::Withdrawal::TimedOut);
    third.raise();
    QVERIFY(stage.roundTrip());
    QVERIFY(stage.faults.isEmpty());
    QCOMPARE(stage.host.abandonedThreads(), 0);
}

// Good answers in between do not count: each hang costs a thread.
void LateEvaluatorTest::threadsThatNeverComeBack()
{
    ChaosStage stage;
    for (quint64 token = 1; token <= EvaluatorHost::usualFaultLimit; ++token) {
        QVERIFY(!stage.host.isInQuarantine(QStringLiteral("chaos")));
        QVERIFY(stage.roundTrip());
        const Flag asked;
        stage.ask(token, QStringLiteral("hangs"), asked);
        QVERIFY(asked.wait());
        stage.host.withdraw(token, CustomEvaluators::Withdrawal::TimedOut);
        QVERIFY(stage.waitForFaults(static_cast<int>(token)));
    }
    QVERIFY(stage.host.isInQuarantine(QStringLiteral("chaos")));
    QCOMPARE(stage.host.abandonedThreads(), EvaluatorHost::usualFaultLimit);
}

void LateEvaluatorTest::neverAnswers()
{
    const Flag asked;
    ChaosStage stage;
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("never"), asked.parameter()));
    stage.play(QStringLiteral("start"));
    QVERIFY(asked.wait());
    stage.play(QStringLiteral("+1s"));
    QVERIFY(stage.log.text().contains(QLatin1String("1s scheduled:1")));
    QVERIFY(stage.waitForFaults(1));
    QCOMPARE(stage.faults[0].what, QStringLiteral("no answer within 1s"));
}

void LateEvaluatorTest::answersTwice()
{
    ChaosStage stage;
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("twice")));
    stage.play(QStringLiteral("start"));
    QVERIFY(stage.think());
    QVERIFY(stage.roundTrip());
    QCOMPARE(stage.said, QStringList{QStringLiteral("from elsewhere")});
    QCOMPARE(stage.delay(), Duration(10s));
    QVERIFY(stage.faults.isEmpty());
}

void LateEvaluatorTest::answersAfterRemoval()
{
    const Flag askedA;
    const Flag askedB;
    ChaosStage stage;
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("late"), askedA.parameter()));
    stage.add(QStringLiteral("b"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("late"), askedB.parameter()));
    stage.play(QStringLiteral("start start:b"));
    QVERIFY(askedA.wait() && askedB.wait());
    QCOMPARE(stage.state(), InstanceState::Evaluating);
    // This cancels both requests, which are then answered.
    stage.play(QStringLiteral("remove:a stop:b"));
    QVERIFY(askedA.waitForMore() && askedB.waitForMore());
    QVERIFY(stage.roundTrip());
    QCOMPARE(stage.supervisor.ids().size(), 1);
    QCOMPARE(stage.state(), InstanceState::Stopped);
    QVERIFY(stage.said.isEmpty());
    QVERIFY(stage.faults.isEmpty());
}

void LateEvaluatorTest::destructorHangs()
{
    const Flag asked;
    {
        ChaosStage stage;
        stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
                  chaos(QStringLiteral("destructor-hangs"),
                        asked.parameter() + QStringLiteral(",'times':1")));
        stage.play(QStringLiteral("start"));
        QVERIFY(stage.think());
        stage.play(QStringLiteral("remove"));
        QVERIFY(asked.waitForMore()); // it hangs
        QVERIFY(stage.faults.size() <= 1);
    }
    // The destructor of the stage returned.
}

void LateEvaluatorTest::deletedInASlot()
{
    auto host = std::make_unique<EvaluatorHost>();
    host->setFolders(ChaosStage::folders());
    Stage stage;
    stage.supervisor.evaluator().setCustomEvaluators(host.get());
    connect(host.get(), &CustomEvaluators::faulted, this, [&] { host.reset(); });
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
              chaos(QStringLiteral("throws")));
    stage.play(QStringLiteral("start"));
    QVERIFY(QTest::qWaitFor([&] { return !host; }, PluginStage::limit));
    stage.play(QStringLiteral("+1s"));
    QVERIFY(stage.log.text().contains(QLatin1String("scheduled:1")));
}

REKINDLE_TEST(LateEvaluatorTest)
#include "lateevaluatortest.moc"
