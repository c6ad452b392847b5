// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stage.h"
#include "testprogram.h"

#include <rekindle/models/localagents.h>
#include <rekindle/widgets/decisionview.h>

#include <QComboBox>
#include <QProgressBar>
#include <QTextBrowser>

using namespace Rekindle;

namespace {

constexpr int waitLimit = 30'000;

/// A view of an agent that fails at each start and is restarted three times.
class ShownDecisions
{
public:
    ShownDecisions()
    {
        id = stage.addFailing(QStringLiteral("web"), QStringLiteral("'maxRetries':3"));
        view.setSource(&source);
        view.setAgent(id);
        view.show();
    }

    [[nodiscard]] QString text() const { return view.findChild<QTextBrowser *>()->toPlainText(); }
    [[nodiscard]] QProgressBar &budget() const { return *view.findChild<QProgressBar *>(); }
    [[nodiscard]] QComboBox &times() const { return *view.findChild<QComboBox *>(); }

    Stage stage;
    LocalAgents source{stage.supervisor};
    QUuid id;
    DecisionView view;
};

} // namespace

class DecisionViewTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void explainsTheNewestDecision();
    void showsTheRestartsLeft();
    void selectsTheNearestDecision();
    void requestsThePolicy();
    void showsErrors();
    void survivesItsSource();
};

void DecisionViewTest::explainsTheNewestDecision()
{
    ShownDecisions shown;
    QTRY_VERIFY_WITH_TIMEOUT(shown.text().contains(QLatin1String("no decision")), waitLimit);
    QVERIFY(!shown.budget().isVisible());
    shown.stage.play(QStringLiteral("start +500ms"));
    QTRY_COMPARE_WITH_TIMEOUT(shown.times().count(), 1, waitLimit);
    QVERIFY(shown.text().contains(QLatin1String("Restart: Restart attempt 1")));
    QVERIFY(shown.text().contains(QLatin1String("before jitter")));
    const QString time = shown.times().currentText().section(QLatin1String(": "), 0, 0);
    QVERIFY(shown.text().contains(QLatin1String("web: decision of ") + time));
    QVERIFY(!shown.text().contains(QLatin1String("Z\n"))); // no time in UTC
    QVERIFY(shown.text().contains(QLatin1String("now: Waiting; restart 1 of 3 in 500ms")));
    shown.stage.play(QStringLiteral("+1s"));
    QTRY_COMPARE_WITH_TIMEOUT(shown.times().count(), 2, waitLimit);
    QVERIFY(shown.text().contains(QLatin1String("Restart attempt 2")));
    QVERIFY(!shown.text().contains(QLatin1String("Restart attempt 1")));
}

void DecisionViewTest::showsTheRestartsLeft()
{
    ShownDecisions shown;
    shown.stage.play(QStringLiteral("start +500ms"));
    QTRY_VERIFY_WITH_TIMEOUT(shown.budget().isVisible(), waitLimit);
    QCOMPARE(shown.budget().text(), QStringLiteral("2 of 3 restarts left"));
    QCOMPARE(shown.budget().value(), 2);
    QCOMPARE(shown.budget().maximum(), 3);
    shown.view.setAgent(
        shown.stage.addFailing(QStringLiteral("db"), QStringLiteral("'maxRetries':'unlimited'")));
    shown.stage.play(QStringLiteral("start:db"));
    QTRY_COMPARE_WITH_TIMEOUT(shown.budget().text(), QStringLiteral("Unlimited restarts"),
                              waitLimit);
    // No restart depends on the budget.
    shown.view.setAgent(
        shown.stage.addFailing(QStringLiteral("log"), QStringLiteral("'type':'none'")));
    shown.stage.play(QStringLiteral("start:log"));
    QTRY_VERIFY_WITH_TIMEOUT(shown.text().contains(QLatin1String("log: ")), waitLimit);
    QVERIFY(!shown.budget().isVisible());
}

void DecisionViewTest::selectsTheNearestDecision()
{
    ShownDecisions shown;
    shown.stage.play(QStringLiteral("start"));
    const QDateTime first =
        QDateTime::fromMSecsSinceEpoch(shown.source.utcNow().time_since_epoch().count());
    shown.stage.play(QStringLiteral("+60s"));
    QTRY_COMPARE_WITH_TIMEOUT(shown.times().count(), 4, waitLimit);
    QVERIFY(shown.text().contains(QLatin1String("AttemptsExhausted")));
    QCOMPARE(shown.budget().value(), 0);
    shown.view.setDecision(first.addMSecs(5));
    QVERIFY(shown.text().contains(QLatin1String("Restart attempt 1")));
    QCOMPARE(shown.times().currentIndex(), 0);
    QCOMPARE(shown.budget().value(), 2);
    shown.view.showDecision(shown.id, shown.source.utcNow());
    QCOMPARE(shown.times().currentIndex(), 3);
    shown.view.showDecision(shown.id,
                            UtcTime(std::chrono::milliseconds(first.toMSecsSinceEpoch())));
    QCOMPARE(shown.times().currentIndex(), 0);
    shown.times().setFocus();
    QTest::keyClick(&shown.times(), Qt::Key_Down);
    QVERIFY(shown.text().contains(QLatin1String("Restart attempt 2")));
    QVERIFY(shown.view.decision() > first);
    QTest::keyClick(&shown.times(), Qt::Key_End);
    QVERIFY(!shown.view.decision().isValid());
    QVERIFY(shown.text().contains(QLatin1String("AttemptsExhausted")));
}

void DecisionViewTest::requestsThePolicy()
{
    ShownDecisions shown;
    QTRY_VERIFY_WITH_TIMEOUT(shown.text().contains(QLatin1String("no decision")), waitLimit);
    QVERIFY(!shown.text().contains(QLatin1String("policy"))); // it would have no effect
    QSignalSpy requested(&shown.view, &DecisionView::policyRequested);
    shown.stage.play(QStringLiteral("start"));
    QTRY_VERIFY_WITH_TIMEOUT(shown.text().contains(QLatin1String("Show the policy")), waitLimit);
    auto *const text = shown.view.findChild<QTextBrowser *>();
    text->setFocus();
    QTest::keyClick(text, Qt::Key_Tab);
    QTest::keyClick(text, Qt::Key_Return);
    QCOMPARE(requested.count(), 1);
    QCOMPARE(requested[0][0].toUuid(), shown.id);
}

void DecisionViewTest::showsErrors()
{
    ShownDecisions shown;
    shown.view.setAgent(QUuid::createUuid());
    QTRY_VERIFY_WITH_TIMEOUT(shown.text().contains(QLatin1String("does not exist")), waitLimit);
    QVERIFY(!shown.budget().isVisible());
    QVERIFY(!shown.times().isVisible());
}

void DecisionViewTest::survivesItsSource()
{
    Stage stage;
    const QUuid id = stage.addFailing(QStringLiteral("web"));
    auto source = std::make_unique<LocalAgents>(stage.supervisor);
    DecisionView view;
    view.setSource(source.get());
    view.setAgent(id);
    view.show();
    stage.play(QStringLiteral("start"));
    const auto *const text = view.findChild<QTextBrowser *>();
    QTRY_VERIFY_WITH_TIMEOUT(!text->toPlainText().isEmpty(), waitLimit);
    source.reset();
    QVERIFY(view.source() == nullptr);
    QTRY_VERIFY_WITH_TIMEOUT(text->toPlainText().isEmpty(), waitLimit);
}

REKINDLE_TEST(DecisionViewTest)
#include "decisionviewtest.moc"
