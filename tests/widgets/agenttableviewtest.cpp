// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "fakeagents.h"
#include "stage.h"
#include "testprogram.h"

#include <rekindle/models/localagents.h>
#include <rekindle/widgets/agentactions.h>
#include <rekindle/widgets/agenttableview.h>

#include <QAction>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>
#include <QTimer>

using namespace Rekindle;
using Column = AgentTableModel::Column;

namespace {

QStringList namesIn(const AgentTableView &view)
{
    QCoreApplication::processEvents();
    QStringList names;
    for (int row = 0; row < view.model()->rowCount(); ++row)
        names.append(view.model()->index(row, Column::Name).data().toString());
    return names;
}

QStringList words(const char *text) { return QString::fromLatin1(text).split(u' '); }

/// A view of three agents of a fake host: db, mail, web.
class ViewOfThree
{
public:
    ViewOfThree()
    {
        source->add({.agent = QStringLiteral("mail"),
                     .state = QStringLiteral("Failed"),
                     .tags = {QStringLiteral("office")}});
        source->add({.agent = QStringLiteral("db"),
                     .state = QStringLiteral("Running"),
                     .tags = {QStringLiteral("store"), QStringLiteral("east")},
                     .group = QStringLiteral("shop")});
        source->add({.agent = QStringLiteral("web"),
                     .state = QStringLiteral("Running"),
                     .tags = {QStringLiteral("office"), QStringLiteral("east")},
                     .group = QStringLiteral("shop")});
        view.setSource(source.get());
        view.resize(800, 300);
    }

    [[nodiscard]] QUuid id(const char *name) const
    {
        for (const AgentStatus &each : source->agents) {
            if (each.agent == QLatin1String(name))
                return each.instanceId;
        }
        return {};
    }
    [[nodiscard]] bool hasActiveTimer() const
    {
        const auto timers = view.findChildren<QTimer *>();
        return std::any_of(timers.begin(), timers.end(),
                           [](const QTimer *timer) { return timer->isActive(); });
    }
    [[nodiscard]] QPoint place(int row) const
    {
        return view.visualRect(view.model()->index(row, Column::Name)).center();
    }
    [[nodiscard]] QMenu *openMenu(QContextMenuEvent::Reason reason, const QPoint &at)
    {
        QContextMenuEvent event(reason, at, view.viewport()->mapToGlobal(at));
        QCoreApplication::sendEvent(view.viewport(), &event);
        return view.findChild<QMenu *>();
    }

    std::unique_ptr<FakeAgents> source = std::make_unique<FakeAgents>();
    AgentTableView view;
};

} // namespace

class AgentTableViewTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sortsByNameFirst();
    void sortsByValues();
    void showsColumnsInOrder();
    void filtersText();
    void filtersTags();
    void refreshesWhileVisible();
    void followsTheSelectedAgent();
    void selectsNoOtherAgent();
    void selectsAnAgentThatIsAddedLater();
    void reportsTheCurrentAgentOnce();
    void slotMayChangeTheRows();
    void keyboardSelectsAndRequestsWhy();
    void contextMenuOperatesTheSelectedAgent();
    void emptyPlaceHasNoMenu();
    void saysWhyTheHostIsUnavailable();
    void outlivesItsSource();
    void sourceOutlivesTheView();
    void emitsNothingWhenDestroyed();
    void changesTheSource();
    void showsThousandsOfAgents();
    void operatesTheEngine();
};

void AgentTableViewTest::sortsByNameFirst()
{
    ViewOfThree three;
    QCOMPARE(namesIn(three.view), words("db mail web"));
    three.source->add(QStringLiteral("Cache"));
    QCOMPARE(namesIn(three.view), words("Cache db mail web"));
}

void AgentTableViewTest::sortsByValues()
{
    ViewOfThree three;
    three.source->agents[0].uptime = std::chrono::minutes(90); // mail
    three.source->agents[1].uptime = std::chrono::seconds(100);
    three.source->agents[2].uptime = std::chrono::hours(20);
    three.source->setFault({}); // reads all again
    three.view.sortByColumn(Column::Uptime, Qt::DescendingOrder);
    QCOMPARE(namesIn(three.view), words("web mail db"));
}

void AgentTableViewTest::showsColumnsInOrder()
{
    ViewOfThree three;
    const QHeaderView &header = *three.view.header();
    QCOMPARE(header.count() - header.hiddenSectionCount(), 5);
    QCOMPARE(header.logicalIndex(0), int{Column::Name});
    // Detail takes the width that no text of another column needs.
    const QFontMetrics metrics = three.view.fontMetrics();
    QVERIFY(header.sectionSize(Column::State)
            > metrics.horizontalAdvance(QLatin1String("Running")));
    QVERIFY(header.sectionSize(Column::NextStart)
            > metrics.horizontalAdvance(QLatin1String("Next start M")));
    three.view.resize(1600, 300);
    three.view.show();
    QCOMPARE(header.sectionSize(Column::Detail),
             header.width() - header.sectionPosition(Column::Detail));
    QVERIFY(header.sectionPosition(Column::Detail) < 800);
    three.view.setVisibleColumns({Column::State, Column::Memory, Column::Name});
    const auto isShown = [&] {
        return header.count() - header.hiddenSectionCount() == 3
            && header.logicalIndex(0) == Column::State && header.logicalIndex(1) == Column::Memory
            && header.logicalIndex(2) == Column::Name && header.isSectionHidden(Column::Uptime);
    };
    QVERIFY(isShown());
    three.source->setFault(QStringLiteral("gone"));
    three.source->setFault({});
    QVERIFY(isShown());
    FakeAgents other;
    three.view.setSource(&other);
    QVERIFY(isShown());
    three.view.setSource(nullptr);
}

void AgentTableViewTest::filtersText()
{
    ViewOfThree three;
    three.view.setFilterText(QStringLiteral("SHOP"));
    QCOMPARE(namesIn(three.view), words("db web"));
    three.view.setFilterText(QStringLiteral(" shop  we"));
    QCOMPARE(namesIn(three.view), words("web"));
    three.view.setFilterText(QStringLiteral("failed"));
    QCOMPARE(namesIn(three.view), words("mail"));
    three.view.setFilterText(QStringLiteral("store"));
    QCOMPARE(namesIn(three.view), words("db"));
    three.source->setState(three.id("db"), InstanceState::Failed);
    three.view.setFilterText(QStringLiteral("nothing"));
    QCOMPARE(namesIn(three.view), QStringList());
    QCOMPARE(three.view.placeholderText(), QStringLiteral("No agent matches the filter"));
    three.view.setFilterText({});
    QCOMPARE(namesIn(three.view).size(), 3);
    QVERIFY(three.view.placeholderText().isEmpty());
    // The filter follows changes.
    three.view.setFilterText(QStringLiteral("stopping"));
    three.source->setState(three.id("web"), InstanceState::Stopping);
    QCOMPARE(namesIn(three.view), words("web"));
}

void AgentTableViewTest::filtersTags()
{
    ViewOfThree three;
    three.view.setTagFilter({QStringLiteral("office")});
    QCOMPARE(namesIn(three.view), words("mail web"));
    three.view.setTagFilter({QStringLiteral("office"), QStringLiteral("store")});
    QCOMPARE(namesIn(three.view).size(), 3);
    three.view.setTagFilter({QStringLiteral("offic")});
    QCOMPARE(namesIn(three.view).size(), 0);
}

void AgentTableViewTest::refreshesWhileVisible()
{
    ViewOfThree three;
    QVERIFY(!three.hasActiveTimer());
    const QSignalSpy changed(three.view.model(), &QAbstractItemModel::dataChanged);
    three.view.show();
    const auto atOnce = changed.count();
    QVERIFY(atOnce > 0);
    QTRY_VERIFY_WITH_TIMEOUT(changed.count() >= 3 * atOnce, 30'000);
    QVERIFY(three.hasActiveTimer());
    three.view.hide();
    QVERIFY(!three.hasActiveTimer());
}

void AgentTableViewTest::followsTheSelectedAgent()
{
    ViewOfThree three;
    const QUuid web = three.id("web");
    three.view.setCurrentAgent(web);
    three.source->add(QStringLiteral("api"));
    three.source->remove(three.id("mail"));
    QCOMPARE(namesIn(three.view), words("api db web"));
    QCOMPARE(three.view.currentAgent(), web);
    three.view.sortByColumn(Column::Name, Qt::DescendingOrder);
    QCOMPARE(three.view.currentAgent(), web);
    QCOMPARE(three.view.currentIndex().row(), 0);
    three.source->setFault(QStringLiteral("gone"));
    QVERIFY(three.view.currentAgent().isNull());
    three.source->setFault({});
    QCOMPARE(three.view.currentAgent(), web);
    QCoreApplication::processEvents();
    QCOMPARE(three.view.agentActions().current(), web);
}

void AgentTableViewTest::selectsNoOtherAgent()
{
    ViewOfThree three;
    const QUuid db = three.id("db");
    three.view.setCurrentAgent(db);
    three.view.setFilterText(QStringLiteral("web"));
    QVERIFY(three.view.currentAgent().isNull());
    QCoreApplication::processEvents();
    QVERIFY(!three.view.agentActions().action(ControlOperation::Stop)->isEnabled());
    three.view.setFilterText({});
    QCOMPARE(three.view.currentAgent(), db);
    three.source->remove(db);
    QVERIFY(three.view.currentAgent().isNull());
    QVERIFY(!three.view.currentIndex().isValid());
}

void AgentTableViewTest::selectsAnAgentThatIsAddedLater()
{
    ViewOfThree three;
    AgentStatus late{.agent = QStringLiteral("late"), .instanceId = QUuid::createUuid()};
    three.view.setCurrentAgent(late.instanceId);
    QVERIFY(three.view.currentAgent().isNull());
    three.source->agents.append(late);
    Q_EMIT three.source->agentAdded(late.instanceId);
    QTRY_COMPARE(three.view.currentAgent(), late.instanceId);
}

void AgentTableViewTest::reportsTheCurrentAgentOnce()
{
    ViewOfThree three;
    QSignalSpy current(&three.view, &AgentTableView::currentAgentChanged);
    three.view.setCurrentAgent(three.id("web"));
    three.view.setCurrentAgent(three.id("web"));
    QCOMPARE(current.count(), 1);
    QCOMPARE(current[0][0].toUuid(), three.id("web"));
    three.source->setFault({}); // the row is replaced
    QCoreApplication::processEvents();
    QCOMPARE(current.count(), 1);
    three.view.setCurrentAgent({});
    QCOMPARE(current.count(), 2);
    QVERIFY(three.view.selectionModel()->selectedRows().isEmpty());
}

void AgentTableViewTest::slotMayChangeTheRows()
{
    ViewOfThree three;
    three.view.setCurrentAgent(three.id("db"));
    connect(&three.view, &AgentTableView::currentAgentChanged, &three.view, [&] {
        three.view.setFilterText(QStringLiteral("mail"));
        if (!three.id("web").isNull())
            three.source->remove(three.id("web"));
    });
    three.source->remove(three.id("db"));
    QCOMPARE(namesIn(three.view), words("mail"));
}

void AgentTableViewTest::keyboardSelectsAndRequestsWhy()
{
    ViewOfThree three;
    three.view.show();
    QSignalSpy why(&three.view.agentActions(), &AgentActions::whyRequested);
    QTest::keyClick(&three.view, Qt::Key_Down);
    QTest::keyClick(&three.view, Qt::Key_End);
    QCOMPARE(three.view.currentAgent(), three.id("web"));
    QTest::keyClick(&three.view, Qt::Key_Return);
    QCOMPARE(why.count(), 1);
    QCOMPARE(why[0][0].toUuid(), three.id("web"));
    QVERIFY(!three.view.accessibleName().isEmpty());
}

void AgentTableViewTest::contextMenuOperatesTheSelectedAgent()
{
    ViewOfThree three;
    three.view.agentActions().setConfirmStops(false);
    three.view.show();
    QTest::mouseClick(three.view.viewport(), Qt::RightButton, {}, three.place(0));
    QCOMPARE(three.view.currentAgent(), three.id("db"));
    QMenu *menu = three.openMenu(QContextMenuEvent::Mouse, three.place(0));
    QVERIFY(menu != nullptr);
    menu->setActiveAction(three.view.agentActions().action(ControlOperation::Stop));
    QTest::keyClick(menu, Qt::Key_Return);
    QCOMPARE(three.source->operations.size(), 1);
    QCOMPARE(three.source->operations.first(), std::pair(ControlOperation::Stop, three.id("db")));
    QTRY_VERIFY(three.view.findChild<QMenu *>() == nullptr);
    three.view.setCurrentAgent(three.id("web"));
    menu = three.openMenu(QContextMenuEvent::Keyboard, {});
    QVERIFY(menu != nullptr);
    QVERIFY(menu->actions().contains(three.view.agentActions().whyAction()));
    menu->close();
}

void AgentTableViewTest::emptyPlaceHasNoMenu()
{
    ViewOfThree three;
    three.view.show();
    three.view.setCurrentAgent(three.id("web"));
    QVERIFY(three.openMenu(QContextMenuEvent::Mouse, {400, 250}) == nullptr);
    three.view.setCurrentAgent({});
    QVERIFY(three.openMenu(QContextMenuEvent::Keyboard, {}) == nullptr);
}

void AgentTableViewTest::saysWhyTheHostIsUnavailable()
{
    ViewOfThree three;
    QVERIFY(three.view.placeholderText().isEmpty());
    three.source->setFault(QStringLiteral("connection refused"));
    QCOMPARE(namesIn(three.view).size(), 0);
    QCOMPARE(three.view.placeholderText(),
             QStringLiteral("east is unavailable: connection refused"));
    QCOMPARE(three.view.accessibleDescription(), three.view.placeholderText());
    three.view.show();
    three.view.grab();
    three.source->setFault({});
    QCOMPARE(namesIn(three.view).size(), 3);
    QVERIFY(three.view.placeholderText().isEmpty());
}

void AgentTableViewTest::outlivesItsSource()
{
    ViewOfThree three;
    three.view.show();
    three.view.setCurrentAgent(three.id("web"));
    three.source.reset();
    QCOMPARE(namesIn(three.view).size(), 0);
    QVERIFY(three.view.source() == nullptr);
    QCOMPARE(three.view.placeholderText(), QStringLiteral("No host"));
    three.view.setFilterText(QStringLiteral("web"));
    three.view.grab();
}

void AgentTableViewTest::sourceOutlivesTheView()
{
    FakeAgents source;
    const QUuid id = source.add(QStringLiteral("web"));
    auto view = std::make_unique<AgentTableView>();
    view->setSource(&source);
    view->setCurrentAgent(id);
    view->show();
    view->agentActions().action(ControlOperation::Stop)->trigger();
    source.setState(id, InstanceState::Failed);
    view.reset();
    source.setState(id, InstanceState::Running);
    source.remove(id);
    QCoreApplication::processEvents();
}

// The window of the slot may be half destroyed.
void AgentTableViewTest::emitsNothingWhenDestroyed()
{
    FakeAgents source;
    const QUuid id = source.add(QStringLiteral("db"));
    auto view = std::make_unique<AgentTableView>();
    view->setSource(&source);
    QTRY_COMPARE(view->model()->rowCount(), 1);
    view->setCurrentAgent(id);
    const QSignalSpy changes(view.get(), &AgentTableView::currentAgentChanged);
    view.reset();
    QVERIFY(changes.isEmpty());
}

void AgentTableViewTest::changesTheSource()
{
    ViewOfThree three;
    FakeAgents other;
    three.view.setSource(&other);
    QCOMPARE(three.view.placeholderText(), QStringLiteral("east has no agents"));
    other.add(QStringLiteral("x"));
    QCOMPARE(namesIn(three.view), words("x"));
    QVERIFY(three.view.placeholderText().isEmpty());
    three.source->add(QStringLiteral("y"));
    QCOMPARE(namesIn(three.view), words("x"));
    QCOMPARE(three.view.agentActions().source(), &other);
    three.view.setSource(nullptr);
    QCOMPARE(namesIn(three.view).size(), 0);
}

void AgentTableViewTest::showsThousandsOfAgents()
{
    FakeAgents source;
    AgentTableView view;
    view.setSource(&source);
    view.show();
    source.blockSignals(true);
    for (int i = 0; i < 5000; ++i)
        source.add(QStringLiteral("agent%1").arg(i));
    source.blockSignals(false);
    Q_EMIT source.reset();
    QCOMPARE(view.model()->rowCount(), 5000);
    source.reads = 0;
    view.grab();
    QVERIFY2(source.reads < 500, qPrintable(QString::number(source.reads))); // only what is visible
}

void AgentTableViewTest::operatesTheEngine()
{
    Stage stage;
    LocalAgents source(stage.supervisor);
    const QUuid id = stage.add(QStringLiteral("web"), {});
    AgentTableView view;
    view.setSource(&source);
    view.setCurrentAgent(id);
    view.agentActions().action(ControlOperation::Start)->trigger();
    stage.advance(std::chrono::seconds(1));
    QCOMPARE(view.model()->index(0, Column::State).data().toString(), QStringLiteral("Running"));
    QVERIFY(view.agentActions().action(ControlOperation::Stop)->isEnabled());
}

REKINDLE_TEST(AgentTableViewTest)
#include "agenttableviewtest.moc"
