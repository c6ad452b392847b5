// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"

#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>

using namespace Rekindle;

/// The gate follows its provider, also when that is replaced or destroyed.
class FeatureGateTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tierIsCoreWithoutProvider();
    void followsTheProvider();
    void replacesProvider();
    void handlesDestroyedProvider();
    void emitsNestedChangesInOrder();
    void slotMayDeleteGate();
    void limitsPolicyByTier();

private:
    static void note(QStringList &log, const char *who, const FeatureGate &gate)
    {
        connect(&gate, &FeatureGate::tierChanged,
                [&log, who](LicenseTier oldTier, LicenseTier newTier) {
                    log.append(QLatin1String(who) + toText(oldTier) + u'>' + toText(newTier));
                });
    }
};

void FeatureGateTest::tierIsCoreWithoutProvider()
{
    const FeatureGate gate;
    QVERIFY(gate.tier() == LicenseTier::Core);
    QVERIFY(!gate.status().valid);
    QCOMPARE(gate.status().text, QStringLiteral("no license"));
}

void FeatureGateTest::followsTheProvider()
{
    FixedLicenseProvider provider(LicenseTier::Teams);
    FeatureGate gate;
    QStringList log;
    note(log, "", gate);
    gate.setProvider(&provider);
    QCOMPARE(gate.status(), provider.status());
    provider.setTier(LicenseTier::Teams); // nothing new
    provider.setTier(LicenseTier::Core);
    provider.setTier(LicenseTier::Enterprise);
    gate.setProvider(nullptr);
    provider.setTier(LicenseTier::Teams);
    QCOMPARE(log.join(u' '),
             QStringLiteral("Core>Teams Teams>Core Core>Enterprise Enterprise>Core"));
    QVERIFY(gate.tier() == LicenseTier::Core);
}

void FeatureGateTest::replacesProvider()
{
    FixedLicenseProvider first(LicenseTier::Teams);
    FixedLicenseProvider second(LicenseTier::Teams);
    FeatureGate gate;
    gate.setProvider(&first);
    QStringList log;
    note(log, "", gate);
    gate.setProvider(&second); // of the same tier: no change
    first.setTier(LicenseTier::Core);
    QCOMPARE(log, QStringList());
    second.setTier(LicenseTier::WriterPro);
    QCOMPARE(log, QStringList(QStringLiteral("Teams>WriterPro")));
}

void FeatureGateTest::handlesDestroyedProvider()
{
    FeatureGate gate;
    auto provider = std::make_unique<FixedLicenseProvider>(LicenseTier::Enterprise);
    gate.setProvider(provider.get());
    QStringList log;
    note(log, "", gate);
    provider.reset();
    QCOMPARE(log, QStringList(QStringLiteral("Enterprise>Core")));
    QVERIFY(!gate.status().valid);
}

void FeatureGateTest::emitsNestedChangesInOrder()
{
    FixedLicenseProvider provider(LicenseTier::Core);
    FeatureGate gate;
    gate.setProvider(&provider);
    QStringList log;
    note(log, "a:", gate);
    connect(&gate, &FeatureGate::tierChanged, &gate, [&](LicenseTier, LicenseTier tier) {
        QVERIFY(gate.tier() == tier);
        if (tier == LicenseTier::Teams)
            provider.setTier(LicenseTier::WriterPro);
    });
    note(log, "b:", gate);
    provider.setTier(LicenseTier::Teams);
    QCOMPARE(log.join(u' '),
             QStringLiteral("a:Core>Teams b:Core>Teams a:Teams>WriterPro b:Teams>WriterPro"));
}

void FeatureGateTest::slotMayDeleteGate()
{
    FixedLicenseProvider provider(LicenseTier::Teams);
    auto *gate = new FeatureGate;
    connect(gate, &FeatureGate::tierChanged, gate, [gate] { delete gate; });
    const QPointer<FeatureGate> alive(gate);
    gate->setProvider(&provider);
    QVERIFY(!alive);
    provider.setTier(LicenseTier::Core); // no slots
}

void FeatureGateTest::limitsPolicyByTier()
{
    FixedLicenseProvider provider(LicenseTier::WriterPro);
    FeatureGate gate;
    const RestartPolicy policy; // exponential
    QVERIFY(gate.gate(policy).gated);
    gate.setProvider(&provider);
    QVERIFY(gate.gate(policy).policy.type == RestartPolicyType::Linear);
    provider.setTier(LicenseTier::Teams);
    QCOMPARE(gate.gate(policy), (GatedPolicy{policy, false, false}));
}

REKINDLE_TEST(FeatureGateTest)
#include "featuregatetest.moc"
