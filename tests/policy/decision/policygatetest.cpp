// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "testrow.h"

#include <rekindle/policy/backoff.h>
#include <rekindle/policy/policygate.h>
#include <rekindle/policy/validation.h>

#include <type_traits>

using namespace Rekindle;
using namespace std::chrono_literals;

static_assert(std::is_aggregate_v<GatedPolicy>);

/// Permitted and downgraded policies by tier.
class PolicyGateTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tierNames();
    void everyTypeInEveryTier_data();
    void everyTypeInEveryTier();
    void downgradeKeepsLimits();
    void steppedBecomesLinear_data();
    void steppedBecomesLinear();
    void terminatesForInvalidPolicies();
};

namespace {

using Type = RestartPolicyType;
using Tier = LicenseTier;

RestartPolicy policyOf(Type type, Type base = Type::Exponential)
{
    RestartPolicy policy;
    policy.type = type;
    if (type == Type::Custom) {
        policy.evaluator = EvaluatorReference{.id = QStringLiteral("quiet-hours")};
        policy.evaluator->base = base;
    }
    if (policy.effectiveType() == Type::Stepped)
        policy.steps = {1s, 5s, 10s};
    return policy;
}

} // namespace

void PolicyGateTest::tierNames()
{
    QStringList names;
    for (const auto &[tier, name] : licenseTiers) {
        names.append(toText(tier));
        QVERIFY(valueOf(licenseTiers, QString(name)) == tier);
    }
    QCOMPARE(names.join(u' '), QStringLiteral("Core WriterPro Teams Enterprise"));
    for (const char *name : {"", "core", "CORE", " Core", "Core ", "Writer Pro", "Pro", "0"})
        QVERIFY2(!valueOf(licenseTiers, QString::fromLatin1(name)), name);
}

void PolicyGateTest::everyTypeInEveryTier_data()
{
    QTest::addColumn<int>("tier");
    QTest::addColumn<RestartPolicy>("policy");
    QTest::addColumn<QString>("expected");

    // In the order of the tiers; "!": gated, "=": the requested policy.
    const auto row = [](const char *name, const RestartPolicy &policy,
                        const std::array<const char *, 4> &results) {
        for (const auto &[tier, tierName] : licenseTiers) {
            QTest::addRow("%s in %s", name, tierName.data())
                << static_cast<int>(tier) << policy
                << QString::fromLatin1(results[static_cast<std::size_t>(tier)]);
        }
    };
    row("none", policyOf(Type::None), {"=none", "=none", "=none", "=none"});
    row("immediate", policyOf(Type::Immediate),
        {"none!", "=immediate", "=immediate", "=immediate"});
    row("linear", policyOf(Type::Linear), {"none!", "=linear", "=linear", "=linear"});
    row("exponential", policyOf(Type::Exponential),
        {"none!", "linear", "=exponential", "=exponential"});
    row("stepped", policyOf(Type::Stepped), {"none!", "linear", "=stepped", "=stepped"});
    row("custom", policyOf(Type::Custom), {"none!", "linear", "exponential", "=custom"});
    row("custom on stepped", policyOf(Type::Custom, Type::Stepped),
        {"none!", "linear", "stepped", "=custom"});
    row("custom on linear", policyOf(Type::Custom, Type::Linear),
        {"none!", "linear", "linear", "=custom"});
    row("custom on immediate", policyOf(Type::Custom, Type::Immediate),
        {"none!", "immediate", "immediate", "=custom"});
    // The policy restarts nothing in any tier, so that it is not gated.
    row("custom on none", policyOf(Type::Custom, Type::None), {"none", "none", "none", "=custom"});
}

void PolicyGateTest::everyTypeInEveryTier()
{
    QFETCH(int, tier);
    QFETCH(RestartPolicy, policy);
    QFETCH(QString, expected);
    QVERIFY(!hasErrors(validate(policy)));

    const GatedPolicy result = gatePolicy(policy, static_cast<Tier>(tier));
    QCOMPARE((result.downgraded ? QString() : QStringLiteral("=")) + toText(result.policy.type)
                 + (result.gated ? QStringLiteral("!") : QString()),
             expected);
    if (!result.downgraded)
        QCOMPARE(result.policy, policy);
    const QList<Fault> faults = validate(result.policy);
    QVERIFY2(!hasErrors(faults), qPrintable(faults.value(0).toString()));
    QVERIFY(allows(static_cast<Tier>(tier), result.policy.type));
    QCOMPARE(result.policy.evaluator.has_value(), result.policy.type == Type::Custom);
    // The result is permitted: a second pass changes nothing.
    QCOMPARE(gatePolicy(result.policy, static_cast<Tier>(tier)).policy, result.policy);
}

void PolicyGateTest::downgradeKeepsLimits()
{
    RestartPolicy policy;
    policy.maxRetries = 3;
    policy.window = RestartWindow{2, 10s};
    policy.restartOn = RestartOn::Always;
    policy.immediateFirst = true;
    policy.initialDelay = 2s;
    policy.maxDelay = 7s;
    policy.jitter.kind = JitterKind::Full;
    policy.circuitBreaker->threshold = 2;
    policy.permanentExitCodes = {9};
    policy.rearmAfter = 1h;

    RestartPolicy expected = policy;
    expected.type = Type::Linear;
    QCOMPARE(gatePolicy(policy, Tier::WriterPro).policy, expected);
    expected.type = Type::None;
    QCOMPARE(gatePolicy(policy, Tier::Core).policy, expected);
}

void PolicyGateTest::steppedBecomesLinear_data()
{
    const Rows<QList<qint64>, qint64, QList<qint64>> row("stepsInMs", "maxInMs", "delaysInMs");
    const qint64 day = 86'400'000;

    row("the watchdog's", QList<qint64>{1000, 1000, 1000, 5000}, qint64{3000},
        QList<qint64>{1000, 2000, 3000, 3000});
    // The default initialDelay of one second is above this maximum.
    row("short ones", QList<qint64>{100, 200}, qint64{200}, QList<qint64>{100, 200, 200, 200});
    row("a zero first", QList<qint64>{0, 500}, qint64{60000}, QList<qint64>{500, 1000, 1500, 2000});
    row("all zero", QList<qint64>{0, 0}, qint64{0}, QList<qint64>{0, 0, 0, 0});
    row("above the maximum", QList<qint64>{9000}, qint64{4000},
        QList<qint64>{4000, 4000, 4000, 4000});
    row("two days", QList<qint64>{2 * day}, 7 * day, QList<qint64>{day, 2 * day, 3 * day, 4 * day});
}

void PolicyGateTest::steppedBecomesLinear()
{
    QFETCH(QList<qint64>, stepsInMs);
    QFETCH(qint64, maxInMs);
    QFETCH(QList<qint64>, delaysInMs);
    RestartPolicy policy = policyOf(Type::Stepped);
    policy.steps.clear();
    for (const qint64 step : stepsInMs)
        policy.steps.append(std::chrono::milliseconds(step));
    policy.maxDelay = std::chrono::milliseconds(maxInMs);
    QVERIFY(!hasErrors(validate(policy)));

    const RestartPolicy line = gatePolicy(policy, Tier::WriterPro).policy;
    QVERIFY(!hasErrors(validate(line)));
    for (int n = 1; n <= delaysInMs.size(); ++n)
        QCOMPARE(qint64(toMilliseconds(Backoff::baseDelay(line, n))), delaysInMs[n - 1]);
    QVERIFY(!hasErrors(validate(gatePolicy(policy, Tier::Core).policy)));
}

void PolicyGateTest::terminatesForInvalidPolicies()
{
    RestartPolicy policy;
    policy.type = Type::Custom;
    QVERIFY(gatePolicy(policy, Tier::Teams).policy.type == Type::None);
    policy.evaluator = EvaluatorReference{.id = QStringLiteral("x")};
    policy.evaluator->base = Type::Custom;
    QVERIFY(gatePolicy(policy, Tier::Core).policy.type == Type::None);
}

REKINDLE_TEST(PolicyGateTest)
#include "policygatetest.moc"
