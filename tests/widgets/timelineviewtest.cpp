// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stage.h"
#include "testprogram.h"

#include <rekindle/models/localagents.h>
#include <rekindle/widgets/timelineview.h>

#include <QAccessible>
#include <QScrollBar>
#include <QWheelEvent>

using namespace Rekindle;

namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr int timeLimit = 30'000;

/// A view of the agents of a stage: "web" fails at each start, "worker" runs.
class ShownStage
{
public:
    ShownStage()
    {
        stage.addFailing(QStringLiteral("web"), QStringLiteral("'maxRetries':3"));
        stage.add(QStringLiteral("worker"), {});
        view.resize(800, 400);
        view.setSource(&source);
        view.show();
    }

    [[nodiscard]] QUuid id(int row) const { return view.model().row(row).instanceId(); }
    [[nodiscard]] const TimelineRow &row(int index) const { return view.model().row(index); }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QTest::keyClick(&view, key, modifiers);
    }

    Stage stage;
    LocalAgents source{stage.supervisor};
    TimelineView view;
};

TimelinePaint painted(const TimelineView &view)
{
    TimelinePaint paint;
    paint.paint(view.model().rows(), view.visibleFrame());
    return paint;
}

} // namespace

class TimelineViewTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsARowForEachAgent();
    void showsStatesWithoutEvents();
    void showsWhatIsPlanned();
    void addsAndRemovesRows();
    void selectsRowsByKeyboard();
    void selectsMarksByKeyboard();
    void selectsMarksByMouse();
    void limitsTheZoom();
    void zoomsAtTheMouse();
    void followsUntilItIsMoved();
    void movesByDragging();
    void showsTheBeginning();
    void scrollsTheRows();
    void describesTheSelectedRow();
    void survivesItsSource();
    void showsManyAgentsAtOnce();
};

void TimelineViewTest::showsARowForEachAgent()
{
    ShownStage shown;
    QCOMPARE(shown.view.model().rowCount(), 2);
    QCOMPARE(shown.row(0).name(), QStringLiteral("web"));
    QCOMPARE(shown.row(1).name(), QStringLiteral("worker"));
    shown.stage.play(QStringLiteral("startAll +500ms"));
    QCOMPARE(shown.row(0).changes().back().state(), InstanceState::Waiting);
    QCOMPARE(shown.row(1).changes().back().state(), InstanceState::Running);
    QCOMPARE(shown.row(0).marks(TimelineRow::MarkKind::Failure).size(), 1U);
    shown.stage.play(QStringLiteral("+60s"));
    const TimelinePaint paint = painted(shown.view);
    QCOMPARE(paint.bars.back().row, 1);
    QCOMPARE(paint.bars.back().meaning, InstanceState::Running);
    QVERIFY(!paint.marks.empty());
    QCOMPARE(shown.row(0).marks(TimelineRow::MarkKind::Exhausted).size(), 1U);
    shown.view.grab();
}

void TimelineViewTest::showsStatesWithoutEvents()
{
    Stage stage;
    const QUuid id = stage.add(QStringLiteral("web"), {.onStop = QStringLiteral("+5s stopped")});
    stage.play(QStringLiteral("start +10s"));
    LocalAgents source(stage.supervisor);
    TimelineView view;
    view.setSource(&source);
    // Its uptime is known, but not what was before.
    const TimelineRow &row = view.model().row(0);
    QCOMPARE(row.changes().size(), 1U);
    QCOMPARE(row.changes()[0].state(), InstanceState::Running);
    QCOMPARE(row.changes()[0].time(), source.utcNow() - seconds(10));
    stage.supervisor.stop(id);
    stage.play(QStringLiteral("+1s"));
    QCOMPARE(row.changes().back().state(), InstanceState::Stopping);
    stage.play(QStringLiteral("+10s"));
    QCOMPARE(row.changes().back().state(), InstanceState::Stopped);
}

void TimelineViewTest::showsWhatIsPlanned()
{
    Stage stage;
    stage.addFailing(QStringLiteral("web"),
                     QStringLiteral("'initialDelay':'10s','jitter':{'kind':'full'}"));
    LocalAgents source(stage.supervisor);
    TimelineView view;
    view.resize(800, 400);
    view.setSource(&source);
    stage.play(QStringLiteral("start +1s"));
    const TimelineRow::Future planned = view.model().row(0).future();
    QVERIFY(planned.start);
    QVERIFY(planned.earliestStart < planned.start);
    QVERIFY(planned.start < planned.latestStart);
    // A source that is new to the view has no event of the plan.
    TimelineView other;
    other.setSource(&source);
    QCOMPARE(other.model().row(0).future().start, planned.start);
    QVERIFY(view.showsFuture());
    const QSignalSpy changed(&view, &TimelineView::viewChanged);
    view.setShowFuture(false);
    QCOMPARE(changed.count(), 1);
    view.grab();
}

void TimelineViewTest::addsAndRemovesRows()
{
    ShownStage shown;
    shown.press(Qt::Key_Down);
    QCOMPARE(shown.view.currentAgent(), shown.id(0));
    shown.stage.add(QStringLiteral("later"), {});
    QCOMPARE(shown.view.model().rowCount(), 3);
    shown.stage.supervisor.remove(shown.id(0));
    shown.stage.play(QStringLiteral("+1s"));
    QCOMPARE(shown.view.model().rowCount(), 2);
    QTRY_VERIFY_WITH_TIMEOUT(shown.view.currentAgent().isNull(), timeLimit);
    shown.view.grab();
}

void TimelineViewTest::selectsRowsByKeyboard()
{
    ShownStage shown;
    QSignalSpy selected(&shown.view, &TimelineView::currentAgentChanged);
    QVERIFY(shown.view.currentAgent().isNull());
    shown.press(Qt::Key_Down);
    QCOMPARE(shown.view.currentAgent(), shown.id(0));
    shown.press(Qt::Key_Down);
    QCOMPARE(shown.view.currentAgent(), shown.id(1));
    shown.press(Qt::Key_Down);
    QCOMPARE(shown.view.currentAgent(), shown.id(1));
    shown.press(Qt::Key_PageUp);
    QCOMPARE(shown.view.currentAgent(), shown.id(0));
    QCOMPARE(selected.count(), 3);
    QCOMPARE(selected.constLast()[0].toUuid(), shown.id(0));
    shown.view.setCurrentAgent(QUuid::createUuid());
    QVERIFY(shown.view.currentAgent().isNull());
}

void TimelineViewTest::selectsMarksByKeyboard()
{
    ShownStage shown;
    shown.stage.play(QStringLiteral("start +60s"));
    const std::vector<TimelineRow::Mark> &failures =
        shown.row(0).marks(TimelineRow::MarkKind::Failure);
    const TimelineRow::Mark exhausted = shown.row(0).marks(TimelineRow::MarkKind::Exhausted)[0];
    QCOMPARE(failures.size(), 4U);
    shown.press(Qt::Key_Left, Qt::ControlModifier);
    QCOMPARE(shown.view.currentAgent(), shown.id(0));
    // The last failure has the same time.
    QCOMPARE(shown.view.currentMark(), exhausted);
    shown.press(Qt::Key_Left, Qt::ControlModifier);
    QCOMPARE(shown.view.currentMark(), failures[2]);
    QVERIFY(shown.view.accessibleDescription().contains(QLatin1String("ProcessCrash"))
            || shown.view.accessibleDescription().contains(QLatin1String("Unknown")));
    QSignalSpy activated(&shown.view, &TimelineView::markActivated);
    shown.press(Qt::Key_Return);
    QCOMPARE(activated.count(), 1);
    QCOMPARE(activated[0][0].toUuid(), shown.id(0));
    QCOMPARE(activated[0][1].value<UtcTime>(), failures[2].at);
    QCOMPARE(activated[0][2].toULongLong(), failures[2].event);
    for (int i = 0; i < 5; ++i)
        shown.press(Qt::Key_Left, Qt::ControlModifier);
    QCOMPARE(shown.view.currentMark(), failures[0]);
    shown.press(Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(shown.view.currentMark(), failures[1]);
    // A mark that is not visible is scrolled into view.
    QVERIFY(shown.view.follow());
    shown.view.setSpan(seconds(1));
    shown.press(Qt::Key_Right, Qt::ControlModifier);
    QVERIFY(!shown.view.follow());
    QVERIFY(shown.view.visibleFrame().from < failures[2].at);
    QVERIFY(failures[2].at < shown.view.visibleFrame().to);
}

void TimelineViewTest::selectsMarksByMouse()
{
    ShownStage shown;
    shown.stage.play(QStringLiteral("start +60s"));
    const TimelineRow::Mark exhausted = shown.row(0).marks(TimelineRow::MarkKind::Exhausted)[0];
    const QPoint position = shown.view.positionOf(0, exhausted.at);
    QSignalSpy activated(&shown.view, &TimelineView::markActivated);
    QTest::mouseClick(shown.view.viewport(), Qt::LeftButton, {}, position);
    QCOMPARE(shown.view.currentMark(), exhausted);
    QCOMPARE(activated.count(), 0);
    QTest::mouseDClick(shown.view.viewport(), Qt::LeftButton, {}, position);
    QCOMPARE(activated.count(), 1);
    QTest::mouseClick(shown.view.viewport(), Qt::LeftButton, {}, position + QPoint(60, 0));
    QVERIFY(!shown.view.currentMark());
    QCOMPARE(shown.view.currentAgent(), shown.id(0));
}

void TimelineViewTest::limitsTheZoom()
{
    ShownStage shown;
    QCOMPARE(shown.view.span(), milliseconds(minutes(10)));
    shown.press(Qt::Key_Plus);
    QCOMPARE(shown.view.span(), milliseconds(minutes(5)));
    for (int i = 0; i < 40; ++i)
        shown.press(Qt::Key_Plus);
    QCOMPARE(shown.view.span(), TimelineModel::leastSpan);
    shown.view.grab();
    for (int i = 0; i < 60; ++i)
        shown.press(Qt::Key_Minus);
    QCOMPARE(shown.view.span(), TimelineModel::greatestSpan);
    shown.view.grab();
    QVERIFY(shown.view.follow());
}

void TimelineViewTest::zoomsAtTheMouse()
{
    ShownStage shown;
    shown.stage.play(QStringLiteral("start +60s"));
    const UtcTime fixed = shown.row(0).marks(TimelineRow::MarkKind::Failure)[0].at;
    shown.view.setFollow(false);
    const QPoint before = shown.view.positionOf(0, fixed);
    QWheelEvent wheel(before, shown.view.viewport()->mapToGlobal(before), {}, {0, 240}, {}, {},
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(shown.view.viewport(), &wheel);
    QCOMPARE(shown.view.span(), milliseconds(minutes(5)));
    QVERIFY(std::abs(shown.view.positionOf(0, fixed).x() - before.x()) <= 2);
}

void TimelineViewTest::followsUntilItIsMoved()
{
    ShownStage shown;
    const UtcTime from = shown.view.visibleFrame().from;
    shown.stage.play(QStringLiteral("+60s"));
    QVERIFY(std::chrono::abs(shown.view.visibleFrame().from - from - seconds(60)) < seconds(2));
    shown.press(Qt::Key_Left);
    QVERIFY(!shown.view.follow());
    const UtcTime moved = shown.view.visibleFrame().from;
    shown.stage.play(QStringLiteral("+60s"));
    QCOMPARE(shown.view.visibleFrame().from, moved);
    shown.press(Qt::Key_End);
    QVERIFY(shown.view.follow());
    QVERIFY(shown.view.visibleFrame().from > moved);
}

void TimelineViewTest::movesByDragging()
{
    ShownStage shown;
    QWidget *const viewport = shown.view.viewport();
    const QPoint start(500, 200);
    const UtcTime from = shown.view.visibleFrame().from;
    QTest::mousePress(viewport, Qt::LeftButton, {}, start);
    shown.stage.supervisor.remove(shown.id(0)); // during the drag
    shown.stage.play(QStringLiteral("+1s"));
    for (int moved = 0; moved <= 100; moved += 10) {
        QMouseEvent move(QEvent::MouseMove, start + QPoint(moved, 0),
                         viewport->mapToGlobal(start + QPoint(moved, 0)), Qt::NoButton,
                         Qt::LeftButton, {});
        QCoreApplication::sendEvent(viewport, &move);
    }
    QTest::mouseRelease(viewport, Qt::LeftButton, {}, start + QPoint(100, 0));
    QVERIFY(!shown.view.follow());
    const TimelinePaint::Frame frame = shown.view.visibleFrame();
    QVERIFY(frame.from < from);
    QVERIFY(frame.from > from - (frame.to - frame.from) / 4);
}

void TimelineViewTest::showsTheBeginning()
{
    ShownStage shown;
    const UtcTime begun = shown.source.utcNow();
    shown.stage.play(QStringLiteral("start +1h"));
    shown.press(Qt::Key_Home);
    const TimelinePaint::Frame frame = shown.view.visibleFrame();
    QVERIFY(!shown.view.follow());
    QVERIFY(frame.from <= begun);
    QVERIFY(begun < frame.from + shown.view.span() / 8);
}

void TimelineViewTest::scrollsTheRows()
{
    ShownStage shown;
    for (int i = 0; i < 100; ++i)
        shown.stage.add(QStringLiteral("agent-%1").arg(i), {});
    QTRY_VERIFY_WITH_TIMEOUT(shown.view.verticalScrollBar()->maximum() > 50, timeLimit);
    QCOMPARE(shown.view.visibleFrame().firstRow, 0);
    QVERIFY(shown.view.visibleFrame().rowCount < 50);
    shown.view.setCurrentAgent(shown.id(100));
    shown.press(Qt::Key_Down);
    const TimelinePaint::Frame frame = shown.view.visibleFrame();
    QVERIFY(frame.firstRow <= 101 && 101 < frame.firstRow + frame.rowCount);
    QVERIFY(shown.view.positionOf(101, frame.now).y() < shown.view.viewport()->height());
    shown.view.grab();
}

void TimelineViewTest::describesTheSelectedRow()
{
    ShownStage shown;
    QVERIFY(!shown.view.accessibleName().isEmpty());
    shown.press(Qt::Key_Down);
    QVERIFY(shown.view.accessibleDescription().startsWith(QLatin1String("web: Stopped since ")));
    shown.stage.play(QStringLiteral("start +500ms"));
    QTRY_VERIFY_WITH_TIMEOUT(
        shown.view.accessibleDescription().startsWith(QLatin1String("web: Waiting since ")),
        timeLimit);
    QVERIFY(shown.view.accessibleDescription().contains(QLatin1String("next start at ")));
    QVERIFY(shown.view.accessibleDescription().contains(QLatin1String("failure (1)")));
}

void TimelineViewTest::survivesItsSource()
{
    auto stage = std::make_unique<Stage>();
    stage->add(QStringLiteral("web"), {});
    auto source = std::make_unique<LocalAgents>(stage->supervisor);
    TimelineView view;
    view.setSource(source.get());
    view.show();
    QTest::keyClick(&view, Qt::Key_Down);
    stage.reset(); // its agents are not shown as running
    QCOMPARE(view.model().rowCount(), 0);
    view.grab();
    source.reset();
    QVERIFY(view.source() == nullptr);
    QTRY_VERIFY_WITH_TIMEOUT(view.currentAgent().isNull(), timeLimit);
    for (const Qt::Key key :
         {Qt::Key_Down, Qt::Key_Left, Qt::Key_Home, Qt::Key_End, Qt::Key_Plus, Qt::Key_Return})
        QTest::keyClick(&view, key);
    QTest::keyClick(&view, Qt::Key_Left, Qt::ControlModifier);
    view.grab();
}

void TimelineViewTest::showsManyAgentsAtOnce()
{
    ShownStage shown;
    for (int i = 0; i < 5'000; ++i)
        shown.stage.add(QStringLiteral("agent-%1").arg(i), {});
    shown.stage.play(QStringLiteral("startAll +1s"));
    QCOMPARE(shown.view.model().rowCount(), 5'002);
    shown.view.grab();
    shown.view.setSource(nullptr);
    QCOMPARE(shown.view.model().rowCount(), 0);
    shown.view.setSource(&shown.source);
    QCOMPARE(shown.view.model().rowCount(), 5'002);
    shown.view.grab();
}

REKINDLE_TEST(TimelineViewTest)
#include "timelineviewtest.moc"
