// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "debugtext.h"
#include "testprogram.h"

#include <rekindle/policy/enums.h>
#include <rekindle/policy/instancetable.h>
#include <rekindle/policy/lifecycleevent.h>
#include <rekindle/policy/restartdecision.h>

using namespace Rekindle;
using namespace std::chrono_literals;

// Values and enums are known to qDebug(), to QVariant and to QML.
class MetaObjectTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void enumsHaveTheNamesOfTheirTables();
    void debugOutputShowsNames();
    void eventsHaveProperties();
    void propertiesAreEnums();
};

namespace {

template<typename Enum, std::size_t size>
bool namesMatch(const std::array<EnumName<Enum>, size> &names)
{
    const auto known = QMetaEnum::fromType<Enum>();
    for (const EnumName<Enum> &row : names) {
        if (row.name.compare(QLatin1String(known.valueToKey(static_cast<int>(row.value))),
                             Qt::CaseInsensitive)
            != 0)
            return false;
    }
    return known.keyCount() == static_cast<int>(size);
}

template<typename Gadget>
QVariant read(const Gadget &gadget, const char *property)
{
    const QMetaObject &meta = Gadget::staticMetaObject;
    return meta.property(meta.indexOfProperty(property)).readOnGadget(&gadget);
}

} // namespace

void MetaObjectTest::enumsHaveTheNamesOfTheirTables()
{
    QVERIFY(namesMatch(failureReasons));
    QVERIFY(namesMatch(restartPolicyTypes));
    QVERIFY(namesMatch(jitterKinds));
    QVERIFY(namesMatch(circuitBreakerStates));
    QVERIFY(namesMatch(licenseTiers));
    QVERIFY(namesMatch(instanceStates));
    QVERIFY(namesMatch(operatorCommands));
    QVERIFY(namesMatch(toolCallEnds));
    QVERIFY(namesMatch(agentHealthStates));
    QVERIFY(namesMatch(evaluatorAnswers));
}

void MetaObjectTest::debugOutputShowsNames()
{
    QCOMPARE(debugText(FailureReason::Timeout), QStringLiteral("Rekindle::FailureReason::Timeout"));
    QCOMPARE(debugText(DecisionRule::CircuitOpen),
             QStringLiteral("Rekindle::DecisionRule::CircuitOpen"));
    QCOMPARE(debugText(RestartOn::Always), QStringLiteral("Rekindle::RestartOn::Always"));
    QCOMPARE(debugText(CallRetry::Safe), QStringLiteral("Rekindle::CallRetry::Safe"));
    QCOMPARE(debugText(InputKind::Ready), QStringLiteral("Rekindle::InputKind::Ready"));
    QCOMPARE(debugText(PlannedStart::Attempt), QStringLiteral("Rekindle::PlannedStart::Attempt"));
    QCOMPARE(debugText(EvaluatorVerdict::Kind::Delay),
             QStringLiteral("Rekindle::EvaluatorVerdict::Kind::Delay"));
    QCOMPARE(debugText(AgentHealthStatus::State::Healthy),
             QStringLiteral("Rekindle::AgentHealthStatus::State::Healthy"));
    QCOMPARE(debugText(InstanceEvent::Kind::AgentReady),
             QStringLiteral("Rekindle::InstanceEvent::Kind::AgentReady"));
    QCOMPARE(debugText(Outcome::Stop::AtOnce), QStringLiteral("Rekindle::Outcome::Stop::AtOnce"));
}

void MetaObjectTest::eventsHaveProperties()
{
    const RestartScheduled event{{.agent = QStringLiteral("web")}, 3, 5, 2s};
    QCOMPARE(read(event, "agent").toString(), QStringLiteral("web"));
    QCOMPARE(read(event, "attemptNumber").toInt(), 3);
    QCOMPARE(read(event, "maxAttempts").toInt(), 5);
    QCOMPARE(read(event, "delay").toDouble(), 2000.0);
    const AgentFailed failed{{}, 1, FailureReason::ProcessCrash, {.message = QStringLiteral("x")}};
    QCOMPARE(read(failed, "detail").value<FailureDetail>().message, QStringLiteral("x"));
}

void MetaObjectTest::propertiesAreEnums()
{
    const QMetaObject &meta = RestartDecision::staticMetaObject;
    const QMetaProperty rule = meta.property(meta.indexOfProperty("rule"));
    QVERIFY(rule.isEnumType());
    QCOMPARE(QLatin1String(rule.enumerator().valueToKey(static_cast<int>(DecisionRule::Restart))),
             QLatin1String("Restart"));
}

REKINDLE_TEST(MetaObjectTest)
#include "metaobjecttest.moc"
