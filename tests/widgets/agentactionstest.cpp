// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "fakeagents.h"
#include "stage.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/models/localagents.h>
#include <rekindle/widgets/agentactions.h>

#include <QAction>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QToolBar>

using namespace Rekindle;
using enum ControlOperation;

namespace {

/// A window with the actions for one running agent of a fake host.
class ActionsOfOne
{
public:
    ActionsOfOne()
    {
        actions.setSource(source.get());
        actions.setCurrent(id);
        QObject::connect(&actions, &AgentActions::failed, &window,
                         [this](const QString &text) { failures.append(text); });
    }

    [[nodiscard]] bool isEnabled(ControlOperation operation) const
    {
        return actions.action(operation)->isEnabled();
    }
    void click(QMessageBox::ButtonRole role) const
    {
        const QMessageBox &box = *actions.confirmation();
        for (QAbstractButton *const each : box.buttons()) {
            if (box.buttonRole(each) == role)
                return each->click();
        }
        QFAIL("no such button");
    }

    std::unique_ptr<FakeAgents> source = std::make_unique<FakeAgents>();
    QUuid id = source->add(QStringLiteral("web"));
    QWidget window;
    AgentActions actions{&window};
    QStringList failures;
};

ControlResult<OperationResult> accepted() { return {.value = {.isAccepted = true}}; }

} // namespace

class AgentActionsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void areEnabledByTheState();
    void areDisabledWithoutAgent();
    void operateTheEngine();
    void confirmationNamesTheEffect();
    void cancelDoesNothing();
    void closesConfirmationThatIsImpossible();
    void closesConfirmationOfAnotherAgent();
    void startsWithoutConfirmation();
    void stopsWithoutConfirmationOnRequest();
    void reportsFailures_data();
    void reportsFailures();
    void reportsALostResponse();
    void showsFailuresNobodyHandles();
    void outlivesItsSource();
    void mayBeDestroyedBeforeTheResponse();
    void requestsWhy();
    void fillsMenusAndToolBars();
};

void AgentActionsTest::areEnabledByTheState()
{
    ActionsOfOne one;
    QVERIFY(one.isEnabled(Stop));
    QVERIFY(!one.isEnabled(Retry));
    QVERIFY(!one.isEnabled(ResetBreaker));
    QVERIFY(one.actions.action(ResetBreaker)->statusTip().contains(QLatin1String("no circuit")));
    one.source->setState(one.id, InstanceState::Stopped);
    QTRY_VERIFY(!one.isEnabled(Stop));
    QVERIFY(one.isEnabled(Retry));
    QCOMPARE(one.actions.action(Stop)->text(), QStringLiteral("Stop"));
}

void AgentActionsTest::areDisabledWithoutAgent()
{
    ActionsOfOne one;
    one.actions.setCurrent({});
    for (const EnumName<ControlOperation> &each : controlOperations) {
        QVERIFY(!one.isEnabled(each.value));
        QVERIFY(!one.actions.action(each.value)->text().isEmpty());
    }
    QVERIFY(!one.actions.whyAction()->isEnabled());
    one.actions.setCurrent(one.id);
    QVERIFY(one.actions.whyAction()->isEnabled());
    one.source->remove(one.id);
    QTRY_VERIFY(!one.actions.whyAction()->isEnabled());
}

void AgentActionsTest::operateTheEngine()
{
    Stage stage;
    LocalAgents source(stage.supervisor);
    const QUuid id = stage.add(QStringLiteral("web"), {});
    QWidget window;
    AgentActions actions(&window);
    QSignalSpy failed(&actions, &AgentActions::failed);
    actions.setConfirmStops(false);
    actions.setSource(&source);
    actions.setCurrent(id);
    actions.action(Start)->trigger();
    stage.advance(std::chrono::seconds(1));
    QCOMPARE(stage.state(), InstanceState::Running);
    actions.action(Stop)->trigger();
    stage.advance(std::chrono::seconds(1));
    QCOMPARE(stage.state(), InstanceState::Stopped);
    QVERIFY(!actions.action(Stop)->isEnabled());
    QCOMPARE(failed.count(), 0);
}

void AgentActionsTest::confirmationNamesTheEffect()
{
    const ActionsOfOne one;
    one.actions.action(Restart)->trigger();
    const QMessageBox *const box = one.actions.confirmation();
    QVERIFY(box != nullptr);
    QVERIFY(box->isVisible());
    QVERIFY(box->text().contains(QLatin1String("web")));
    QCOMPARE(box->informativeText(), QStringLiteral("web stops and starts again"));
    QCOMPARE(box->defaultButton(), box->button(QMessageBox::Cancel));
    QVERIFY(one.source->operations.isEmpty());
    one.click(QMessageBox::AcceptRole);
    QCOMPARE(one.source->operations.size(), 1);
    QCOMPARE(one.source->operations.first(), std::pair(Restart, one.id));
    QVERIFY(one.actions.confirmation() == nullptr);
}

void AgentActionsTest::cancelDoesNothing()
{
    const ActionsOfOne one;
    one.actions.action(Stop)->trigger();
    one.click(QMessageBox::RejectRole);
    QVERIFY(one.actions.confirmation() == nullptr);
    QVERIFY(one.source->operations.isEmpty());
    one.actions.action(Stop)->trigger();
    QTest::keyClick(one.actions.confirmation(), Qt::Key_Escape);
    QVERIFY(one.actions.confirmation() == nullptr);
    QVERIFY(one.source->operations.isEmpty());
}

void AgentActionsTest::closesConfirmationThatIsImpossible()
{
    const ActionsOfOne one;
    one.actions.action(Stop)->trigger();
    one.source->setState(one.id, InstanceState::Waiting);
    QTRY_VERIFY(
        one.actions.confirmation()->informativeText().contains(QLatin1String("is canceled")));
    one.source->setState(one.id, InstanceState::Stopped);
    QTRY_VERIFY(one.actions.confirmation() == nullptr);
    QVERIFY(one.source->operations.isEmpty());
}

void AgentActionsTest::closesConfirmationOfAnotherAgent()
{
    ActionsOfOne one;
    one.actions.action(Stop)->trigger();
    one.actions.setCurrent(one.source->add(QStringLiteral("db")));
    QVERIFY(one.actions.confirmation() == nullptr);
    QVERIFY(one.source->operations.isEmpty());
}

void AgentActionsTest::startsWithoutConfirmation()
{
    const ActionsOfOne one;
    one.source->setState(one.id, InstanceState::Failed);
    QTRY_VERIFY(one.isEnabled(Start));
    one.actions.action(Start)->trigger();
    QVERIFY(one.actions.confirmation() == nullptr);
    QCOMPARE(one.source->operations.size(), 1);
}

void AgentActionsTest::stopsWithoutConfirmationOnRequest()
{
    ActionsOfOne one;
    QVERIFY(one.actions.confirmsStops());
    one.actions.setConfirmStops(false);
    one.actions.action(Stop)->trigger();
    QCOMPARE(one.source->operations.size(), 1);
    one.source->respond(accepted());
    QCoreApplication::processEvents();
    QVERIFY(one.failures.isEmpty());
}

void AgentActionsTest::reportsFailures_data()
{
    const Rows<ControlResult<OperationResult>, QString> row("result", "text");
    row("error", {.error = ControlError{.message = QStringLiteral("the host exits")}},
        "web: the host exits");
    row("no effect", {.value = {.noEffect = QStringLiteral("it runs")}}, "web: it runs");
    row("removed", {.value = {.isRemoved = true}}, "web is not started, because it was removed");
    row("shared breaker", {.value = {.openSharedBreakers = {QStringLiteral("api")}}},
        "web is not restarted, because this shared circuit breaker is not closed: api");
}

void AgentActionsTest::reportsFailures()
{
    QFETCH(ControlResult<OperationResult>, result);
    QFETCH(QString, text);
    const ActionsOfOne one;
    one.actions.action(Start)->trigger();
    one.source->respond(result);
    QTRY_COMPARE(one.failures, QStringList{text});
}

void AgentActionsTest::reportsALostResponse()
{
    const ActionsOfOne one;
    one.actions.action(Start)->trigger();
    one.source->response.future().cancel();
    one.source->response.finish();
    QTRY_COMPARE(one.failures.size(), 1);
}

void AgentActionsTest::showsFailuresNobodyHandles()
{
    ActionsOfOne one;
    QObject::disconnect(&one.actions, &AgentActions::failed, nullptr, nullptr);
    one.actions.action(Start)->trigger();
    one.source->respond({.value = {.noEffect = QStringLiteral("it runs")}});
    QTRY_VERIFY(one.window.findChild<QMessageBox *>() != nullptr);
    QCOMPARE(one.window.findChild<QMessageBox *>()->text(), QStringLiteral("web: it runs"));
}

void AgentActionsTest::outlivesItsSource()
{
    ActionsOfOne one;
    one.actions.action(Stop)->trigger();
    one.source.reset();
    QTRY_VERIFY(!one.isEnabled(Stop));
    QVERIFY(one.actions.source() == nullptr);
    QVERIFY(one.actions.confirmation() == nullptr);
}

void AgentActionsTest::mayBeDestroyedBeforeTheResponse()
{
    FakeAgents source;
    const QUuid id = source.add(QStringLiteral("web"));
    auto window = std::make_unique<QWidget>();
    auto *const actions = new AgentActions(window.get());
    actions->setSource(&source);
    actions->setCurrent(id);
    actions->action(Start)->trigger();
    actions->action(Stop)->trigger();
    window.reset();
    source.respond({.value = {.noEffect = QStringLiteral("it runs")}});
    source.setState(id, InstanceState::Failed);
    QCoreApplication::processEvents();
}

void AgentActionsTest::requestsWhy()
{
    const ActionsOfOne one;
    one.actions.whyAction()->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(one.window.findChild<QMessageBox *>() != nullptr, 30000);
    QVERIFY(!one.window.findChild<QMessageBox *>()->text().isEmpty());
    delete one.window.findChild<QMessageBox *>();
    QSignalSpy why(&one.actions, &AgentActions::whyRequested);
    one.actions.whyAction()->trigger();
    QCOMPARE(why.count(), 1);
    QCOMPARE(why[0][0].toUuid(), one.id);
    QCoreApplication::processEvents();
    QVERIFY(one.window.findChild<QMessageBox *>() == nullptr);
}

void AgentActionsTest::fillsMenusAndToolBars()
{
    const ActionsOfOne one;
    QMenu menu;
    QToolBar bar;
    one.actions.addTo(menu);
    one.actions.addTo(bar);
    QCOMPARE(menu.actions(), bar.actions());
    QCOMPARE(menu.actions().size(), 10); // with two separators
    QVERIFY(menu.actions().contains(one.actions.action(IsolateBreaker)));
    QVERIFY(menu.actions().contains(one.actions.whyAction()));
}

REKINDLE_TEST(AgentActionsTest)
#include "agentactionstest.moc"
