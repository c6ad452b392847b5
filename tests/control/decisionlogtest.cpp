// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "scriptedevaluators.h"
#include "testprogram.h"

#include <rekindle/control/decisionlog.h>

#include <QJsonDocument>
#include <QJsonObject>

#include <memory>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

QString isolatedPolicy(const QString &type = QStringLiteral("'type':'exponential'"))
{
    return type + QStringLiteral(",'maxRetries':7,'circuitBreaker':'off'");
}

} // namespace

/// A DecisionLog of agents that fail in virtual time.
class DecisionLogTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void keepsNewestDecisions();
    void limitsNumberOfDecisions();
    void separatesAgents();
    void addsShadowToItsDecision();
    void ignoresShadowOfRemovedDecision();
    void marksDecisionWhoseRestartWasCanceled();
    void recordsActions();
    void forgetsRemovedAgent();
    void explainsAgent();
    void explainsAgentWithoutFailures();
    void explainsShadow();
    void explainsLinesOfJson();
    void explainsNothingOfUnknownAgent();
    void outlivesSupervisor();

private:
    [[nodiscard]] QString text() const
    {
        return m_log->explain(m_stage->first()).toText(m_stage->clock.utcNow());
    }
    [[nodiscard]] QList<int> attempts() const
    {
        QList<int> numbers;
        for (const auto &each : m_log->decisions(m_stage->first()))
            numbers.append(each.made.decision.attemptNumber);
        return numbers;
    }
    void create(int perAgent)
    {
        m_log.reset();
        m_log = std::make_unique<DecisionLog>(m_stage->supervisor, perAgent);
    }

    std::unique_ptr<EvaluatorStage> m_stage;
    std::unique_ptr<DecisionLog> m_log;
};

void DecisionLogTest::init()
{
    m_log.reset();
    m_stage = std::make_unique<EvaluatorStage>();
    create(DecisionLog::defaultPerAgent);
}

void DecisionLogTest::keepsNewestDecisions()
{
    create(3);
    m_stage->begin(isolatedPolicy(), QStringLiteral("start +1h"));
    QCOMPARE(m_stage->state(), InstanceState::Exhausted);
    QCOMPARE(attempts(), (QList<int>{6, 7, 0}));
}

void DecisionLogTest::limitsNumberOfDecisions()
{
    create(0);
    m_stage->begin(isolatedPolicy(), QStringLiteral("start +1h"));
    QCOMPARE(attempts(), QList<int>{0});
    create(1'000'000);
    m_stage->play(QStringLiteral("start +1h"));
    QCOMPARE(attempts(), (QList<int>{1, 2, 3, 4, 5, 6, 7, 0}));
}

void DecisionLogTest::separatesAgents()
{
    m_stage->begin(isolatedPolicy());
    const QUuid other = m_stage->addFailing(QStringLiteral("b"), isolatedPolicy());
    QCOMPARE(m_log->decisions(other).size(), 0);
    m_stage->play(QStringLiteral("start:b +1h"));
    QCOMPARE(m_log->decisions(other).size(), DecisionLog::defaultPerAgent);
    QCOMPARE(m_log->decisions(other).constLast().made.agent, QStringLiteral("b"));
}

void DecisionLogTest::addsShadowToItsDecision()
{
    m_stage->begin(isolatedPolicy(shadowPolicy()));
    QCOMPARE(m_log->decisions(m_stage->first()).size(), 1);
    QVERIFY(!m_log->decisions(m_stage->first())[0].shadow);
    m_stage->evaluators.answer(EvaluatorVerdict::Kind::Refuse);
    const QList<DecisionLog::Entry> decisions = m_log->decisions(m_stage->first());
    QCOMPARE(decisions.size(), 1);
    QVERIFY(decisions[0].shadow);
    QCOMPARE(decisions[0].shadow->decision.rule, DecisionRule::EvaluatorRefused);
    QCOMPARE(decisions[0].made.decision.rule, DecisionRule::Restart);
}

void DecisionLogTest::ignoresShadowOfRemovedDecision()
{
    m_stage->begin(isolatedPolicy(shadowPolicy()));
    create(1); // it has not recorded the decision
    m_stage->evaluators.answer(EvaluatorVerdict::Kind::Refuse);
    QCOMPARE(m_log->decisions(m_stage->first()).size(), 0);
}

void DecisionLogTest::marksDecisionWhoseRestartWasCanceled()
{
    m_stage->begin(isolatedPolicy(), QStringLiteral("start +1s"));
    m_stage->play(QStringLiteral("stop"));
    const QList<DecisionLog::Entry> decisions = m_log->decisions(m_stage->first());
    QCOMPARE(decisions.size(), 2);
    QVERIFY(!decisions[0].isCanceled);
    QVERIFY(decisions[1].isCanceled);
    const QString explained = text();
    VERIFY_CONTAINS(explained, "\n  next     restart 2 was canceled\n");
}

void DecisionLogTest::recordsActions()
{
    const QUuid id = m_stage->add(QStringLiteral("a"), {});
    const QUuid other = m_stage->add(QStringLiteral("b"), {});
    RestartPolicyEvaluator &evaluator = m_stage->supervisor.policyEvaluator();
    m_stage->play(QStringLiteral("start"));
    QCOMPARE(m_log->actions(id), QList<RecordedAction>());
    m_stage->supervisor.restart(id, QStringLiteral("a.conf changed"));
    m_stage->advance(1s);
    OperatorAction action;
    action.request = QStringLiteral("agents.stop");
    action.userId = 1000;
    action.clientProcessId = 7;
    evaluator.announce(id, action);
    GroupRestarting restarting;
    restarting.group = QStringLiteral("backend");
    restarting.members = {QStringLiteral("a"), QStringLiteral("b")};
    evaluator.announce(other, restarting);
    const QList<RecordedAction> actions = m_log->actions(id);
    QCOMPARE(actions.size(), 3);
    QCOMPARE(actions[0].text, QStringLiteral("restart requested (a.conf changed)"));
    QCOMPARE(actions[1].time - actions[0].time, std::chrono::milliseconds(1000));
    QCOMPARE(actions[2].text, QStringLiteral("group backend restarts a, b because of b"));
    QCOMPARE(m_log->actions(other).size(), 1);
    const QString explained = text();
    VERIFY_CONTAINS(explained,
                    "\naction: 2026-01-01T00:00:01.000Z  group backend restarts a, b because of "
                    "b\nnow: ");
}

void DecisionLogTest::forgetsRemovedAgent()
{
    m_stage->begin(isolatedPolicy());
    const QUuid id = m_stage->first();
    QCOMPARE(m_log->decisions(id).size(), 1);
    m_stage->play(QStringLiteral("remove"));
    QCOMPARE(m_log->decisions(id).size(), 0);
    QCOMPARE(m_log->next(id), QString());
    QVERIFY(!m_log->explain(id).hasDecisions());
}

void DecisionLogTest::explainsAgent()
{
    m_stage->begin(isolatedPolicy());
    QCOMPARE(text(),
             QStringLiteral("a: decision of 2026-01-01T00:00:00.000Z\n"
                            "  failure  ProcessCrash: scripted, process 1001\n"
                            "  policy   exponential, 0 of 7 restarts made in this sequence\n"
                            "  breaker  Closed, consecutive failures: 1\n"
                            "  rule     Restart: Restart attempt 1\n"
                            "  delay    1s before jitter, 1s after jitter (none, draw 0.500)\n"
                            "  budget   restarts left: 6\n"
                            "  stderr   no lines recorded\n"
                            "\n"
                            "now: Waiting; restart 1 of 7 in 1s\n"));
    m_stage->advance(250ms);
    QCOMPARE(m_log->next(m_stage->first()), QStringLiteral("restart 1 of 7 in 750ms"));
}

void DecisionLogTest::explainsAgentWithoutFailures()
{
    const QUuid id = m_stage->add(QStringLiteral("a"), {});
    m_stage->play(QStringLiteral("start"));
    QVERIFY(!m_log->explain(id).hasDecisions());
    QCOMPARE(text(),
             QStringLiteral("a: no decision since the host started\n\n"
                            "now: Running; no start or stop is planned\n"));
}

void DecisionLogTest::explainsShadow()
{
    m_stage->begin(isolatedPolicy(shadowPolicy()));
    m_stage->evaluators.answer(EvaluatorVerdict::Kind::Delay, 30s, QStringLiteral("it is night"));
    const QString explained = text();
    VERIFY_CONTAINS(explained,
                    "\n  shadow   evaluator test delays: it is night; it would have set the delay "
                    "to 30s\n");
}

void DecisionLogTest::explainsLinesOfJson()
{
    m_stage->begin(isolatedPolicy(shadowPolicy()));
    m_stage->evaluators.answer(EvaluatorVerdict::Kind::Delay, 30s);
    const QByteArray json = m_log->explain(m_stage->first()).toJson();
    QCOMPARE(json.count('\n'), 1);
    const QJsonObject decision = QJsonDocument::fromJson(json).object();
    QCOMPARE(decision[u"agent"].toString(), QStringLiteral("a"));
    QVERIFY(!decision.contains(u"row"));
    QCOMPARE(decision[u"instanceId"].toString(), m_stage->first().toString(QUuid::WithoutBraces));
    QCOMPARE(decision[u"decision"][u"delayMs"].toDouble(), 1000.0);
    QCOMPARE(decision[u"decision"][u"failure"][u"pid"].toInt(), 1001);
    QCOMPARE(decision[u"shadow"][u"delayMs"].toDouble(), 30'000.0);
}

void DecisionLogTest::explainsNothingOfUnknownAgent()
{
    const AgentExplanation explanation = m_log->explain(QUuid::createUuid());
    QVERIFY(!explanation.hasDecisions());
    QCOMPARE(explanation.toText({}), QString());
    QCOMPARE(explanation.stateText(), QString());
    QCOMPARE(explanation.toJson(), QByteArray());
}

void DecisionLogTest::outlivesSupervisor()
{
    m_stage->begin(isolatedPolicy());
    const QUuid id = m_stage->first();
    m_stage.reset();
    QCOMPARE(m_log->next(id), QString());
    QCOMPARE(m_log->explain(id).toText({}), QString());
}

REKINDLE_TEST(DecisionLogTest)
#include "decisionlogtest.moc"
