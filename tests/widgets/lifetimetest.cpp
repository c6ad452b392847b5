// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "fakeagents.h"
#include "models/servedagents.h"
#include "stage.h"
#include "testprogram.h"

#include <rekindle/models/localagents.h>
#include <rekindle/models/remoteagents.h>
#include <rekindle/widgets/agentactions.h>
#include <rekindle/widgets/agenttableview.h>
#include <rekindle/widgets/decisionview.h>
#include <rekindle/widgets/eventview.h>
#include <rekindle/widgets/outputview.h>
#include <rekindle/widgets/stopdialog.h>
#include <rekindle/widgets/supervisortray.h>
#include <rekindle/widgets/timelineview.h>

#include <QAction>
#include <QLabel>
#include <QTemporaryDir>
#include <QTextBrowser>
#include <QTreeView>

#include <functional>
#include <thread>

using namespace Rekindle;

namespace {

constexpr int longestLife = 30'000;

/// One kind of view, with a source as a property.
struct ViewKind
{
    std::function<std::unique_ptr<QObject>()> create;
    std::function<bool(const QObject &)> showsAgents; ///< whether it has something to show
    bool isLog = false;                               ///< what it shows remains
};

template<typename View>
ViewKind kindOf(bool (*showsAgents)(const View &), bool isLog = false)
{
    return {[] {
                if constexpr (std::is_same_v<View, AgentActions>)
                    return std::make_unique<View>(nullptr);
                else
                    return std::make_unique<View>();
            },
            [showsAgents](const QObject &view) {
                return showsAgents(dynamic_cast<const View &>(view));
            },
            isLog};
}

/// A view of a source. The agent "web" is selected.
class ViewOfSource
{
public:
    ViewOfSource(const ViewKind &viewKind, AgentSource *source)
        : kind(viewKind)
        , view(viewKind.create())
    {
        if (auto *const widget = qobject_cast<QWidget *>(view.get())) {
            widget->resize(800, 300);
            widget->show();
        }
        view->setProperty("source", QVariant::fromValue(source));
    }

    void select(const QUuid &id) const
    {
        for (const char *name : {"agent", "current", "currentAgent"}) {
            if (view->metaObject()->indexOfProperty(name) >= 0)
                view->setProperty(name, id);
        }
    }
    [[nodiscard]] bool showsAgents() const { return kind.showsAgents(*view); }
    [[nodiscard]] AgentSource *source() const
    {
        return view->property("source").value<AgentSource *>();
    }
    /// Paints the view and presses keys.
    void use() const
    {
        if (auto *const widget = qobject_cast<QWidget *>(view.get())) {
            for (const Qt::Key key :
                 {Qt::Key_Down, Qt::Key_End, Qt::Key_Up, Qt::Key_Home, Qt::Key_Return})
                QTest::keyClick(widget, key);
            widget->grab();
        } else if (const auto *const actions = qobject_cast<AgentActions *>(view.get())) {
            actions->action(ControlOperation::ResetBreaker)->trigger();
            actions->whyAction()->trigger();
        }
        QCoreApplication::processEvents();
    }

    ViewKind kind;
    std::unique_ptr<QObject> view;
};

void addKinds()
{
    QTest::addColumn<ViewKind>("kind");
    QTest::newRow("table") << kindOf<AgentTableView>(
        [](const AgentTableView &view) { return view.model()->rowCount() > 0; });
    QTest::newRow("actions") << kindOf<AgentActions>(
        [](const AgentActions &actions) { return actions.whyAction()->isEnabled(); });
    QTest::newRow("events") << kindOf<EventView>(
        [](const EventView &view) { return view.model()->rowCount() > 0; }, true);
    QTest::newRow("output") << kindOf<OutputView>(
        [](const OutputView &view) { return view.toPlainText().contains(QLatin1String("hello")); },
        true);
    QTest::newRow("timeline") << kindOf<TimelineView>(
        [](const TimelineView &view) { return view.model().rowCount() > 0; });
    QTest::newRow("decision") << kindOf<DecisionView>([](const DecisionView &view) {
        return view.findChild<QTextBrowser *>()->toPlainText().contains(QLatin1String("web:"));
    });
    QTest::newRow("tray") << kindOf<SupervisorTray>(
        [](const SupervisorTray &tray) { return tray.worstState().has_value(); });
}

using WrongCall = std::function<void(LocalAgents &, const QUuid &)>;

AgentScript talkative() { return {.runs = QStringLiteral("started ready out:hello")}; }

QMouseEvent mouseMove(const QWidget &widget, const QPoint &at)
{
    return {QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {}};
}

} // namespace

Q_DECLARE_METATYPE(ViewKind)

class LifetimeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void viewOutlivesSupervisorAndSource_data() { addKinds(); }
    void viewOutlivesSupervisorAndSource();
    void viewOutlivesSource_data() { addKinds(); }
    void viewOutlivesSource();
    void sourceOutlivesView_data() { addKinds(); }
    void sourceOutlivesView();
    void hostExitsAndReturns_data() { addKinds(); }
    void hostExitsAndReturns();
    void showsThousandsOfAgentsAtOnce_data() { addKinds(); }
    void showsThousandsOfAgentsAtOnce();
    void stopsThousandsOfAgentsAtOnce();
    void tableRowsChangeDuringDrag();
    void timelineRowsChangeDuringDrag();
    void useFromAnotherThreadIsLoggedOnce_data();
    void useFromAnotherThreadIsLoggedOnce();
};

void LifetimeTest::viewOutlivesSupervisorAndSource()
{
    QFETCH(ViewKind, kind);
    auto stage = std::make_unique<Stage>();
    const QUuid id = stage->add(QStringLiteral("web"), talkative());
    auto source = std::make_unique<LocalAgents>(stage->supervisor);
    const ViewOfSource shown(kind, source.get());
    shown.select(id);
    stage->play(QStringLiteral("start"));
    QTRY_VERIFY_WITH_TIMEOUT(shown.showsAgents(), longestLife);
    shown.use();
    stage.reset();
    QTRY_COMPARE_WITH_TIMEOUT(shown.showsAgents(), kind.isLog, longestLife);
    QCOMPARE(shown.source(), source.get());
    shown.use();
    source.reset();
    QVERIFY(shown.source() == nullptr);
    shown.use();
    QCOMPARE(shown.showsAgents(), kind.isLog);
}

void LifetimeTest::viewOutlivesSource()
{
    QFETCH(ViewKind, kind);
    Stage stage;
    const QUuid id = stage.add(QStringLiteral("web"), talkative());
    auto source = std::make_unique<LocalAgents>(stage.supervisor);
    const ViewOfSource shown(kind, source.get());
    shown.select(id);
    stage.play(QStringLiteral("start"));
    QTRY_VERIFY_WITH_TIMEOUT(shown.showsAgents(), longestLife);
    source.reset();
    QVERIFY(shown.source() == nullptr);
    stage.play(QStringLiteral("stop"));
    QTRY_COMPARE_WITH_TIMEOUT(shown.showsAgents(), kind.isLog, longestLife);
    shown.use();
}

void LifetimeTest::sourceOutlivesView()
{
    QFETCH(ViewKind, kind);
    Stage stage;
    const QUuid id = stage.add(QStringLiteral("web"), talkative());
    LocalAgents source(stage.supervisor);
    auto shown = std::make_unique<ViewOfSource>(kind, &source);
    shown->select(id);
    stage.play(QStringLiteral("start"));
    QTRY_VERIFY_WITH_TIMEOUT(shown->showsAgents(), longestLife);
    stage.supervisor.restart(id); // its queued updates
    shown.reset();
    stage.play(QStringLiteral("+1s stop"));
    stage.supervisor.remove(id);
    stage.play(QStringLiteral("+1s"));
    QCoreApplication::processEvents();
    QVERIFY(source.ids().isEmpty());
}

void LifetimeTest::hostExitsAndReturns()
{
    QFETCH(ViewKind, kind);
    const QTemporaryDir folder;
    auto host = std::make_unique<ServedAgents>(folder.path());
    const auto addWeb = [&] {
        return host->add(QStringLiteral("web"), QStringLiteral("started ready out:hello"));
    };
    QUuid id = addWeb();
    RemoteAgents source(QStringLiteral("web"), folder.path());
    const ViewOfSource shown(kind, &source);
    QTRY_VERIFY_WITH_TIMEOUT(source.isAvailable(), longestLife);
    shown.select(id);
    host->supervisor.start(id);
    QTRY_VERIFY_WITH_TIMEOUT(shown.showsAgents(), longestLife);
    host.reset();
    QTRY_VERIFY_WITH_TIMEOUT(!source.isAvailable(), longestLife);
    QTRY_COMPARE_WITH_TIMEOUT(shown.showsAgents(), kind.isLog, longestLife);
    shown.use();
    host = std::make_unique<ServedAgents>(folder.path());
    id = addWeb();
    QTRY_VERIFY_WITH_TIMEOUT(source.isAvailable(), longestLife);
    shown.select(id);
    host->supervisor.start(id);
    QTRY_VERIFY_WITH_TIMEOUT(shown.showsAgents(), longestLife);
    shown.use();
}

void LifetimeTest::showsThousandsOfAgentsAtOnce()
{
    QFETCH(ViewKind, kind);
    Stage stage;
    LocalAgents source(stage.supervisor);
    const ViewOfSource shown(kind, &source);
    shown.use();
    QVERIFY(!shown.showsAgents());
    shown.select(stage.add(QStringLiteral("web"), talkative()));
    for (int i = 1; i < 5'000; ++i)
        stage.add(QStringLiteral("agent-%1").arg(i), {});
    stage.play(QStringLiteral("startAll"));
    QTRY_VERIFY_WITH_TIMEOUT(shown.showsAgents(), longestLife);
    shown.use();
    if (const auto *const table = qobject_cast<AgentTableView *>(shown.view.get()))
        QCOMPARE(table->model()->rowCount(), 5'000);
    if (const auto *const timeline = qobject_cast<TimelineView *>(shown.view.get()))
        QCOMPARE(timeline->model().rowCount(), 5'000);
    if (const auto *const tray = qobject_cast<SupervisorTray *>(shown.view.get()))
        QTRY_VERIFY_WITH_TIMEOUT(tray->toolTip().contains(QLatin1String("Running: 5000")),
                                 longestLife);
}

void LifetimeTest::stopsThousandsOfAgentsAtOnce()
{
    Stage stage;
    QWidget window;
    const StopDialog *const dialog = StopDialog::install(&window, stage.supervisor);
    window.show();
    for (int i = 0; i < 5'000; ++i)
        stage.add(QStringLiteral("agent-%1").arg(i), {.onStop = QStringLiteral("+5s stopped")});
    stage.play(QStringLiteral("startAll"));
    QVERIFY(!window.close());
    QCOMPARE(dialog->findChild<QTreeView *>()->model()->rowCount(), 5'000);
    QVERIFY(dialog->findChild<QLabel *>()->text().contains(QLatin1String("5000")));
    stage.play(QStringLiteral("+5s"));
    QVERIFY(!window.isVisible());
}

void LifetimeTest::tableRowsChangeDuringDrag()
{
    FakeAgents source;
    const QUuid first = source.add(QStringLiteral("a"));
    const QUuid pressed = source.add(QStringLiteral("b"));
    source.add(QStringLiteral("c"));
    AgentTableView view;
    view.resize(800, 300);
    view.setSource(&source);
    view.show();
    QWidget *const viewport = view.viewport();
    const auto place = [&](int row) {
        return view.visualRect(view.model()->index(row, 0)).center();
    };
    const QPoint at = place(1);
    QTest::mousePress(viewport, Qt::LeftButton, {}, at);
    QCOMPARE(view.currentAgent(), pressed);
    source.add(QStringLiteral("0")); // above it
    QCoreApplication::processEvents();
    QCOMPARE(view.currentAgent(), pressed);
    source.remove(pressed);
    source.remove(first);
    QMouseEvent move = mouseMove(*viewport, at + QPoint(20, 2));
    QCOMPARE(view.model()->rowCount(), 2);
    QVERIFY(view.indexAt(move.pos()).isValid());
    QCoreApplication::sendEvent(viewport, &move);
    QVERIFY(view.currentAgent().isNull()); // no other agent is selected
    source.setFault(QStringLiteral("gone"));
    source.setFault({});
    QTest::mouseRelease(viewport, Qt::LeftButton, {}, move.pos());
    QVERIFY(view.currentAgent().isNull());
    view.grab();
}

void LifetimeTest::timelineRowsChangeDuringDrag()
{
    Stage stage;
    auto source = std::make_unique<LocalAgents>(stage.supervisor);
    const QUuid first = stage.add(QStringLiteral("a"), {});
    stage.add(QStringLiteral("b"), {});
    TimelineView view;
    view.resize(800, 400);
    view.setSource(source.get());
    view.show();
    QWidget *const viewport = view.viewport();
    QPoint at(500, 200);
    const auto move = [&] {
        at += QPoint(30, 0);
        QMouseEvent event = mouseMove(*viewport, at);
        QCoreApplication::sendEvent(viewport, &event);
        view.grab();
    };
    const UtcTime from = view.visibleFrame().from;
    QTest::mousePress(viewport, Qt::LeftButton, {}, at);
    stage.supervisor.remove(first);
    stage.play(QStringLiteral("+1s"));
    move();
    stage.add(QStringLiteral("c"), {});
    stage.add(QStringLiteral("d"), {});
    move();
    QCOMPARE(view.model().rowCount(), 3);
    QVERIFY(view.visibleFrame().from < from);
    source.reset();
    move();
    QCOMPARE(view.model().rowCount(), 0);
    QTest::mouseRelease(viewport, Qt::LeftButton, {}, at);
    view.grab();
}

void LifetimeTest::useFromAnotherThreadIsLoggedOnce_data()
{
    QTest::addColumn<WrongCall>("call");
    QTest::newRow("ids") << WrongCall(
        [](LocalAgents &source, const QUuid &) { QVERIFY(source.ids().isEmpty()); });
    QTest::newRow("state") << WrongCall(
        [](LocalAgents &source, const QUuid &id) { QVERIFY(!source.state(id)); });
    QTest::newRow("operate") << WrongCall([](LocalAgents &source, const QUuid &id) {
        QVERIFY(source.operate(ControlOperation::Start, id).isFinished());
    });
}

void LifetimeTest::useFromAnotherThreadIsLoggedOnce()
{
    QFETCH(WrongCall, call);
    Stage stage;
    const QUuid id = stage.add(QStringLiteral("web"), {});
    LocalAgents source(stage.supervisor);
    AgentTableView view;
    view.setSource(&source);
    // Qt Test does not report a second message.
    static QStringList messages;
    messages.clear();
    const QtMessageHandler outer =
        qInstallMessageHandler([](QtMsgType type, const QMessageLogContext &, const QString &text) {
            if (type == QtCriticalMsg)
                messages << text;
        });
    std::thread([&] { call(source, id); }).join();
    qInstallMessageHandler(outer);
    QCOMPARE(messages.size(), 1);
    VERIFY_CONTAINS(messages.constFirst().toUtf8(), "called from a thread other than its own");
    stage.play(QStringLiteral("+1s"));
    QCOMPARE(stage.state(), InstanceState::Stopped);
    QCOMPARE(view.model()->rowCount(), 1);
}

REKINDLE_TEST(LifetimeTest)
#include "lifetimetest.moc"
