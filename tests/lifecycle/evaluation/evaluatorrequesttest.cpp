// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/internal/evaluatorport.h"
#include "scriptedevaluators.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/policy/instancememory.h>

using namespace Rekindle;
using namespace std::chrono_literals;
using Kind = EvaluatorVerdict::Kind;

class EvaluatorRequestTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void appliesVerdict_data();
    void appliesVerdict();
    void requestContents();
    void requestContainsHealth();
    void noRequestWithoutRestart_data();
    void noRequestWithoutRestart();
    void timeoutUsesBuiltInDecision();
    void unansweredUsesBuiltInDecision();
    void endsEvaluation_data();
    void endsEvaluation();
    void ignoresLateAnswers();
    void unavailableUsesBuiltInDecision();
    void missingEvaluatorsUseBuiltInDecision();
    void evaluatorsDeletedDuringRequest();
    void attachesToSuccessorOfDeletedEvaluators();
    void replacedDuringRequest();
    void hostExitsDuringRequest();
    void isolatedDuringRequest();
    void stoppedBeforeRequest();
    void evaluatorDeletedInSlot();
    void rejectsPolicyWithFaults();
    void policyChangeReplacesAttachment();
    void shadowAppliesBuiltInDecisionAtOnce();
    void shadowCountsDisagreement_data();
    void shadowCountsDisagreement();
    void shadowTimeoutCountsNoAnswer();
    void shadowIgnoresAnswerAfterRemoval();

private:
    void play(const QString &policy, const QString &script,
              const QString &runs = QStringLiteral("started fail"));
    [[nodiscard]] static QList<EvaluatorOpinion> withoutVerdict(const char *why);

    QList<EvaluatorOpinion> m_opinions; // of all decisions
    std::unique_ptr<EvaluatorStage> m_stage;
};

void EvaluatorRequestTest::init()
{
    m_stage = std::make_unique<EvaluatorStage>();
    m_opinions.clear();
    connect(&m_stage->supervisor.policyEvaluator(), &RestartPolicyEvaluator::decided, this,
            [this](const QUuid &, const RestartDecision &decision) {
                if (decision.evaluator)
                    m_opinions.append(*decision.evaluator);
            });
}

QList<EvaluatorOpinion> EvaluatorRequestTest::withoutVerdict(const char *why)
{
    return {{QStringLiteral("test"), {}, QString::fromLatin1(why), 1s}};
}

void EvaluatorRequestTest::play(const QString &policy, const QString &script, const QString &runs)
{
    m_stage->add(QStringLiteral("a"), {.runs = runs}, policy);
    m_stage->play(script);
}

void EvaluatorRequestTest::appliesVerdict_data()
{
    const Rows<Kind, int, QString> row("kind", "seconds", "log");
    row("accept", Kind::Accept, 0, "START started failed scheduled#1");
    row("delay", Kind::Delay, 30, "START started failed scheduled#1");
    row("delay is not shortened", Kind::Delay, 0, "START started failed scheduled#1");
    row("refuse", Kind::Refuse, 0, "START started failed declined:Evaluator");
    row("open", Kind::OpenBreaker, 0, "START started failed closed>open trial#1");
}

void EvaluatorRequestTest::appliesVerdict()
{
    QFETCH(const Kind, kind);
    QFETCH(const int, seconds);
    QFETCH(const QString, log);
    QSignalSpy decided(&m_stage->supervisor.policyEvaluator(), &RestartPolicyEvaluator::decided);
    play(activePolicy(), QStringLiteral("start"));
    QCOMPARE(m_stage->state(), InstanceState::Evaluating);
    QVERIFY(decided.isEmpty());
    m_stage->evaluators.answer(kind, std::chrono::seconds(seconds), QStringLiteral("because"));
    QCOMPARE(m_stage->log.text(), log);
    QCOMPARE(decided.size(), 1);
    QCOMPARE(decided[0][1].value<RestartDecision>().evaluator,
             std::optional(
                 EvaluatorOpinion{QStringLiteral("test"), kind, QStringLiteral("because"), 1s}));
    if (log.contains(QLatin1String("scheduled"))) {
        const Duration delay =
            *m_stage->supervisor.snapshot(m_stage->first())->nextStartAt - m_stage->clock.now();
        QCOMPARE(delay, Duration(std::max(1s, std::chrono::seconds(seconds))));
    }
    QVERIFY(m_stage->evaluators.withdrawn.isEmpty());
}

void EvaluatorRequestTest::requestContents()
{
    play(activePolicy() + QStringLiteral(",'initialDelay':'3s'"), QStringLiteral("start"),
         QStringLiteral("started fail:7|started ready +2s fail"));
    QCOMPARE(m_stage->evaluators.requests.size(), 1);
    EvaluatorRequest request = m_stage->evaluators.requests.last();
    QCOMPARE(request.agent, QStringLiteral("a"));
    QCOMPARE(request.generation, 1U);
    QCOMPARE(request.context.instanceId, m_stage->first());
    QCOMPARE(request.context.currentAttempt, 0);
    QCOMPARE(request.context.reason, FailureReason::ProcessCrash);
    QCOMPARE(request.context.detail.exitCode, std::optional(7));
    QCOMPARE(request.context.policy.evaluator->id, QStringLiteral("test"));
    QVERIFY(request.beforeReady);
    QVERIFY(!request.context.onceReady);
    QVERIFY(request.builtIn.shouldRestart);
    QCOMPARE(request.builtIn.delay, Duration(3s));
    m_stage->evaluators.answer(Kind::Accept);
    m_stage->play(QStringLiteral("+3s +2s"));
    QCOMPARE(m_stage->evaluators.requests.size(), 2);
    request = m_stage->evaluators.requests.last();
    QCOMPARE(request.context.currentAttempt, 1);
    QCOMPARE(request.context.detail.exitCode, std::optional<int>());
    QVERIFY(!request.beforeReady);
    QVERIFY(request.context.onceReady);
    QCOMPARE(request.context.lastFailureAt - request.context.firstFailureAt,
             std::chrono::milliseconds(5s));
    QCOMPARE(request.failedAt, m_stage->clock.now());
}

void EvaluatorRequestTest::requestContainsHealth()
{
    AgentHealthStatus health;
    health.state = AgentHealthStatus::State::Unhealthy;
    health.history = {{{}, false, 2s, QStringLiteral("slow"), QStringLiteral("http")}};
    QUuid asked;
    EvaluatorPort(m_stage->supervisor.policyEvaluator()).setHealthSource([&](const QUuid &id) {
        asked = id;
        return health;
    });
    play(activePolicy(), QStringLiteral("start"));
    QCOMPARE(m_stage->evaluators.requests.size(), 1);
    QCOMPARE(m_stage->evaluators.requests.last().context.healthStatus, health);
    QCOMPARE(asked, m_stage->first());
}

void EvaluatorRequestTest::noRequestWithoutRestart_data()
{
    const Rows<QString, QString> row("policy", "runs");
    row("open", ",'circuitBreaker':{'threshold':1}", "started fail");
    row("exhausted", ",'maxRetries':0", "started fail");
    row("permanent", "", "started fail:127");
}

void EvaluatorRequestTest::noRequestWithoutRestart()
{
    QFETCH(const QString, policy);
    QFETCH(const QString, runs);
    play(activePolicy() + policy, QStringLiteral("start"), runs);
    QVERIFY(m_stage->evaluators.requests.isEmpty());
    QVERIFY(m_stage->state() != InstanceState::Evaluating);
    QCOMPARE(m_opinions, QList<EvaluatorOpinion>());
}

void EvaluatorRequestTest::timeoutUsesBuiltInDecision()
{
    play(activePolicy(), QStringLiteral("start +999ms"));
    QCOMPARE(m_stage->state(), InstanceState::Evaluating);
    m_stage->play(QStringLiteral("+1ms"));
    QCOMPARE(m_stage->log.text(),
             QStringLiteral("START started failed 1s scheduled#1 attempt#1 "
                            "START started failed"));
    QCOMPARE(m_opinions, withoutVerdict("no answer within 1s"));
}

void EvaluatorRequestTest::unansweredUsesBuiltInDecision()
{
    play(activePolicy(), QStringLiteral("start"));
    Q_EMIT m_stage->evaluators.unanswered(m_stage->evaluators.requests.last().token,
                                          QStringLiteral("it broke"));
    QCOMPARE(m_stage->log.text(), QStringLiteral("START started failed scheduled#1"));
    QCOMPARE(m_opinions, withoutVerdict("it broke"));
}

void EvaluatorRequestTest::endsEvaluation_data()
{
    const Rows<QString> row("withdrawn");
    row("stop", "superseded");
    row("retry", "superseded");
    row("start", "superseded");
    row("isolate", "superseded");
    row("remove", "superseded");
    row("+1s", "late");
}

void EvaluatorRequestTest::endsEvaluation()
{
    QFETCH(const QString, withdrawn);
    play(activePolicy(), QStringLiteral("start"));
    const quint64 token = m_stage->evaluators.requests.last().token;
    m_stage->play(QString::fromLatin1(QTest::currentDataTag()));
    QCOMPARE(m_stage->evaluators.withdrawn.value(0),
             QStringLiteral("%1:%2").arg(token).arg(withdrawn));
}

void EvaluatorRequestTest::ignoresLateAnswers()
{
    play(activePolicy(), QStringLiteral("start"));
    const quint64 token = m_stage->evaluators.requests.last().token;
    m_stage->play(QStringLiteral("stop start"));
    const QString before = m_stage->log.text();
    QCOMPARE(m_stage->evaluators.requests.size(), 2);
    Q_EMIT m_stage->evaluators.answered(token, {Kind::Refuse, Duration{0}}, QStringLiteral("late"));
    QCOMPARE(m_stage->log.text(), before);
    QCOMPARE(m_stage->state(), InstanceState::Evaluating);
    m_stage->evaluators.answer(Kind::Accept);
    QCOMPARE(m_stage->state(), InstanceState::Waiting);
    m_stage->evaluators.answer(Kind::Refuse); // twice
    QCOMPARE(m_stage->state(), InstanceState::Waiting);
}

void EvaluatorRequestTest::unavailableUsesBuiltInDecision()
{
    m_stage->evaluators.available = false;
    play(activePolicy(), QStringLiteral("start"));
    QCOMPARE(m_stage->state(), InstanceState::Waiting);
    QVERIFY(m_stage->evaluators.requests.isEmpty());
    QCOMPARE(m_opinions, withoutVerdict("not available"));
}

void EvaluatorRequestTest::missingEvaluatorsUseBuiltInDecision()
{
    m_stage->supervisor.policyEvaluator().setCustomEvaluators(nullptr);
    play(activePolicy(), QStringLiteral("start"));
    QCOMPARE(m_stage->state(), InstanceState::Waiting);
    QCOMPARE(m_opinions, withoutVerdict("not available"));
}

void EvaluatorRequestTest::evaluatorsDeletedDuringRequest()
{
    auto evaluators = std::make_unique<ScriptedEvaluators>();
    m_stage->supervisor.policyEvaluator().setCustomEvaluators(evaluators.get());
    play(activePolicy(), QStringLiteral("start"));
    evaluators.reset();
    m_stage->play(QStringLiteral("+1s"));
    QVERIFY(m_stage->log.text().contains(QLatin1String("scheduled#1")));
    QCOMPARE(m_opinions.mid(0, 1), withoutVerdict("the evaluator was replaced during the request"));
    m_stage->play(QStringLiteral("+10s")); // and no further request is sent
    QVERIFY(m_stage->state() != InstanceState::Evaluating);
}

void EvaluatorRequestTest::attachesToSuccessorOfDeletedEvaluators()
{
    RestartPolicyEvaluator &evaluator = m_stage->supervisor.policyEvaluator();
    auto deleted = std::make_unique<ScriptedEvaluators>();
    evaluator.setCustomEvaluators(deleted.get());
    play(activePolicy(), QStringLiteral("start"));
    deleted.reset();
    ScriptedEvaluators successor;
    evaluator.setCustomEvaluators(&successor);
    QCOMPARE(successor.attached, QList<QUuid>{m_stage->first()});
    m_stage->play(QStringLiteral("+1s"));
    QCOMPARE(m_opinions, withoutVerdict("the evaluator was replaced during the request"));
    m_stage->play(QStringLiteral("+1s"));
    QCOMPARE(successor.requests.size(), 1);
}

// It got no request, so it is not late.
void EvaluatorRequestTest::replacedDuringRequest()
{
    play(activePolicy(), QStringLiteral("start"));
    RestartPolicy policy = policyOf(activePolicy());
    policy.evaluator->parameters.insert(QStringLiteral("more"), 1);
    m_stage->supervisor.policyEvaluator().setPolicy(m_stage->first(), policy);
    m_stage->play(QStringLiteral("+1s"));
    QCOMPARE(m_opinions, withoutVerdict("the evaluator was replaced during the request"));
}

void EvaluatorRequestTest::hostExitsDuringRequest()
{
    play(activePolicy(), QStringLiteral("start"));
    const InstanceMemory memory =
        m_stage->supervisor.policyEvaluator().memory(m_stage->first()).value();
    init();
    m_stage->add(QStringLiteral("a"), {}, activePolicy());
    m_stage->supervisor.resume(m_stage->first(), memory);
    QCOMPARE(m_opinions, withoutVerdict("the host exited during the request"));
}

// The command decides; no verdict is recorded.
void EvaluatorRequestTest::isolatedDuringRequest()
{
    QSignalSpy decided(&m_stage->supervisor.policyEvaluator(), &RestartPolicyEvaluator::decided);
    play(activePolicy(), QStringLiteral("start isolate"));
    QCOMPARE(decided.size(), 1);
    QCOMPARE(decided[0][1].value<RestartDecision>().rule, DecisionRule::CircuitOpen);
    QCOMPARE(m_opinions, QList<EvaluatorOpinion>());
}

void EvaluatorRequestTest::stoppedBeforeRequest()
{
    RestartPolicyEvaluator &evaluator = m_stage->supervisor.policyEvaluator();
    connect(&evaluator, &RestartPolicyEvaluator::agentFailed, this,
            [&](const AgentFailed &event) { evaluator.stop(event.instanceId); });
    play(activePolicy(), QStringLiteral("start"));
    QVERIFY(m_stage->evaluators.requests.isEmpty());
    QCOMPARE(m_stage->state(), InstanceState::Stopped);
}

void EvaluatorRequestTest::evaluatorDeletedInSlot()
{
    for (const bool isShadow : {false, true}) {
        init();
        play(isShadow ? shadowPolicy() : activePolicy(), QStringLiteral("start"));
        const QPointer<AgentSupervisor> supervisor = m_stage->giveAway();
        const auto goes = [&] { delete supervisor; };
        RestartPolicyEvaluator &evaluator = supervisor->policyEvaluator();
        if (isShadow)
            connect(&evaluator, &RestartPolicyEvaluator::shadowDecided, this, goes);
        else
            connect(&evaluator, &RestartPolicyEvaluator::decided, this, goes);
        m_stage->evaluators.answer(Kind::Refuse, {}, QStringLiteral("no"));
        QVERIFY(supervisor.isNull());
        QVERIFY(m_stage->evaluators.attached.isEmpty());
    }
}

void EvaluatorRequestTest::rejectsPolicyWithFaults()
{
    RestartPolicyEvaluator &evaluator = m_stage->supervisor.policyEvaluator();
    RestartPolicy policy = policyOf(activePolicy());
    policy.evaluator->id = QStringLiteral("other");
    const QUuid id = QUuid::createUuid();
    const QList<Fault> faults = evaluator.add(id, QStringLiteral("b"), policy);
    QVERIFY(hasErrors(faults));
    QCOMPARE(faults[0].path, QStringLiteral("/evaluator/id"));
    QVERIFY(!evaluator.contains(id));
    play(activePolicy(), {});
    QVERIFY(hasErrors(evaluator.setPolicy(m_stage->first(), policy)));
    QCOMPARE(evaluator.policy(m_stage->first()).evaluator->id, QStringLiteral("test"));
}

void EvaluatorRequestTest::policyChangeReplacesAttachment()
{
    play(activePolicy(), QStringLiteral("start"));
    const QUuid id = m_stage->first();
    QCOMPARE(m_stage->evaluators.attached, QList<QUuid>{id});
    m_stage->play(QStringLiteral("policy:'type':'linear'"));
    QVERIFY(m_stage->evaluators.attached.isEmpty());
    QCOMPARE(m_stage->evaluators.withdrawn.size(), 1);
    RestartPolicyEvaluator &evaluator = m_stage->supervisor.policyEvaluator();
    evaluator.setPolicy(id, policyOf(shadowPolicy()));
    QCOMPARE(m_stage->evaluators.attached, QList<QUuid>{id});
    evaluator.setPolicy(id,
                        policyOf(shadowPolicy())); // the same policy again: its state is kept
    QCOMPARE(m_stage->evaluators.attached, QList<QUuid>{id});
    m_stage->supervisor.remove(id);
    QVERIFY(m_stage->evaluators.attached.isEmpty());
}

void EvaluatorRequestTest::shadowAppliesBuiltInDecisionAtOnce()
{
    QSignalSpy shadowed(&m_stage->supervisor.policyEvaluator(),
                        &RestartPolicyEvaluator::shadowDecided);
    play(shadowPolicy(), QStringLiteral("start"));
    QCOMPARE(m_stage->state(), InstanceState::Waiting);
    QCOMPARE(m_stage->evaluators.requests.size(), 1);
    m_stage->evaluators.answer(Kind::Accept);
    QCOMPARE(shadowed.size(), 1);
    const auto builtIn = shadowed[0][1].value<RestartDecision>();
    const auto wouldBe = shadowed[0][2].value<RestartDecision>();
    QVERIFY(builtIn.agreesWith(wouldBe));
    QVERIFY(!builtIn.evaluator);
    QCOMPARE(wouldBe.evaluator,
             std::optional(EvaluatorOpinion{QStringLiteral("test"), Kind::Accept, {}, 1s}));
    QCOMPARE(m_stage->supervisor.policyEvaluator().shadowTally(m_stage->first()),
             (ShadowTally{1, 0}));
    QCOMPARE(m_stage->log.text(), QStringLiteral("START started failed scheduled#1"));
}

void EvaluatorRequestTest::shadowCountsDisagreement_data()
{
    const Rows<Kind, DecisionRule, int> row("kind", "rule", "seconds");
    row("delay", Kind::Delay, DecisionRule::Restart, 30);
    row("refuse", Kind::Refuse, DecisionRule::EvaluatorRefused, 1);
    row("open", Kind::OpenBreaker, DecisionRule::CircuitOpen, 300);
}

void EvaluatorRequestTest::shadowCountsDisagreement()
{
    QFETCH(const Kind, kind);
    QFETCH(const DecisionRule, rule);
    QFETCH(const int, seconds);
    QSignalSpy shadowed(&m_stage->supervisor.policyEvaluator(),
                        &RestartPolicyEvaluator::shadowDecided);
    play(shadowPolicy(), QStringLiteral("start"));
    m_stage->evaluators.answer(kind, 30s);
    QCOMPARE(shadowed.size(), 1);
    const auto wouldBe = shadowed[0][2].value<RestartDecision>();
    QCOMPARE(wouldBe.rule, rule);
    QCOMPARE(wouldBe.delay, Duration(std::chrono::seconds(seconds)));
    QCOMPARE(m_stage->supervisor.policyEvaluator().shadowTally(m_stage->first()),
             (ShadowTally{1, 1}));
    // The instance does not change.
    QCOMPARE(m_stage->state(), InstanceState::Waiting);
    QCOMPARE(m_stage->supervisor.snapshot(m_stage->first())->circuitBreaker.state,
             CircuitBreakerState::Closed);
}

void EvaluatorRequestTest::shadowTimeoutCountsNoAnswer()
{
    play(shadowPolicy() + QStringLiteral(",'initialDelay':'5s'"), QStringLiteral("start +1s"));
    QCOMPARE(m_stage->evaluators.withdrawn.size(), 1);
    QVERIFY(m_stage->evaluators.withdrawn[0].endsWith(QLatin1String("late")));
    m_stage->evaluators.answer(Kind::Refuse);
    QCOMPARE(m_stage->supervisor.policyEvaluator().shadowTally(m_stage->first()), ShadowTally{});
}

void EvaluatorRequestTest::shadowIgnoresAnswerAfterRemoval()
{
    QSignalSpy shadowed(&m_stage->supervisor.policyEvaluator(),
                        &RestartPolicyEvaluator::shadowDecided);
    play(shadowPolicy(), QStringLiteral("start remove"));
    m_stage->evaluators.answer(Kind::Refuse);
    QVERIFY(shadowed.isEmpty());
    m_stage->play(QStringLiteral("+2s"));
    QCOMPARE(m_stage->evaluators.withdrawn.size(), 1);
}

REKINDLE_TEST(EvaluatorRequestTest)
#include "evaluatorrequesttest.moc"
