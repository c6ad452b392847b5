// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stage.h"
#include "testprogram.h"

#include <rekindle/widgets/stopdialog.h>

#include <QLabel>
#include <QPushButton>
#include <QTreeView>

using namespace Rekindle;

namespace {

/// A window whose agents stop before it closes.
class WindowStage
{
public:
    WindowStage() { window->show(); }

    void addRunning(const QString &name, const QString &onStop)
    {
        stage->add(name, {.onStop = onStop}, QStringLiteral("'stopTimeout':'10m'"));
        stage->play(QStringLiteral("start:") + name);
    }
    [[nodiscard]] int shownAgents() const
    {
        return dialog->findChild<QTreeView *>()->model()->rowCount();
    }
    [[nodiscard]] QString message() const { return dialog->findChild<QLabel *>()->text(); }
    [[nodiscard]] bool killed() const { return stage->log.text().contains(QLatin1String("KILL")); }

    std::unique_ptr<Stage> stage = std::make_unique<Stage>();
    std::unique_ptr<QWidget> window = std::make_unique<QWidget>();
    QPointer<StopDialog> dialog =
        StopDialog::install(window.get(), stage->supervisor, std::chrono::seconds(20));
};

} // namespace

class StopDialogTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void closesAtOnceWithoutAgents();
    void closesAfterTheLastAgent();
    void killsAfterTheLimit();
    void killNowKills();
    void enterDoesNotKill();
    void closingTwiceShowsTheDialogAgain();
    void staysOpenIfAnAgentIsStarted();
    void closesDespiteAStuckAgent();
    void closesAfterSupervisorIsDestroyed();
    void supervisorDestroyedWithoutClose();
    void windowMayBeDestroyedFirst();
    void windowMayOwnSupervisor();
    void windowMayBeDeletedInClose();
    void worksWithoutWindow();
};

void StopDialogTest::closesAtOnceWithoutAgents()
{
    WindowStage test;
    test.stage->add(QStringLiteral("web"), {});
    QVERIFY(test.window->close());
    QVERIFY(!test.dialog->isVisible());
}

void StopDialogTest::closesAfterTheLastAgent()
{
    WindowStage test;
    test.addRunning(QStringLiteral("web"), QStringLiteral("+5s stopped"));
    test.addRunning(QStringLiteral("db"), QStringLiteral("+10s stopped"));
    const QSignalSpy stopped(test.dialog, &StopDialog::agentsStopped);
    QVERIFY(!test.window->close());
    QVERIFY(test.dialog->isVisible());
    QVERIFY(test.dialog->isWaiting());
    QCOMPARE(test.shownAgents(), 2);
    QVERIFY2(test.message().contains(QLatin1String("20 s")), qPrintable(test.message()));
    test.stage->play(QStringLiteral("+6s"));
    QCOMPARE(test.shownAgents(), 1);
    QVERIFY2(test.message().contains(QLatin1String("running: 1")), qPrintable(test.message()));
    QVERIFY(test.window->isVisible());
    test.stage->play(QStringLiteral("+5s"));
    QVERIFY(!test.window->isVisible());
    QVERIFY(!test.dialog->isVisible());
    QCOMPARE(stopped.count(), 1);
    QVERIFY(!test.killed());
}

void StopDialogTest::killsAfterTheLimit()
{
    WindowStage test;
    test.addRunning(QStringLiteral("web"), QString());
    QVERIFY(!test.window->close());
    test.stage->play(QStringLiteral("+19s"));
    QVERIFY(!test.killed());
    QVERIFY(test.window->isVisible());
    test.stage->play(QStringLiteral("+1s"));
    QVERIFY(test.killed());
    QVERIFY(!test.window->isVisible());
}

void StopDialogTest::killNowKills()
{
    WindowStage test;
    test.addRunning(QStringLiteral("web"), QString());
    test.dialog->killNow(); // has no effect yet
    QVERIFY(!test.window->close());
    auto *const kill = test.dialog->findChild<QPushButton *>();
    QTest::mouseClick(kill, Qt::LeftButton);
    QVERIFY(!kill->isEnabled());
    test.stage->play(QStringLiteral("+0s"));
    QVERIFY(test.killed());
    QVERIFY(!test.window->isVisible());
}

void StopDialogTest::enterDoesNotKill()
{
    WindowStage test;
    test.addRunning(QStringLiteral("web"), QStringLiteral("+5s stopped"));
    QVERIFY(!test.window->close());
    QTest::keyClick(test.dialog, Qt::Key_Return);
    test.stage->play(QStringLiteral("+5s"));
    QVERIFY(!test.killed());
    QVERIFY(!test.window->isVisible());
}

void StopDialogTest::closingTwiceShowsTheDialogAgain()
{
    WindowStage test;
    test.addRunning(QStringLiteral("web"), QStringLiteral("+5s stopped"));
    QVERIFY(!test.window->close());
    QTest::keyClick(test.dialog, Qt::Key_Escape);
    QVERIFY(test.dialog->isVisible());
    test.dialog->hide();
    QVERIFY(!test.window->close());
    QVERIFY(test.dialog->isVisible());
    test.stage->play(QStringLiteral("+5s"));
    QCOMPARE(test.stage->log.text().split(u' ').count(QStringLiteral("STOP")), 1);
    QVERIFY(!test.window->isVisible());
    test.window->show();
    QVERIFY(test.window->close());
}

void StopDialogTest::staysOpenIfAnAgentIsStarted()
{
    WindowStage test;
    test.addRunning(QStringLiteral("web"), QStringLiteral("+5s stopped"));
    test.stage->add(QStringLiteral("db"), {});
    QVERIFY(!test.window->close());
    test.stage->play(QStringLiteral("start:db +60s"));
    QVERIFY(!test.dialog->isWaiting());
    QVERIFY(!test.dialog->isVisible());
    QVERIFY(test.window->isVisible());
    QVERIFY(!test.window->close());
    test.stage->play(QStringLiteral("+5s"));
    QVERIFY(!test.window->isVisible());
}

void StopDialogTest::closesDespiteAStuckAgent()
{
    WindowStage test;
    test.stage->add(QStringLiteral("web"), {.onStop = QString(), .onKill = QString()},
                    QStringLiteral("'stopTimeout':'1s'"));
    test.stage->play(QStringLiteral("start:web"));
    QVERIFY(!test.window->close());
    test.stage->play(QStringLiteral("+60s"));
    QVERIFY(!test.window->isVisible());
    test.window->show();
    test.window->close();
    test.stage->play(QStringLiteral("+60s"));
    QVERIFY(!test.window->isVisible());
}

void StopDialogTest::closesAfterSupervisorIsDestroyed()
{
    WindowStage test;
    test.addRunning(QStringLiteral("web"), QString());
    QVERIFY(!test.window->close());
    test.stage.reset();
    QVERIFY(test.dialog->supervisor() == nullptr);
    test.dialog->killNow();
    QVERIFY(test.window->isVisible());
    QCoreApplication::processEvents();
    QVERIFY(!test.window->isVisible());
}

void StopDialogTest::supervisorDestroyedWithoutClose()
{
    WindowStage test;
    test.addRunning(QStringLiteral("web"), QString());
    test.stage.reset();
    QCoreApplication::processEvents();
    QVERIFY(test.window->isVisible());
    QVERIFY(test.window->close());
}

void StopDialogTest::windowMayBeDestroyedFirst()
{
    WindowStage test;
    test.addRunning(QStringLiteral("web"), QStringLiteral("+5s stopped"));
    QVERIFY(!test.window->close());
    test.window.reset();
    QVERIFY(test.dialog.isNull());
    test.stage->play(QStringLiteral("+60s"));
    QCOMPARE(test.stage->state(), InstanceState::Stopped);
}

void StopDialogTest::windowMayOwnSupervisor()
{
    class OwningWindow : public QWidget
    {
    public:
        Stage stage;
    };
    auto window = std::make_unique<OwningWindow>();
    QPointer<StopDialog> dialog = StopDialog::install(window.get(), window->stage.supervisor);
    window->show();
    window->stage.add(QStringLiteral("web"), {.onStop = QString()});
    window->stage.play(QStringLiteral("start"));
    QVERIFY(!window->close());
    window.reset();
    QVERIFY(dialog.isNull());
    QCoreApplication::processEvents();
}

void StopDialogTest::windowMayBeDeletedInClose()
{
    WindowStage test;
    test.addRunning(QStringLiteral("web"), QStringLiteral("+5s stopped"));
    QPointer<QWidget> window = test.window.release();
    window->setAttribute(Qt::WA_DeleteOnClose);
    connect(test.dialog, &StopDialog::agentsStopped, this, [&] { delete window; });
    QVERIFY(!window->close());
    test.stage->play(QStringLiteral("+5s"));
    QVERIFY(window.isNull());
    QVERIFY(test.dialog.isNull());
}

void StopDialogTest::worksWithoutWindow()
{
    Stage stage;
    StopDialog dialog(stage.supervisor);
    dialog.setLimit(std::chrono::seconds(5));
    const QSignalSpy stopped(&dialog, &StopDialog::agentsStopped);
    dialog.begin();
    QCOMPARE(stopped.count(), 1); // no agent runs
    stage.add(QStringLiteral("web"), {.onStop = QString()}, QStringLiteral("'stopTimeout':'10m'"));
    stage.play(QStringLiteral("start"));
    dialog.begin();
    QVERIFY(dialog.isVisible());
    stage.play(QStringLiteral("+5s"));
    QCOMPARE(stopped.count(), 2);
    QVERIFY(!dialog.isVisible());
}

REKINDLE_TEST(StopDialogTest)
#include "stopdialogtest.moc"
