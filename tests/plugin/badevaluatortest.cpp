// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "chaosstage.h"
#include "lifecycle/internal/evaluatorport.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;
using namespace std::chrono_literals;

/// Invalid answers of a plug-in have no effect: the built-in decision applies.
class BadEvaluatorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("REKINDLE_TEST_LOADING_IS_FINE", "1"); }
    void appliesValidAnswer_data();
    void appliesValidAnswer();
    void requestContents();
    void requestContainsHealth();
    void reportsFault_data();
    void reportsFault();
    void quarantine();
    void quarantineOfOneInstance();
    void validAnswerResetsFaultCount();
    void stateIsKeptPerInstance();
    void wrongRootObject();
    void shadowFaultIsReported();
    void shadowAnswerIsCompared();
    void missingPluginUsesBuiltInDecision();
    void lowerTierUsesBaseType();
};

void BadEvaluatorTest::appliesValidAnswer_data()
{
    const Rows<int, QString> row("seconds", "log");
    row("accept", 1, "START started failed scheduled#1");
    row("elsewhere", 10, "START started failed scheduled#1");
    row("refuse", 0, "START started failed declined:Evaluator");
    row("open", 300, "START started failed closed>open trial#1");
}

void BadEvaluatorTest::appliesValidAnswer()
{
    QFETCH(const int, seconds);
    const QString mode = QString::fromLatin1(QTest::currentDataTag());
    ChaosStage stage;
    stage.begin(chaos(QTest::currentDataTag()));
    QVERIFY(stage.think());
    QTEST(stage.log.text(), "log");
    if (seconds > 0)
        QCOMPARE(stage.delay(), Duration(std::chrono::seconds(seconds)));
    if (mode == QLatin1String("refuse"))
        QCOMPARE(stage.said, QStringList{QStringLiteral("not now")});
    QVERIFY(stage.faults.isEmpty());
}

void BadEvaluatorTest::requestContents()
{
    ChaosStage stage;
    stage.add(QStringLiteral("web"), {.runs = QStringLiteral("started fail:7|started ready fail")},
              chaos("echo"));
    stage.play(QStringLiteral("start"));
    QVERIFY(stage.think());
    stage.play(QStringLiteral("+9s"));
    QVERIFY(stage.think());
    QCOMPARE(stage.said,
             (QStringList{QStringLiteral("web 1 0 ProcessCrash 7 boot 1000 1"),
                          QStringLiteral("web 2 1 ProcessCrash -1 ready 2000 2")}));
}

void BadEvaluatorTest::requestContainsHealth()
{
    ChaosStage stage;
    AgentHealthStatus health;
    health.state = AgentHealthStatus::State::Unhealthy;
    health.consecutiveMisses = 4;
    health.history = {{UtcTime(1s), true, 3ms, QStringLiteral("fine"), QStringLiteral("tcp")},
                      {UtcTime(2s), false, 2s, QStringLiteral("slow"), QStringLiteral("http")}};
    EvaluatorPort(stage.supervisor.policyEvaluator()).setHealthSource([&](const QUuid &) {
        return health;
    });
    stage.addFailing(QStringLiteral("web"), chaos("echo-health"));
    stage.play(QStringLiteral("start"));
    QVERIFY(stage.think());
    QCOMPARE(
        stage.said,
        QStringList{QStringLiteral("unhealthy 4, 1000 tcp good 3 fine, 2000 http miss 2000 slow")});
}

void BadEvaluatorTest::reportsFault_data()
{
    const Rows<QString> row("what");
    row("throws", "threw an exception: chaos");
    row("throws-int", "threw an object that is not a std::exception");
    row("throws-later", "threw an exception: later");
    row("negative", "invalid answer: expected a delay of 0 to 7 days, found -1000 ms");
    row("eight-days", "invalid answer: expected a delay of 0 to 7 days, found 691200000 ms");
    row("kind-99", "invalid answer: unknown kind 99");
    row("no-future", "finished without an answer");
    row("abandoned", "finished without an answer");
    row("abandoned-at-once", "finished without an answer");
    row("create-throws", "threw an exception: no evaluator today");
    row("create-null", "threw an exception: create() returned null");
}

void BadEvaluatorTest::reportsFault()
{
    QFETCH(const QString, what);
    ChaosStage stage;
    const QUuid id = stage.addFailing(QStringLiteral("a"), chaos(QTest::currentDataTag()));
    stage.play(QStringLiteral("start"));
    QVERIFY(stage.think());
    QCOMPARE(stage.log.text(), QStringLiteral("START started failed scheduled#1"));
    QCOMPARE(stage.delay(), Duration(1s));
    QVERIFY(stage.waitForFaults(1));
    const bool creationFailed = QByteArray(QTest::currentDataTag()).startsWith("create-");
    QCOMPARE(stage.faults[0],
             (EvaluatorFault{QStringLiteral("chaos"), id, what, false, creationFailed}));
}

void BadEvaluatorTest::quarantine()
{
    ChaosStage stage;
    stage.begin(chaos("throws") + QStringLiteral(",'circuitBreaker':'off'"));
    for (int i = 1; i <= EvaluatorHost::faultLimit; ++i) {
        QVERIFY(stage.think());
        QCOMPARE(stage.faults.size(), i);
        QCOMPARE(stage.faults.last().quarantined, i == EvaluatorHost::faultLimit);
        stage.advance(stage.delay());
    }
    QVERIFY(stage.host.isInQuarantine(QStringLiteral("chaos")));
    QVERIFY(!stage.host.isAvailable(QStringLiteral("chaos")));
    // It gets no requests, and no further faults are reported.
    QCOMPARE(stage.state(), InstanceState::Waiting);
    QCOMPARE(stage.faults.size(), 3);
    stage.host.reload();
    QVERIFY(stage.host.isAvailable(QStringLiteral("chaos")));
    stage.advance(stage.delay());
    QVERIFY(stage.waitForFaults(4));
    QVERIFY(!stage.faults.last().quarantined);
}

// Parameters with which no evaluator can be created are a fault of one agent only.
void BadEvaluatorTest::quarantineOfOneInstance()
{
    ChaosStage stage;
    const QUuid a = stage.addFailing(
        QStringLiteral("a"), chaos("create-throws") + QStringLiteral(",'circuitBreaker':'off'"));
    stage.addFailing(QStringLiteral("b"), chaos("counts"));
    QVERIFY(stage.waitForFaults(1)); // it is created before the first request
    stage.play(QStringLiteral("start"));
    for (int i = 2; i <= EvaluatorHost::faultLimit; ++i) {
        QVERIFY(stage.think());
        QCOMPARE(stage.faults.size(), i);
        QCOMPARE(stage.faults.last().instanceId, a);
        QVERIFY(stage.faults.last().creationFailed);
        QCOMPARE(stage.faults.last().quarantined, i == EvaluatorHost::faultLimit);
        stage.advance(stage.delay());
    }
    QVERIFY(stage.think()); // the built-in rules decide
    QCOMPARE(stage.state(), InstanceState::Waiting);
    QCOMPARE(stage.faults.size(), EvaluatorHost::faultLimit);
    QVERIFY(!stage.host.isInQuarantine(QStringLiteral("chaos")));

    stage.play(QStringLiteral("start:b"));
    QVERIFY(stage.think());
    QCOMPARE(stage.delay(QStringLiteral("b")), Duration(101s));

    stage.host.reload();
    stage.advance(stage.delay());
    QVERIFY(stage.waitForFaults(EvaluatorHost::faultLimit + 1));
    QVERIFY(!stage.faults.last().quarantined);
}

void BadEvaluatorTest::validAnswerResetsFaultCount()
{
    ChaosStage stage;
    for (const char *name : {"a", "b", "c"})
        stage.addFailing(QLatin1String(name), chaos("throws", QStringLiteral(",'times':1")));
    stage.play(QStringLiteral("start"));
    QVERIFY(stage.think());
    QCOMPARE(stage.faults.size(), 1);
    stage.advance(stage.delay());
    QVERIFY(stage.think());
    QCOMPARE(stage.said, QStringList{QStringLiteral("good again")});
    for (const char *command : {"start:b", "start:c"}) {
        stage.play(QLatin1String(command));
        QVERIFY(stage.think());
    }
    QCOMPARE(stage.faults.size(), EvaluatorHost::faultLimit);
    QVERIFY(!stage.host.isInQuarantine(QStringLiteral("chaos")));
}

void BadEvaluatorTest::stateIsKeptPerInstance()
{
    ChaosStage stage;
    stage.begin(chaos("counts"));
    QVERIFY(stage.think());
    QCOMPARE(stage.delay(), Duration(101s));
    stage.host.reload(); // the plug-in is unchanged
    stage.advance(101s);
    QVERIFY(stage.think());
    QCOMPARE(stage.delay(), Duration(102s));
    stage.addFailing(QStringLiteral("b"), chaos("counts"));
    stage.play(QStringLiteral("start:b"));
    QVERIFY(stage.think());
    QCOMPARE(stage.delay(QStringLiteral("b")), Duration(101s));
}

void BadEvaluatorTest::wrongRootObject()
{
    ChaosStage stage;
    stage.begin(customPolicy(QStringLiteral("wrong-root"), {}));
    QVERIFY(stage.think());
    QCOMPARE(stage.delay(), Duration(1s));
    QVERIFY(stage.waitForFaults(1));
    QCOMPARE(stage.faults[0].what,
             QStringLiteral("threw an exception: the root object is not a RestartEvaluatorPlugin"));
}

void BadEvaluatorTest::shadowFaultIsReported()
{
    ChaosStage stage;
    stage.begin(chaos("throws", {}, QStringLiteral("shadow")));
    QCOMPARE(stage.state(), InstanceState::Waiting);
    QVERIFY(stage.waitForFaults(1));
    QCOMPARE(stage.supervisor.policyEvaluator().shadowTally(stage.first()), ShadowTally{});
}

void BadEvaluatorTest::shadowAnswerIsCompared()
{
    ChaosStage stage;
    QSignalSpy shadowed(&stage.supervisor.policyEvaluator(),
                        &RestartPolicyEvaluator::shadowDecided);
    stage.begin(chaos("refuse", {}, QStringLiteral("shadow")));
    QCOMPARE(stage.state(), InstanceState::Waiting);
    QVERIFY(QTest::qWaitFor([&] { return !shadowed.isEmpty(); }, PluginStage::limit));
    QCOMPARE(shadowed[0][1].value<RestartDecision>().rule, DecisionRule::Restart);
    QCOMPARE(shadowed[0][2].value<RestartDecision>().rule, DecisionRule::EvaluatorRefused);
    QCOMPARE(stage.supervisor.policyEvaluator().shadowTally(stage.first()), (ShadowTally{1, 1}));
}

void BadEvaluatorTest::missingPluginUsesBuiltInDecision()
{
    ChaosStage stage;
    stage.addFailing(QStringLiteral("a"), chaos("refuse"));
    stage.host.setFolders({});
    stage.play(QStringLiteral("start"));
    QCOMPARE(stage.state(), InstanceState::Waiting);
}

void BadEvaluatorTest::lowerTierUsesBaseType()
{
    ChaosStage stage;
    bool enterprise = true;
    stage.host.setTierCheck([&](QStringView) { return enterprise; });
    stage.begin(chaos("counts"));
    QVERIFY(stage.think());
    enterprise = false;
    stage.advance(101s);
    QCOMPARE(stage.state(), InstanceState::Waiting); // decided by the base type
    QCOMPARE(stage.delay(), Duration(2s));
    enterprise = true;
    stage.advance(2s);
    QVERIFY(stage.think());
    QCOMPARE(stage.delay(), Duration(102s));
}

REKINDLE_TEST(BadEvaluatorTest)
#include "badevaluatortest.moc"
