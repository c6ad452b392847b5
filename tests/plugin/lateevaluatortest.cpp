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
    void keepsEventLoopRunning();
    void replacesHungThread();
    void othersContinueWhileOneHangs();
    void longQueueIsNoFault();
    void limitsAbandonedThreads();
    void reportsMissingAnswer();
    void usesFirstAnswer();
    void ignoresAnswerAfterRemoval();
    void abandonsHungDestructor();
    void slotMayDeleteHost();
};

void LateEvaluatorTest::keepsEventLoopRunning()
{
    // The event loop continues while a plug-in hangs.
    ChaosStage stage;
    stage.begin(chaos("hangs"));
    int passes = 0;
    QTimer timer;
    connect(&timer, &QTimer::timeout, this, [&] { ++passes; });
    timer.start(0);
    QVERIFY(QTest::qWaitFor([&] { return passes >= 10; }, PluginStage::limit));
    QCOMPARE(stage.state(), InstanceState::Evaluating);
}

void LateEvaluatorTest::replacesHungThread()
{
    const Flag asked;
    ChaosStage stage;
    stage.begin(chaos("hangs", asked.parameter()) + QStringLiteral(",'initialDelay':'5s'"));
    QVERIFY(asked.wait());
    stage.play(QStringLiteral("+999ms"));
    QCOMPARE(stage.state(), InstanceState::Evaluating);
    stage.play(QStringLiteral("+1ms"));
    QCOMPARE(stage.log.text(), QStringLiteral("START started failed 1s scheduled#1"));
    QCOMPARE(stage.delay(), Duration(4s)); // 5 s after the failure
    QVERIFY(stage.waitForFaults(1));
    QCOMPARE(stage.faults[0].what, QStringLiteral("no answer within 1s"));
    QCOMPARE(stage.host.abandonedThreads(), 1);
}

void LateEvaluatorTest::othersContinueWhileOneHangs()
{
    const Flag asked;
    ChaosStage stage;
    stage.addFailing(QStringLiteral("a"),
                     chaos("hangs", asked.parameter()) + QStringLiteral(",'initialDelay':'60s'"));
    stage.addFailing(QStringLiteral("b"), chaos("counts"));
    stage.play(QStringLiteral("start"));
    QVERIFY(asked.wait());
    stage.play(QStringLiteral("start:b +1s"));
    // Both were late, because they share a thread. b has failed again and is answered by the new
    // thread, which may have answered its first request as well.
    QVERIFY(stage.think());
    QVERIFY(stage.host.abandonedThreads() >= 1);
    const Duration delay = stage.delay(QStringLiteral("b"));
    QVERIFY2(delay == 101s || delay == 102s, qPrintable(durationToString(delay)));
}

// With many requests at once, the last one is late although each answer was quick.
void LateEvaluatorTest::longQueueIsNoFault()
{
    const Flag first;
    const Flag third;
    ChaosStage stage;
    stage.request(1, "waits", first);
    QVERIFY(first.wait());
    stage.request(2, "accept");
    stage.request(3, "waits", third);
    stage.request(4, "accept");
    first.raise();
    QVERIFY(third.wait());
    stage.host.withdraw(4, CustomEvaluators::Withdrawal::TimedOut);
    third.raise();
    QVERIFY(stage.roundTrip());
    QVERIFY(stage.faults.isEmpty());
    QCOMPARE(stage.host.abandonedThreads(), 0);
}

// Valid answers in between do not reset the count of stuck threads.
void LateEvaluatorTest::limitsAbandonedThreads()
{
    ChaosStage stage;
    for (quint64 token = 1; token <= EvaluatorHost::faultLimit; ++token) {
        QVERIFY(!stage.host.isInQuarantine(QStringLiteral("chaos")));
        QVERIFY(stage.roundTrip());
        const Flag asked;
        stage.request(token, "hangs", asked);
        QVERIFY(asked.wait());
        stage.host.withdraw(token, CustomEvaluators::Withdrawal::TimedOut);
        QVERIFY(stage.waitForFaults(static_cast<int>(token)));
    }
    QVERIFY(stage.host.isInQuarantine(QStringLiteral("chaos")));
    QCOMPARE(stage.host.abandonedThreads(), EvaluatorHost::faultLimit);
}

void LateEvaluatorTest::reportsMissingAnswer()
{
    const Flag asked;
    ChaosStage stage;
    stage.begin(chaos("never", asked.parameter()));
    QVERIFY(asked.wait());
    stage.play(QStringLiteral("+1s"));
    QVERIFY(stage.log.text().contains(QLatin1String("1s scheduled#1")));
    QVERIFY(stage.waitForFaults(1));
    QCOMPARE(stage.faults[0].what, QStringLiteral("no answer within 1s"));
}

void LateEvaluatorTest::usesFirstAnswer()
{
    ChaosStage stage;
    stage.begin(chaos("twice"));
    QVERIFY(stage.think());
    QVERIFY(stage.roundTrip());
    QCOMPARE(stage.said, QStringList{QStringLiteral("from elsewhere")});
    QCOMPARE(stage.delay(), Duration(10s));
    QVERIFY(stage.faults.isEmpty());
}

void LateEvaluatorTest::ignoresAnswerAfterRemoval()
{
    const Flag askedA;
    const Flag askedB;
    ChaosStage stage;
    stage.addFailing(QStringLiteral("a"), chaos("late", askedA.parameter()));
    stage.addFailing(QStringLiteral("b"), chaos("late", askedB.parameter()));
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

void LateEvaluatorTest::abandonsHungDestructor()
{
    const Flag asked;
    {
        ChaosStage stage;
        stage.addFailing(
            QStringLiteral("a"),
            chaos("destructor-hangs", asked.parameter() + QStringLiteral(",'times':1")));
        stage.play(QStringLiteral("start"));
        QVERIFY(stage.think());
        stage.play(QStringLiteral("remove"));
        QVERIFY(asked.waitForMore()); // it hangs
        QVERIFY(stage.faults.size() <= 1);
    }
    // The destructor of the stage returned.
}

void LateEvaluatorTest::slotMayDeleteHost()
{
    auto host = std::make_unique<EvaluatorHost>();
    host->setFolders(ChaosStage::folders());
    Stage stage;
    stage.supervisor.policyEvaluator().setCustomEvaluators(host.get());
    connect(host.get(), &CustomEvaluators::faulted, this, [&] { host.reset(); });
    stage.begin(chaos("throws"));
    QVERIFY(QTest::qWaitFor([&] { return !host; }, PluginStage::limit));
    stage.play(QStringLiteral("+1s"));
    QVERIFY(stage.log.text().contains(QLatin1String("scheduled#1")));
}

REKINDLE_TEST(LateEvaluatorTest)
#include "lateevaluatortest.moc"
