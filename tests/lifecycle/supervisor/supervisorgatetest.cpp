// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "scriptedevaluators.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;
using namespace std::chrono_literals;

// A supervisor with a license: policies above the tier fall back and are restored with the tier.
// Agents keep running.
class SupervisorGateTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void restartsNothingWithoutProvider();
    void fallsBackToBestTypeOfTier();
    void keepsPermittedPolicy();
    void lowerTierCancelsPendingRestart();
    void higherTierAppliesToNextFailure();
    void higherTierStartsGatedAgent_data();
    void higherTierStartsGatedAgent();
    void tierChangeKeepsRunningAgent();
    void rejectsInvalidPolicyInAnyTier();
    void limitsSetPolicyByTier();
    void rejectedPolicyIsNotRequested();
    void rejectsUnknownEvaluator();
    void destroyedProviderMeansCore();
    void slotMayRemoveAgents();
    void slotMayReplaceAgents();
    void rejectsUnknownEvaluatorInAnyTier();
    void keepsEffectivePolicyIfRestoredOneIsInvalid();

private:
    std::unique_ptr<FixedLicenseProvider> m_license;
    std::unique_ptr<Stage> m_stage;
    void under(LicenseTier tier)
    {
        m_license = std::make_unique<FixedLicenseProvider>(tier);
        m_stage->supervisor.featureGate().setProvider(m_license.get());
    }
    QUuid add(const char *script, const QString &policy = {})
    {
        return m_stage->add(QStringLiteral("web"), {QString::fromLatin1(script)}, policy);
    }
    RestartPolicyType inForce() const
    {
        return m_stage->supervisor.policyEvaluator().policy(m_stage->first()).type;
    }
};

void SupervisorGateTest::init()
{
    m_stage = std::make_unique<Stage>();
    m_license.reset();
}

void SupervisorGateTest::restartsNothingWithoutProvider()
{
    m_stage->supervisor.featureGate().setProvider(nullptr);
    add("started ready +1s fail");
    m_stage->play(QStringLiteral("start +1m"));
    QCOMPARE(m_stage->log.text(),
             QStringLiteral("downgraded:none START started ready 1s failed declined:License"));
    QVERIFY(m_stage->state() == InstanceState::Gated);
}

void SupervisorGateTest::fallsBackToBestTypeOfTier()
{
    under(LicenseTier::WriterPro);
    const QUuid id = add("started ready +1s fail");
    m_stage->play(QStringLiteral("start +6s"));
    QCOMPARE(m_stage->log.text(),
             QStringLiteral("downgraded:linear START started ready 1s failed scheduled#1 "
                            "2s attempt#1 START started ready succeeded#1 3s failed scheduled#2 "
                            "5s attempt#2 START started ready succeeded#2 6s failed scheduled#3"));
    QVERIFY(m_stage->supervisor.requestedPolicy(id).type == RestartPolicyType::Exponential);
    const auto event = std::get<PolicyDowngraded>(m_stage->log.events().front());
    QCOMPARE(event.tier, QStringLiteral("WriterPro"));
    QVERIFY(event.requestedType == RestartPolicyType::Exponential);
    QCOMPARE(event.agent, QStringLiteral("web"));
}

void SupervisorGateTest::keepsPermittedPolicy()
{
    under(LicenseTier::Teams);
    const QUuid id = add("started ready");
    QCOMPARE(m_stage->log.text(), QString());
    QCOMPARE(m_stage->supervisor.requestedPolicy(id),
             m_stage->supervisor.policyEvaluator().policy(id));
}

void SupervisorGateTest::lowerTierCancelsPendingRestart()
{
    under(LicenseTier::Enterprise);
    add("started ready +1s fail");
    m_stage->play(QStringLiteral("start +1s"));
    QVERIFY(m_stage->state() == InstanceState::Waiting);
    m_license->setTier(LicenseTier::Core);
    QVERIFY(m_stage->state() == InstanceState::Gated);
    m_stage->play(QStringLiteral("+1m"));
    QCOMPARE(m_stage->log.text(),
             QStringLiteral("START started ready 1s failed scheduled#1 "
                            "downgraded:none cancelled#1 declined:License"));
}

void SupervisorGateTest::higherTierAppliesToNextFailure()
{
    under(LicenseTier::Core);
    add("started ready +1s fail");
    m_stage->play(QStringLiteral("start"));
    m_license->setTier(LicenseTier::Teams);
    m_stage->play(QStringLiteral("+2s"));
    QCOMPARE(m_stage->log.text(),
             QStringLiteral("downgraded:none START started ready 1s failed "
                            "scheduled#1 2s attempt#1 START started ready "
                            "succeeded#1"));
}

// The delay begins with the failure, not with the tier.
void SupervisorGateTest::higherTierStartsGatedAgent_data()
{
    const Rows<LicenseTier, QString, QString, QString> row("tier", "gated", "after", "log");
    row("within its delay", LicenseTier::Teams, "start +5s", "+6500ms",
        "5s scheduled#1 11s attempt#1 START started ready succeeded#1");
    row("after its delay", LicenseTier::Teams, "start +1h", "+500ms",
        "1h scheduled#1 attempt#1 START started ready succeeded#1");
    row("falls back to the tier", LicenseTier::WriterPro, "start +5s", "+6500ms",
        "5s downgraded:linear scheduled#1 11s attempt#1 START started ready succeeded#1");
    row("stopped agent stays stopped", LicenseTier::Teams, "start +5s stop", "+1h", "");
}

void SupervisorGateTest::higherTierStartsGatedAgent()
{
    QFETCH(LicenseTier, tier);
    QFETCH(QString, gated);
    QFETCH(QString, after);
    QFETCH(QString, log);
    under(LicenseTier::Core);
    add("started ready +1s fail", QStringLiteral("'initialDelay':'10s'"));
    m_stage->play(gated);
    const QString before =
        QStringLiteral("downgraded:none START started ready 1s failed declined:License");
    QCOMPARE(m_stage->log.text(), before);
    m_license->setTier(tier);
    m_stage->play(after);
    QCOMPARE(m_stage->log.text(), QString(before + u' ' + log).trimmed());
}

void SupervisorGateTest::tierChangeKeepsRunningAgent()
{
    under(LicenseTier::Enterprise);
    add("started ready");
    m_stage->play(QStringLiteral("start"));
    for (const LicenseTier tier :
         {LicenseTier::Core, LicenseTier::WriterPro, LicenseTier::Enterprise, LicenseTier::Core})
        m_license->setTier(tier);
    m_stage->play(QStringLiteral("+2m"));
    QCOMPARE(m_stage->log.text(),
             QStringLiteral("START started ready downgraded:none "
                            "downgraded:linear downgraded:none 1m stable"));
    QVERIFY(m_stage->state() == InstanceState::Running);
    QCOMPARE(m_stage->supervisor.snapshot(m_stage->first())->generation, quint64{1});
}

void SupervisorGateTest::rejectsInvalidPolicyInAnyTier()
{
    under(LicenseTier::Core);
    RestartPolicy policy;
    policy.multiplier = 0.5; // not checked by the fallback, the policy none
    const auto added = m_stage->supervisor.add(
        QStringLiteral("web"),
        std::make_unique<ScriptedAgent>(m_stage->scheduler, AgentScript{}, [](const QString &) {}),
        policy);
    QVERIFY(!added);
    QCOMPARE(added.faults.size(), 1);
    QCOMPARE(added.faults.front().path, QStringLiteral("/multiplier"));
}

void SupervisorGateTest::limitsSetPolicyByTier()
{
    under(LicenseTier::WriterPro);
    const QUuid id = add("started ready", QStringLiteral("'type':'immediate'"));
    QCOMPARE(m_stage->log.text(), QString());
    RestartPolicy wanted;
    wanted.type = RestartPolicyType::Stepped;
    wanted.steps = {1s, 5s};
    QCOMPARE(m_stage->supervisor.setPolicy(id, wanted), QList<Fault>());
    QVERIFY(inForce() == RestartPolicyType::Linear);
    QCOMPARE(m_stage->supervisor.requestedPolicy(id), wanted);
    QCOMPARE(m_stage->log.text(), QStringLiteral("downgraded:linear"));
    m_license->setTier(LicenseTier::Teams);
    QCOMPARE(m_stage->supervisor.policyEvaluator().policy(id), wanted);

    wanted.steps.clear();
    QVERIFY(hasErrors(m_stage->supervisor.setPolicy(id, wanted)));
    QCOMPARE(m_stage->supervisor.policyEvaluator().policy(id).steps.size(), 2);
}

void SupervisorGateTest::rejectedPolicyIsNotRequested()
{
    under(LicenseTier::WriterPro);
    const QUuid id = add("started ready");
    const RestartPolicy requested = m_stage->supervisor.requestedPolicy(id);
    QVERIFY(requested.type == RestartPolicyType::Exponential);
    RestartPolicy wrong = requested;
    for (const auto type : {RestartPolicyType::Exponential, RestartPolicyType::Linear}) {
        wrong.type = type;
        wrong.maxRetries = -1;
        QVERIFY(hasErrors(m_stage->supervisor.setPolicy(id, wrong)));
        QCOMPARE(m_stage->supervisor.requestedPolicy(id), requested);
        QVERIFY(inForce() == RestartPolicyType::Linear);
    }
}

void SupervisorGateTest::rejectsUnknownEvaluator()
{
    ScriptedEvaluators evaluators;
    m_stage->supervisor.policyEvaluator().setCustomEvaluators(&evaluators);
    under(LicenseTier::Enterprise);
    const QUuid id = add("started ready");
    RestartPolicy policy = policyOf(activePolicy());
    policy.evaluator->id = QStringLiteral("other");
    QVERIFY(hasErrors(m_stage->supervisor.setPolicy(id, policy)));
    QVERIFY(m_stage->supervisor.requestedPolicy(id).type == RestartPolicyType::Exponential);
}

void SupervisorGateTest::destroyedProviderMeansCore()
{
    under(LicenseTier::Enterprise);
    add("started ready");
    m_license.reset();
    QVERIFY(inForce() == RestartPolicyType::None);
    QCOMPARE(m_stage->log.text(), QStringLiteral("downgraded:none"));
}

void SupervisorGateTest::slotMayRemoveAgents()
{
    under(LicenseTier::Enterprise);
    add("started ready");
    const QUuid second = m_stage->add(QStringLiteral("second"), {QStringLiteral("started")});
    connect(&m_stage->supervisor.policyEvaluator(), &RestartPolicyEvaluator::policyDowngraded, this,
            [&](const PolicyDowngraded &event) {
                m_stage->supervisor.remove(second);
                m_stage->supervisor.remove(event.instanceId);
            });
    m_license->setTier(LicenseTier::Core);
    QCOMPARE(m_stage->log.text(), QStringLiteral("downgraded:none"));
    QVERIFY(m_stage->supervisor.ids().isEmpty());
}

// The policies of the other agents are limited as well.
void SupervisorGateTest::slotMayReplaceAgents()
{
    under(LicenseTier::Enterprise);
    AgentSupervisor &supervisor = m_stage->supervisor;
    QList<QUuid> ids;
    for (const char *name : {"a", "b", "c", "d"})
        ids.append(m_stage->add(QLatin1String(name), {QStringLiteral("started")}));
    int added = 0;
    connect(&supervisor.policyEvaluator(), &RestartPolicyEvaluator::policyDowngraded, this,
            [&](const PolicyDowngraded &event) {
                if (event.instanceId != ids[1])
                    return;
                supervisor.remove(ids[1]);
                for (; added < 100; ++added) // the list is reallocated
                    m_stage->add(QString::number(added), {QStringLiteral("started")});
            });
    m_license->setTier(LicenseTier::Core);
    QCOMPARE(supervisor.ids().size(), 103);
    for (const QUuid &id : supervisor.ids())
        QCOMPARE(supervisor.policyEvaluator().policy(id).type, RestartPolicyType::None);
}

// The policy is rejected at once, not when the tier rises.
void SupervisorGateTest::rejectsUnknownEvaluatorInAnyTier()
{
    ScriptedEvaluators evaluators;
    m_stage->supervisor.policyEvaluator().setCustomEvaluators(&evaluators);
    under(LicenseTier::Core);
    RestartPolicy policy = policyOf(activePolicy());
    policy.evaluator->id = QStringLiteral("other");
    const AgentSupervisor::Added added = m_stage->supervisor.add(
        QStringLiteral("web"), std::make_unique<ScriptedAgent>(m_stage->scheduler, AgentScript{}),
        policy);
    QVERIFY(!added);
    QCOMPARE(added.faults,
             (QList<Fault>{{QStringLiteral("/evaluator/id"), QStringLiteral("unknown")}}));
    QVERIFY(m_stage->supervisor.ids().isEmpty());

    const QUuid id = add("started ready");
    QVERIFY(hasErrors(m_stage->supervisor.setPolicy(id, policy)));
    QVERIFY(m_stage->supervisor.requestedPolicy(id).type == RestartPolicyType::Exponential);
    policy.evaluator->id = QStringLiteral("test");
    QCOMPARE(m_stage->supervisor.setPolicy(id, policy), QList<Fault>());
    QCOMPARE(m_stage->supervisor.policyEvaluator().check(policy), QList<Fault>());
}

// Without custom evaluators, the reference could not be checked. The requested policy is kept.
void SupervisorGateTest::keepsEffectivePolicyIfRestoredOneIsInvalid()
{
    ScriptedEvaluators evaluators;
    under(LicenseTier::Core);
    m_stage->add(QStringLiteral("web"), {QStringLiteral("started")},
                 QStringLiteral("'type':'custom','evaluator':{'id':'nobody'}"));
    m_stage->supervisor.policyEvaluator().setCustomEvaluators(&evaluators);
    QTest::ignoreMessage(QtWarningMsg,
                         QRegularExpression(QStringLiteral("cannot be used.*unknown")));
    m_license->setTier(LicenseTier::Enterprise);
    QCOMPARE(inForce(), RestartPolicyType::None);
    QCOMPARE(m_stage->supervisor.requestedPolicy(m_stage->first()).type, RestartPolicyType::Custom);
}

REKINDLE_TEST(SupervisorGateTest)
#include "supervisorgatetest.moc"
