// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stage.h"
#include "testprogram.h"

#include <rekindle/widgets/policyplanview.h>

#include <QAbstractItemModel>

using namespace Rekindle;

namespace {

QString textAt(const PolicyPlanView &view, int row, int column)
{
    return view.model().index(row, column).data().toString();
}

} // namespace

class PolicyPlanViewTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsEachStep();
    void showsTheJitterBand();
    void comparesTwoPolicies();
    void appliesTheTier();
    void limitsTheSteps();
};

void PolicyPlanViewTest::showsEachStep()
{
    PolicyPlanView view;
    view.setPolicy(policyOf(QStringLiteral("'maxRetries':3,'circuitBreaker':'off'")));
    QCOMPARE(view.model().columnCount(), 1);
    QCOMPARE(view.model().rowCount(), 4);
    QCOMPARE(textAt(view, 0, 0), QStringLiteral("Restart 1 after 1s"));
    QCOMPARE(textAt(view, 2, 0), QStringLiteral("Restart 3 after 4s"));
    QCOMPARE(textAt(view, 3, 0), QStringLiteral("given up after 3 restarts"));
    view.grab();
}

void PolicyPlanViewTest::showsTheJitterBand()
{
    PolicyPlanView view;
    view.setPolicy(policyOf(QStringLiteral("'jitter':{'kind':'full'}")));
    QCOMPARE(textAt(view, 1, 0), QStringLiteral("Restart 2 after 2s (0s to 2s)"));
    view.grab();
}

void PolicyPlanViewTest::comparesTwoPolicies()
{
    PolicyPlanView view;
    const RestartPolicy before = policyOf(QStringLiteral("'maxRetries':1,'circuitBreaker':'off'"));
    const RestartPolicy after =
        policyOf(QStringLiteral("'maxRetries':2,'initialDelay':'5s','circuitBreaker':'off'"));
    view.setPolicy(after, LicenseTier::Enterprise, before);
    QCOMPARE(view.model().columnCount(), 2);
    QCOMPARE(view.model().rowCount(), 3);
    QCOMPARE(textAt(view, 0, 0), QStringLiteral("Restart 1 after 1s"));
    QCOMPARE(textAt(view, 0, 1), QStringLiteral("Restart 1 after 5s"));
    QCOMPARE(textAt(view, 1, 0), QStringLiteral("given up after 1 restart"));
    QCOMPARE(textAt(view, 2, 0), QString());
    view.grab();
    view.setPolicy(after);
    QCOMPARE(view.model().columnCount(), 1);
}

void PolicyPlanViewTest::appliesTheTier()
{
    PolicyPlanView view;
    view.setPolicy({}, LicenseTier::Core);
    QCOMPARE(view.model().rowCount(), 1);
    QVERIFY(textAt(view, 0, 0).contains(QLatin1String("license tier")));
}

void PolicyPlanViewTest::limitsTheSteps()
{
    PolicyPlanView view;
    view.setPolicy(policyOf(QStringLiteral("'maxRetries':'unlimited','circuitBreaker':'off'")));
    QCOMPARE(view.model().rowCount(), PolicyPlanView::mostAttempts + 1);
    QCOMPARE(textAt(view, PolicyPlanView::mostAttempts, 0),
             QStringLiteral("and so on, without limit"));
}

REKINDLE_TEST(PolicyPlanViewTest)
#include "policyplanviewtest.moc"
