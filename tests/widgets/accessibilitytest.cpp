// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stage.h"
#include "testprogram.h"

#include <rekindle/models/localagents.h>
#include <rekindle/widgets/agentactions.h>
#include <rekindle/widgets/agenttableview.h>
#include <rekindle/widgets/decisionview.h>
#include <rekindle/widgets/eventview.h>
#include <rekindle/widgets/outputview.h>
#include <rekindle/widgets/policyplanview.h>
#include <rekindle/widgets/stopdialog.h>
#include <rekindle/widgets/timelineview.h>

#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QTextBrowser>
#include <QTimer>
#include <QTreeView>
#include <QVBoxLayout>

#include <set>

using namespace Rekindle;

namespace {

constexpr int longestAccess = 30'000;

/// A window with all views of a supervisor: "web" fails at each start, "db" runs.
class AllViews
{
public:
    AllViews()
    {
        const QUuid web = stage.addFailing(QStringLiteral("web"));
        db = stage.add(QStringLiteral("db"), {.onStop = QString()},
                       QStringLiteral("'stopTimeout':'10m'"));
        auto *const layout = new QVBoxLayout(&window);
        for (QWidget *const each : std::initializer_list<QWidget *>{&table, &events, &output,
                                                                    &timeline, &decision, &plan})
            layout->addWidget(each);
        table.setSource(&source);
        events.setSource(&source);
        output.setSource(&source);
        timeline.setSource(&source);
        decision.setSource(&source);
        output.setAgent(db);
        decision.setAgent(web);
        plan.setPolicy(policyOf(QStringLiteral("'maxRetries':3,'circuitBreaker':'off'")));
        window.resize(900, 1200);
        window.show();
        window.activateWindow();
        stage.play(QStringLiteral("startAll +500ms"));
    }
    ~AllViews()
    {
        for (QWidget *const each : std::initializer_list<QWidget *>{&table, &events, &output,
                                                                    &timeline, &decision, &plan})
            each->setParent(nullptr);
    }

    /// Waits until all views show something.
    [[nodiscard]] bool isComplete()
    {
        return QTest::qWaitForWindowActive(&window)
            && QTest::qWaitFor(
                   [&] {
                       return table.model()->rowCount() == 2 && events.model()->rowCount() > 0
                           && decision.findChild<QTextBrowser *>()->toPlainText().contains(
                               QLatin1String("web:"));
                   },
                   longestAccess);
    }

    Stage stage;
    LocalAgents source{stage.supervisor};
    QUuid db;
    QWidget window;
    AgentTableView table;
    EventView events;
    OutputView output;
    TimelineView timeline;
    DecisionView decision;
    QSignalSpy policyRequested{&decision, &DecisionView::policyRequested};
    PolicyPlanView plan;
};

/// The visible widgets that take the focus by the Tab key.
QList<QWidget *> focusable(const QWidget &window)
{
    QList<QWidget *> found;
    for (QWidget *const each : window.findChildren<QWidget *>()) {
        if (each->isVisible() && each->isEnabled() && (each->focusPolicy() & Qt::TabFocus) != 0
            && each->focusProxy() == nullptr)
            found.append(each);
    }
    return found;
}

/// The widgets that take the focus and have no name, as a text.
QString unnamed(const QWidget &window)
{
    QStringList found;
    for (QWidget *const each : window.findChildren<QWidget *>()) {
        if (!each->isVisible() || each->focusPolicy() == Qt::NoFocus)
            continue;
        const QAccessibleInterface *const accessible = QAccessible::queryAccessibleInterface(each);
        if (accessible == nullptr || accessible->text(QAccessible::Name).isEmpty())
            found.append(QString::fromLatin1(each->metaObject()->className()));
    }
    return found.join(u' ');
}

/// The cells and headers without a text, for example "Rekindle::EventView 0,1".
QString silentCells(const QAbstractItemView &view)
{
    const QAbstractItemModel &model = *view.model();
    QStringList found;
    for (int column = 0; column < model.columnCount(); ++column) {
        if (model.headerData(column, Qt::Horizontal).toString().isEmpty())
            found.append(QStringLiteral("header %1").arg(column));
        for (int row = 0; row < model.rowCount(); ++row) {
            const QModelIndex cell = model.index(row, column);
            if (cell.data().toString().isEmpty()
                && cell.data(Qt::AccessibleTextRole).toString().isEmpty())
                found.append(QStringLiteral("%1,%2").arg(row).arg(column));
        }
    }
    return found.join(u' ');
}

} // namespace

class AccessibilityTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void widgetsWithFocusHaveNames();
    void cellsHaveTexts();
    void tabKeyReachesEachWidget();
    void stopIsConfirmedByKeyboard();
    void eventsArePausedByKeyboard();
    void decisionLeadsToPolicyByKeyboard();
    void stopDialogIsNamedAndUsedByKeyboard();
    void cellsDifferWithoutColor();
};

void AccessibilityTest::widgetsWithFocusHaveNames()
{
    AllViews all;
    QVERIFY(all.isComplete());
    QVERIFY(focusable(all.window).size() >= 7);
    QCOMPARE(unnamed(all.window), QString());
    QCOMPARE(all.output.accessibleName(), QStringLiteral("Output of db"));
}

void AccessibilityTest::cellsHaveTexts()
{
    AllViews all;
    QVERIFY(all.isComplete());
    const auto views = all.window.findChildren<QAbstractItemView *>();
    int visible = 0;
    for (const QAbstractItemView *const each : views) {
        if (!each->isVisible() || qobject_cast<const QHeaderView *>(each) != nullptr)
            continue;
        ++visible;
        QVERIFY(each->model()->rowCount() > 0);
        QCOMPARE(silentCells(*each), QString());
    }
    QCOMPARE(visible, 3);
}

void AccessibilityTest::tabKeyReachesEachWidget()
{
    AllViews all;
    QVERIFY(all.isComplete());
    all.table.setFocus();
    std::set<QWidget *> reached;
    for (int i = 0; i < 30; ++i) {
        reached.insert(QApplication::focusWidget());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    const auto expected = focusable(all.window);
    for (QWidget *const each : expected)
        QVERIFY2(reached.contains(each), each->metaObject()->className());
}

void AccessibilityTest::stopIsConfirmedByKeyboard()
{
    AllViews all;
    QVERIFY(all.isComplete());
    all.table.setFocus();
    QTest::keyClick(&all.table, Qt::Key_Space);
    QCOMPARE(all.table.currentAgent(), all.db);
    QContextMenuEvent event(QContextMenuEvent::Keyboard, {}, {});
    QCoreApplication::sendEvent(&all.table, &event);
    auto *const menu = all.table.findChild<QMenu *>();
    QVERIFY(menu != nullptr);
    const AgentActions &actions = all.table.agentActions();
    while (menu->activeAction() != actions.action(ControlOperation::Stop))
        QTest::keyClick(menu, Qt::Key_Down);
    QTest::keyClick(menu, Qt::Key_Return);
    QMessageBox *const box = actions.confirmation();
    QVERIFY(box != nullptr);
    QCOMPARE(unnamed(*box), QString());
    box->activateWindow();
    QTRY_COMPARE_WITH_TIMEOUT(QApplication::activeWindow(), box, longestAccess);
    QCOMPARE(QApplication::focusWidget(), box->button(QMessageBox::Cancel)); // the safe one
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
    QVERIFY(actions.confirmation() == nullptr);
    all.stage.play(QStringLiteral("+0s"));
    QCOMPARE(all.source.state(all.db), InstanceState::Stopping);
}

void AccessibilityTest::eventsArePausedByKeyboard()
{
    AllViews all;
    QVERIFY(all.isComplete());
    QTimer::singleShot(0, this, [&] { // in the event loop of the menu
        auto *const menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        QVERIFY(menu != nullptr);
        const QScopeGuard close([menu] { menu->close(); });
        QTest::keyClick(menu, Qt::Key_P);
    });
    QContextMenuEvent event(QContextMenuEvent::Keyboard, {}, {});
    QCoreApplication::sendEvent(&all.events, &event);
    QVERIFY(all.events.eventModel()->isPaused());
    QTest::keyClick(&all.events, Qt::Key_Home, Qt::ControlModifier);
    const QSignalSpy requested(&all.events, &EventView::decisionRequested);
    QTest::keyClick(&all.events, Qt::Key_Return);
    QCOMPARE(requested.count(), 1);
}

void AccessibilityTest::decisionLeadsToPolicyByKeyboard()
{
    AllViews all;
    QVERIFY(all.isComplete());
    all.decision.setFocus();
    for (int i = 0; i < 3 && all.policyRequested.isEmpty(); ++i) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    }
    QCOMPARE(all.policyRequested.count(), 1);
}

void AccessibilityTest::stopDialogIsNamedAndUsedByKeyboard()
{
    AllViews all;
    QVERIFY(all.isComplete());
    StopDialog *const dialog = StopDialog::install(&all.window, all.stage.supervisor);
    QVERIFY(!all.window.close());
    QTRY_COMPARE_WITH_TIMEOUT(QApplication::activeWindow(), dialog, longestAccess);
    QCOMPARE(unnamed(*dialog), QString());
    QCOMPARE(silentCells(*dialog->findChild<QTreeView *>()), QString());
    const auto *const button = dialog->findChild<QPushButton *>();
    for (int i = 0; i < 5 && QApplication::focusWidget() != button; ++i)
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), button);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
    all.stage.play(QStringLiteral("+0s"));
    QVERIFY(!all.window.isVisible());
    QVERIFY(all.stage.log.text().contains(QLatin1String("KILL")));
}

// What color shows has also a text: the state, and the severity of an event.
void AccessibilityTest::cellsDifferWithoutColor()
{
    AllViews all;
    QVERIFY(all.isComplete());
    const QAbstractItemModel &agents = *all.table.model();
    QCOMPARE(agents.index(0, AgentTableModel::State).data().toString(), QStringLiteral("Running"));
    QCOMPARE(agents.index(1, AgentTableModel::State).data().toString(), QStringLiteral("Waiting"));
    std::set<QString> texts;
    std::set<int> severities;
    const QAbstractItemModel &events = *all.events.model();
    for (int row = 0; row < events.rowCount(); ++row) {
        const QModelIndex cell = events.index(row, EventModel::Severity);
        texts.insert(cell.data().toString());
        severities.insert(cell.data(EventModel::SeverityRole).toInt());
    }
    QVERIFY(severities.size() > 1);
    QCOMPARE(texts.size(), severities.size());
    for (const InstanceState state : {InstanceState::Running, InstanceState::Waiting}) {
        all.timeline.setCurrentAgent(all.stage.supervisor.idOf(
            state == InstanceState::Running ? QStringLiteral("db") : QStringLiteral("web")));
        QTRY_VERIFY_WITH_TIMEOUT(all.timeline.accessibleDescription().contains(toText(state)),
                                 longestAccess);
    }
}

REKINDLE_TEST(AccessibilityTest)
#include "accessibilitytest.moc"
