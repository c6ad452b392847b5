// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "quickscene.h"
#include "stage.h"
#include "testprogram.h"

#include <QAccessible>
#include <QFile>
#include <QQuickItem>
#include <QQuickWindow>

using namespace Rekindle;

namespace {

constexpr auto listScene = R"(ApplicationWindow {
    visible: true; width: 400; height: 300
    AgentModel { id: agents; source: supervisor }
    property alias list: list
    property alias time: time
    property string opened
    property var marks: []
    ListView {
        id: list
        width: 400; height: 150; focus: true
        model: agents
        delegate: AgentDelegate { onClicked: opened = name; highlighted: ListView.isCurrentItem }
        Keys.onReturnPressed: opened = currentItem.name
    }
    TimelineItem {
        id: time
        y: 150; width: 400; height: 150
        source: supervisor
        onMarkActivated: (id, time, sequence) => marks.push(sequence)
    }
})";

} // namespace

/// The items of `import Rekindle` in a window, with keyboard and mouse.
class QuickItemsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QQuickWindow::setGraphicsApi(QSGRendererInterface::Software); }
    void delegateFollowsItsAgent();
    void delegateIsAccessible();
    void listIsOperatedByKeyboardAndMouse();
    void timelineHasRowsAndMarks();
    void timelineIsOperatedByKeyboard();
    void pageIsComplete();

private:
    /// Shows the scene with a running agent `web` and a failing agent `worker`.
    static QQuickWindow *show(Stage &stage, QuickScene &scene)
    {
        stage.add(QStringLiteral("web"), {.runs = QStringLiteral("started ready")});
        stage.addFailing(QStringLiteral("worker"));
        auto *const window = qobject_cast<QQuickWindow *>(scene.load(listScene));
        if (window == nullptr || !QTest::qWaitForWindowActive(window))
            qFatal("%s", qPrintable(scene.error));
        stage.play(QStringLiteral("startAll"));
        return window;
    }
};

void QuickItemsTest::delegateFollowsItsAgent()
{
    Stage stage;
    QuickScene scene(&stage.supervisor);
    show(stage, scene);
    QTRY_COMPARE(scene.evaluate("list.itemAtIndex(0).stateText").toString(),
                 QStringLiteral("Running"));
    QCOMPARE(scene.evaluate("list.itemAtIndex(1).agentState"
                            " === Rekindle.InstanceState.Waiting"),
             true);
    stage.play(QStringLiteral("stop:web"));
    QTRY_COMPARE(scene.evaluate("list.itemAtIndex(0).stateText").toString(),
                 QStringLiteral("Stopped"));
    stage.play(QStringLiteral("remove:web"));
    QTRY_COMPARE(scene.evaluate("list.count").toInt(), 1);
}

void QuickItemsTest::delegateIsAccessible()
{
    Stage stage;
    QuickScene scene(&stage.supervisor);
    show(stage, scene);
    QTRY_COMPARE(scene.evaluate("list.itemAtIndex(0).Accessible.name").toString(),
                 QStringLiteral("web: Running"));
    auto *const item = scene.evaluate("list.itemAtIndex(0)").value<QObject *>();
    QAccessibleInterface *const accessible = QAccessible::queryAccessibleInterface(item);
    QVERIFY(accessible != nullptr);
    QCOMPARE(accessible->text(QAccessible::Name), QStringLiteral("web: Running"));
    QCOMPARE(accessible->role(), QAccessible::ListItem);
    QVERIFY(scene.evaluate("list.itemAtIndex(1).Accessible.name")
                .toString()
                .startsWith(QLatin1String("worker: ")));
}

void QuickItemsTest::listIsOperatedByKeyboardAndMouse()
{
    Stage stage;
    QuickScene scene(&stage.supervisor);
    QQuickWindow *const window = show(stage, scene);
    QTRY_COMPARE(scene.evaluate("list.count").toInt(), 2);
    QTRY_VERIFY(scene.evaluate("list.activeFocus").toBool());
    QTest::keyClick(window, Qt::Key_Down);
    QCOMPARE(scene.evaluate("list.currentItem.name").toString(), QStringLiteral("worker"));
    QTest::keyClick(window, Qt::Key_Return);
    QCOMPARE(scene.evaluate("opened").toString(), QStringLiteral("worker"));
    const auto *const item = scene.evaluate("list.itemAtIndex(0)").value<QQuickItem *>();
    QTest::mouseClick(window, Qt::LeftButton, {},
                      item->mapToScene(QPointF(item->width() / 2, item->height() / 2)).toPoint());
    QCOMPARE(scene.evaluate("opened").toString(), QStringLiteral("web"));
}

void QuickItemsTest::timelineHasRowsAndMarks()
{
    Stage stage;
    QuickScene scene(&stage.supervisor);
    QMap<UtcTime, quint64> marks; // those of the same time are one, the most severe one
    connect(&stage.supervisor, &AgentSupervisor::lifecycleEvent, this,
            [&](const LifecycleEvent &event) {
                const auto *const breaker = std::get_if<CircuitBreakerStateChanged>(&event);
                const EventHeader &common = header(event);
                if (breaker != nullptr && breaker->newState == CircuitBreakerState::Open)
                    marks[common.time] = common.sequence;
                else if (std::holds_alternative<AgentFailed>(event) && !marks.contains(common.time))
                    marks[common.time] = common.sequence;
            });
    QQuickWindow *const window = show(stage, scene);
    stage.advance(std::chrono::minutes(10));
    QCOMPARE(scene.evaluate("time.firstRow").toInt(), 0);
    QCOMPARE(scene.evaluate("time.lastFirstRow").toInt(), 0);
    QTest::mouseClick(window, Qt::LeftButton, {}, QPoint(20, 160));
    const auto current = [&] { return scene.evaluate("time.currentAgent").toUuid(); };
    // The row of web has no marks, and that of worker, which is the last one, has all.
    QTest::keyClick(window, Qt::Key_Home);
    QTest::keyClick(window, Qt::Key_Up);
    QCOMPARE(current(), stage.supervisor.idOf(QStringLiteral("web")));
    QTest::keyClick(window, Qt::Key_Right, Qt::ControlModifier);
    QTest::keyClick(window, Qt::Key_Return);
    QCOMPARE(scene.evaluate("marks.length").toInt(), 0);
    QTest::keyClick(window, Qt::Key_Down);
    QTest::keyClick(window, Qt::Key_Down);
    QCOMPARE(current(), stage.supervisor.idOf(QStringLiteral("worker")));
    QVERIFY(marks.size() > 5);
    QStringList expected;
    for (const quint64 sequence : std::as_const(marks)) {
        expected.append(QString::number(sequence));
        QTest::keyClick(window, Qt::Key_Right, Qt::ControlModifier);
        QTest::keyClick(window, Qt::Key_Return);
    }
    QTest::keyClick(window, Qt::Key_Right, Qt::ControlModifier); // there are no more
    QTest::keyClick(window, Qt::Key_Return);
    expected.append(expected.constLast());
    QCOMPARE(scene.evaluate("marks.join()").toString(), expected.join(u','));
    // The bar of the first row is below the mouse.
    int y = 150;
    QTRY_VERIFY((QTest::mouseMove(window, {250, y = 150 + (y + 5) % 150}),
                 scene.evaluate("time.hoveredText").toString().contains(QLatin1String("web"))));
    QVERIFY(!window->grabWindow().isNull());
    scene.evaluate("time.height = 40");
    QTRY_VERIFY(scene.evaluate("time.lastFirstRow").toInt() > 0);
    scene.evaluate("time.span = 60000");
    QCOMPARE(scene.evaluate("time.span").toInt(), 60'000);
}

void QuickItemsTest::timelineIsOperatedByKeyboard()
{
    Stage stage;
    QuickScene scene(&stage.supervisor);
    QQuickWindow *const window = show(stage, scene);
    QTest::mouseClick(window, Qt::LeftButton, {}, QPoint(20, 160));
    QVERIFY(scene.evaluate("time.activeFocus").toBool());
    QTest::keyClick(window, Qt::Key_Down);
    QTest::keyClick(window, Qt::Key_Down);
    QCOMPARE(scene.evaluate("time.currentAgent").toUuid(),
             stage.supervisor.idOf(QStringLiteral("worker")));
    const QString selected = scene.evaluate("time.description").toString();
    QVERIFY2(selected.contains(QLatin1String("worker")), qPrintable(selected));
}

// The QML of docs/quick.md.
void QuickItemsTest::pageIsComplete()
{
    QFile page(QStringLiteral(REKINDLE_DOCS "/quick.md"));
    QVERIFY(page.open(QIODevice::ReadOnly));
    const QByteArray text = page.readAll();
    const qsizetype begin = text.indexOf("```qml\n") + 7;
    const QByteArray block = text.mid(begin, text.indexOf("```", begin) - begin);
    AgentSupervisor supervisor;
    grantAll(supervisor);
    QuickScene scene(&supervisor);
    auto *const window = qobject_cast<QQuickWindow *>(scene.load(block));
    QVERIFY2(window != nullptr, qPrintable(scene.error));
    QVERIFY(QTest::qWaitForWindowActive(window));
    QTRY_COMPARE(window->title(), QStringLiteral("1 of 1 agents are running"));
    QTRY_COMPARE(scene.evaluate("list.count").toInt(), 1);
    QTRY_COMPARE(scene.evaluate("list.currentItem.name").toString(), QStringLiteral("ticker"));
    scene.evaluate("list.currentItem.clicked()");
    QTRY_VERIFY(!scene.evaluate("explanation.text").toString().isEmpty());
}

REKINDLE_TEST(QuickItemsTest)
#include "quickitemstest.moc"
