// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/controlcalls_p.h"
#include "instantagent.h"
#include "testprogram.h"

#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/lifecycle/virtualscheduler.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <memory>

using namespace Rekindle;
using namespace std::chrono_literals;

/// agents.explain with a virtual clock.
class ExplainCallsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void showsDecisionsOldestFirst();
    void limitsDecisions();
    void marksDecisionWhoseRestartWasCanceled();
    void tellsWhatHappensNext();
    void showsLastActions();
    void tellsHowToCloseCircuitBreaker();
    void showsStoredDescriptors();
    void forgetsRemovedAgent();
    void rejectsInvalidParams_data();
    void rejectsInvalidParams();

private:
    [[nodiscard]] QJsonObject explained(const QByteArray &params = R"({"agent": "web"})") const
    {
        const ControlResponse response = respond(params);
        const auto *result = std::get_if<QByteArray>(&response);
        return result ? QJsonDocument::fromJson(*result).object() : QJsonObject();
    }
    [[nodiscard]] ControlResponse respond(const QByteArray &params) const
    {
        ControlRequest request(nullptr, {.params = params}, *m_calls, nullptr);
        return explainAgent(request).value_or(ControlError());
    }
    [[nodiscard]] QString next() const { return explained()[QLatin1String("next")].toString(); }
    void start()
    {
        m_supervisor->startAll();
        m_scheduler->advance(0s);
    }
    void fail() { Q_EMIT m_agent->failed(FailureReason::ProcessCrash, {.exitCode = 3}); }
    // Fails as often as given; each restart takes place.
    void failTimes(int count)
    {
        for (int i = 0; i < count; ++i) {
            fail();
            m_scheduler->advance(1h);
        }
    }

    std::unique_ptr<VirtualClock> m_clock;
    std::unique_ptr<VirtualScheduler> m_scheduler;
    std::unique_ptr<AgentSupervisor> m_supervisor;
    std::unique_ptr<ControlCalls> m_calls;
    FixedLicenseProvider m_license{LicenseTier::Enterprise};
    InstantAgent *m_agent = nullptr;
    QUuid m_id;
};

void ExplainCallsTest::init()
{
    m_clock = std::make_unique<VirtualClock>();
    m_scheduler = std::make_unique<VirtualScheduler>(*m_clock);
    m_supervisor = std::make_unique<AgentSupervisor>(*m_scheduler);
    m_supervisor->featureGate().setProvider(&m_license);
    m_calls = std::make_unique<ControlCalls>(*m_supervisor, QString(), [] {});
    RestartPolicy policy;
    policy.type = RestartPolicyType::Linear;
    policy.initialDelay = 10s;
    policy.maxDelay = 10s;
    policy.jitter.kind = JitterKind::None;
    policy.maxRetries = 7;
    policy.circuitBreaker->threshold = 100;
    policy.stableAfter = 24h;
    auto agent = std::make_unique<InstantAgent>();
    m_agent = agent.get();
    m_id = m_supervisor->add(QStringLiteral("web"), std::move(agent), policy).id;
    QVERIFY(!m_id.isNull());
}

void ExplainCallsTest::cleanup()
{
    m_calls.reset();
    m_supervisor.reset();
}

void ExplainCallsTest::showsDecisionsOldestFirst()
{
    start();
    failTimes(2);
    const QJsonObject result = explained();
    QCOMPARE(result[QLatin1String("agent")][QLatin1String("agent")].toString(),
             QStringLiteral("web"));
    const QJsonArray decisions = result[QLatin1String("decisions")].toArray();
    QCOMPARE(decisions.size(), 2);
    QCOMPARE(decisions[0][QLatin1String("decision")][QLatin1String("attemptNumber")].toInt(), 1);
    QCOMPARE(decisions[1][QLatin1String("decision")][QLatin1String("attemptNumber")].toInt(), 2);
    QCOMPARE(
        decisions[0][QLatin1String("decision")][QLatin1String("failure")][QLatin1String("exitCode")]
            .toInt(),
        3);
    QVERIFY(decisions[0][QLatin1String("monoNs")].isDouble());
}

void ExplainCallsTest::showsStoredDescriptors()
{
    QCOMPARE(explained()[QLatin1String("storedDescriptors")].toArray(), QJsonArray());
    m_agent->descriptors = QStringList{QStringLiteral("http"), QStringLiteral("https")};
    QCOMPARE(explained()[QLatin1String("storedDescriptors")].toArray(),
             (QJsonArray{QStringLiteral("http"), QStringLiteral("https")}));
}

void ExplainCallsTest::limitsDecisions()
{
    start();
    failTimes(3);
    const QJsonArray decisions =
        explained(R"({"agent": "web", "decisions": 1})")[QLatin1String("decisions")].toArray();
    QCOMPARE(decisions.size(), 1);
    QCOMPARE(decisions[0][QLatin1String("decision")][QLatin1String("attemptNumber")].toInt(), 3);
}

void ExplainCallsTest::marksDecisionWhoseRestartWasCanceled()
{
    start();
    failTimes(1);
    fail();
    const auto isCanceled = [this](int decision) {
        return explained()[QLatin1String("decisions")][decision][QLatin1String("canceled")];
    };
    QVERIFY(isCanceled(1).isUndefined());
    m_supervisor->policyEvaluator().stop(m_id);
    QVERIFY(isCanceled(0).isUndefined());
    QCOMPARE(isCanceled(1), QJsonValue(true));
}

void ExplainCallsTest::tellsWhatHappensNext()
{
    QCOMPARE(next(), QStringLiteral("no start until an operator starts it"));
    start();
    QCOMPARE(next(), QStringLiteral("no start or stop is planned"));
    m_supervisor->stop(m_id);
    QCOMPARE(next(), QStringLiteral("it stops"));
    m_supervisor->start(m_id);
    QCOMPARE(next(), QStringLiteral("it stops, and then starts again"));
    m_scheduler->advance(0s);
    QCOMPARE(next(), QStringLiteral("no start or stop is planned"));
    m_agent->recycling = m_scheduler->now() + 3h;
    QCOMPARE(next(), QStringLiteral("recycling in 3h"));
    m_agent->recycling.reset();
    fail();
    QCOMPARE(next(), QStringLiteral("restart 1 of 7 in 10s"));
    m_scheduler->advance(4s);
    QCOMPARE(next(), QStringLiteral("restart 1 of 7 in 6s"));
    m_supervisor->policyEvaluator().isolateCircuitBreaker(m_id);
    QCOMPARE(next(), QStringLiteral("no automatic start while the circuit breaker is isolated"));
    m_supervisor->policyEvaluator().resetCircuitBreaker(m_id);
    m_scheduler->advance(10s);
    const QString running =
        QStringLiteral("its restarts are counted from zero again when it is stable");
    QCOMPARE(next(), running);
    m_supervisor->policyEvaluator().isolateCircuitBreaker(m_id);
    QCOMPARE(next(),
             running
                 + QLatin1String("; no automatic start while the circuit breaker is isolated; to "
                                 "release it: rekindle release web"));
    m_supervisor->policyEvaluator().releaseCircuitBreaker(m_id);
    failTimes(7);
    QCOMPARE(explained()[QLatin1String("agent")][QLatin1String("state")].toString(),
             QStringLiteral("Exhausted"));
    QCOMPARE(next(),
             QStringLiteral("all 7 restarts are used up; no start until an operator starts it"));
    m_supervisor->stop(m_id);
    QCOMPARE(next(),
             QStringLiteral("stopped by an operator; no start until an operator starts it"));
    RestartPolicy none;
    none.type = RestartPolicyType::None;
    QVERIFY(m_supervisor->setPolicy(m_id, none).isEmpty());
    start();
    fail();
    QCOMPARE(next(),
             QStringLiteral("the policy restarts nothing; no start until an operator starts it"));
}

void ExplainCallsTest::showsLastActions()
{
    const auto texts = [this] {
        QStringList found;
        for (const auto &each : explained()[QLatin1String("actions")].toArray())
            found.append(each[QLatin1String("text")].toString());
        return found;
    };
    QCOMPARE(texts(), QStringList());
    start();
    m_supervisor->restart(m_id, QStringLiteral("a.conf changed"));
    OperatorAction action;
    action.request = QStringLiteral("breaker.isolate");
    action.userId = 1000;
    action.clientProcessId = 7;
    action.reason = QStringLiteral("maintenance");
    m_supervisor->policyEvaluator().announce(m_id, action);
    const QStringList both{
        QStringLiteral("restart requested (a.conf changed)"),
        QStringLiteral("isolation of the circuit breaker requested by user 1000, process 7: "
                       "maintenance")};
    QCOMPARE(texts(), both);
    action.request = QStringLiteral("agents.stop");
    m_supervisor->policyEvaluator().announce(m_id, action);
    QCOMPARE(texts().size(), 3); // who isolated the circuit breaker is still shown
    const QUuid other =
        m_supervisor->add(QStringLiteral("db"), std::make_unique<InstantAgent>(), {}).id;
    GroupRestarting restarting;
    restarting.group = QStringLiteral("backend");
    restarting.members = {QStringLiteral("db"), QStringLiteral("web")};
    m_supervisor->policyEvaluator().announce(other, restarting);
    QCOMPARE(texts().constLast(), QStringLiteral("group backend restarts db, web because of db"));
    GroupExhausted exhausted;
    exhausted.group = QStringLiteral("backend");
    exhausted.members = restarting.members;
    m_supervisor->policyEvaluator().announce(m_id, exhausted);
    QCOMPARE(texts().constLast(), QStringLiteral("group backend has given up"));
    QCOMPARE(texts().size(), 4);
}

void ExplainCallsTest::tellsHowToCloseCircuitBreaker()
{
    RestartPolicy policy = m_supervisor->requestedPolicy(m_id);
    policy.circuitBreaker = CircuitBreakerPolicy{.threshold = 2, .timeout = 5min};
    const QList<Fault> faults = m_supervisor->setPolicy(m_id, policy);
    QVERIFY2(!hasErrors(faults), qPrintable(faults.value(0).message));
    start();
    failTimes(1);
    fail();
    QCOMPARE(next(),
             QStringLiteral("circuit breaker open after 2 failures (threshold: 2); trial in 5m, "
                            "or at once if the circuit breaker is reset"));
    m_scheduler->advance(5min);
    QCOMPARE(next(),
             QStringLiteral("when it is stable, its circuit breaker closes and its restarts are "
                            "counted from zero again; if it fails, the breaker opens"));
    m_supervisor->policyEvaluator().resetCircuitBreaker(m_id);
    m_scheduler->advance(0s);
    QCOMPARE(next(), QStringLiteral("its restarts are counted from zero again when it is stable"));
}

void ExplainCallsTest::forgetsRemovedAgent()
{
    start();
    failTimes(1);
    m_supervisor->remove(m_id);
    m_scheduler->advance(1h);
    m_id = m_supervisor->add(QStringLiteral("web"), std::make_unique<InstantAgent>(), {}).id;
    QCOMPARE(explained()[QLatin1String("decisions")].toArray().size(), 0);
}

void ExplainCallsTest::rejectsInvalidParams_data()
{
    QTest::addColumn<QByteArray>("params");
    QTest::addColumn<QString>("message");
    QTest::newRow("no agent") << QByteArray("{}") << "params: /agent: missing";
    QTest::newRow("unknown agent") << QByteArray(R"({"agent": "wbe"})") << "no agent named wbe";
    QTest::newRow("too many") << QByteArray(R"({"agent": "web", "decisions": 6})")
                              << "params: /decisions: expected a whole number from 1 to 5, found 6";
    QTest::newRow("unknown key") << QByteArray(R"({"agent": "web", "limit": 1})")
                                 << "params: /limit: unknown key";
}

void ExplainCallsTest::rejectsInvalidParams()
{
    QFETCH(const QByteArray, params);
    QFETCH(const QString, message);
    const ControlResponse response = respond(params);
    const auto *error = std::get_if<ControlError>(&response);
    QVERIFY(error);
    QVERIFY2(error->message.startsWith(message), qPrintable(error->message));
}

REKINDLE_TEST(ExplainCallsTest)
#include "explaincallstest.moc"
