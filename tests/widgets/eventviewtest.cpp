// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stage.h"
#include "testprogram.h"

#include <rekindle/models/localagents.h>
#include <rekindle/widgets/eventview.h>

#include <QAction>
#include <QHeaderView>
#include <QScrollBar>

using namespace Rekindle;
using Severity = AgentEvent::Severity;

namespace {

/// A visible view of events that a test emits.
class ViewStage
{
public:
    ViewStage()
    {
        view.setSource(&source);
        view.resize(600, 200);
        view.show();
    }

    void emitEvents(int count, Severity severity = Severity::Info)
    {
        for (int i = 0; i < count; ++i)
            Q_EMIT source.eventReceived({.instanceId = id,
                                         .agent = QStringLiteral("web"),
                                         .type = QStringLiteral("agent.ready"),
                                         .severity = severity,
                                         .text = QStringLiteral("event %1").arg(++emitted)});
        QCoreApplication::processEvents();
    }
    [[nodiscard]] QString firstVisible() const
    {
        return view.eventModel()->eventAt(view.rowAt(0)).text;
    }
    [[nodiscard]] bool isAtEnd() const
    {
        return view.verticalScrollBar()->value() == view.verticalScrollBar()->maximum();
    }

    const QUuid id = QUuid::createUuid();
    int emitted = 0;
    Stage stage;
    LocalAgents source{stage.supervisor};
    EventView view{nullptr, 100};
    EventModel &model = *view.eventModel();
};

} // namespace

class EventViewTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsEventsOfASupervisor();
    void followsUnlessScrolledUp();
    void visibleRowsStayWhenOldestAreRemoved();
    void requestsDecisionWithEnterAndDoubleClick();
    void pausesAndClearsByActions();
    void replacesEventsOfAnotherSource();
};

void EventViewTest::showsEventsOfASupervisor()
{
    Stage stage;
    LocalAgents source(stage.supervisor);
    EventView view;
    view.setSource(&source);
    stage.begin(QString());
    QVERIFY(view.eventModel()->rowCount() >= 3);
    QVERIFY(view.isColumnHidden(EventModel::Type));
    QVERIFY(!view.isColumnHidden(EventModel::Severity));
    QVERIFY(!view.accessibleName().isEmpty());
    QVERIFY(view.horizontalHeader()->defaultAlignment().testFlag(Qt::AlignLeft)); // as the cells
}

void EventViewTest::followsUnlessScrolledUp()
{
    ViewStage stage;
    stage.emitEvents(50);
    QVERIFY(stage.view.verticalScrollBar()->maximum() > 0);
    QVERIFY(stage.isAtEnd());
    stage.view.verticalScrollBar()->setValue(3);
    stage.emitEvents(5);
    QCOMPARE(stage.view.verticalScrollBar()->value(), 3);
    QVERIFY(stage.view.isFollowing());
    QTest::keyClick(&stage.view, Qt::Key_End, Qt::ControlModifier);
    stage.view.scrollToBottom();
    stage.emitEvents(5);
    QVERIFY(stage.isAtEnd());
    stage.view.setFollowing(false);
    stage.emitEvents(5);
    QVERIFY(!stage.isAtEnd());
    stage.view.setFollowing(true);
    QVERIFY(stage.isAtEnd());
}

void EventViewTest::visibleRowsStayWhenOldestAreRemoved()
{
    ViewStage stage;
    stage.emitEvents(100);
    stage.view.scrollTo(stage.model.index(50, 0), QAbstractItemView::PositionAtTop);
    const QString visible = stage.firstVisible();
    stage.emitEvents(10);
    QVERIFY(stage.model.eventAt(0).text != QStringLiteral("event 1"));
    QCOMPARE(stage.firstVisible(), visible);
}

void EventViewTest::requestsDecisionWithEnterAndDoubleClick()
{
    ViewStage stage;
    QStringList requested;
    connect(&stage.view, &EventView::decisionRequested, this,
            [&](const QUuid &id, const AgentEvent &event) {
                QCOMPARE(id, stage.id);
                requested.append(event.text);
            });
    QTest::keyClick(&stage.view, Qt::Key_Return); // no row is selected
    QCOMPARE(requested, QStringList());
    stage.emitEvents(3);
    stage.view.setCurrentIndex(stage.model.index(1, 0));
    QTest::keyClick(&stage.view, Qt::Key_Return);
    QTest::keyClick(&stage.view, Qt::Key_Down);
    QTest::keyClick(&stage.view, Qt::Key_Enter);
    const QPoint first = stage.view.visualRect(stage.model.index(0, 0)).center();
    QTest::mouseClick(stage.view.viewport(), Qt::LeftButton, {}, first);
    QTest::mouseDClick(stage.view.viewport(), Qt::LeftButton, {}, first);
    QCOMPARE(requested,
             (QStringList{QStringLiteral("event 2"), QStringLiteral("event 3"),
                          QStringLiteral("event 1")}));
}

void EventViewTest::pausesAndClearsByActions()
{
    ViewStage stage;
    stage.emitEvents(2);
    stage.view.pauseAction()->trigger();
    QVERIFY(stage.model.isPaused());
    stage.emitEvents(3);
    QCOMPARE(stage.model.rowCount(), 2);
    QVERIFY(stage.view.pauseAction()->text().contains(u'3'));
    stage.model.setPaused(false);
    QVERIFY(!stage.view.pauseAction()->isChecked());
    QCOMPARE(stage.model.rowCount(), 5);
    stage.view.clearAction()->trigger();
    QCOMPARE(stage.model.rowCount(), 0);
}

void EventViewTest::replacesEventsOfAnotherSource()
{
    auto stage = std::make_unique<Stage>();
    auto source = std::make_unique<LocalAgents>(stage->supervisor);
    EventView view;
    view.setSource(source.get());
    stage->begin(QString());
    const int rows = view.eventModel()->rowCount();
    QVERIFY(rows > 0);
    stage.reset();
    source.reset();
    QCOMPARE(view.eventModel()->rowCount(), rows);
    QVERIFY(view.source() == nullptr);
    Stage other;
    LocalAgents otherSource(other.supervisor);
    view.setSource(&otherSource);
    QCOMPARE(view.eventModel()->rowCount(), 0);
    other.begin(QString());
    QCOMPARE(view.eventModel()->rowCount(), rows);
}

REKINDLE_TEST(EventViewTest)
#include "eventviewtest.moc"
