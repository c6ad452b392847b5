// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "quickscene.h"
#include "stage.h"
#include "testprogram.h"
#include "waituntil.h"

#include <rekindle/control/controlserver.h>

#include <QRegularExpression>
#include <QTemporaryDir>

using namespace Rekindle;

namespace {

constexpr auto agentScene = R"(QtObject {
    property AgentModel agents: AgentModel { source: supervisor }
    property EventModel events: EventModel {
        source: supervisor; leastSeverity: AgentEvent.Severity.Error
    }
    property string refusal
    property var firstActions
    property string explanation
    property Agent web: Agent {
        model: agents
        name: "web"
        onRefused: text => refusal = text
        onExplained: text => explanation = text
    }
})";

} // namespace

/// The types of `import Rekindle` without a window.
class QuickTypesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void modelShowsAgents();
    void enumsHaveTheirValues();
    void agentIsOperated();
    void agentIsExplained();
    void supervisorIsOperatedByName();
    void eventModelHasFilteredEvents();
    void wrongPropertiesGiveWarnings_data();
    void wrongPropertiesGiveWarnings();
    void supervisorMayBeDestroyedFirst();
    void engineMayBeDestroyedFirst();
    void remoteHostExitsAndReturns();
};

void QuickTypesTest::modelShowsAgents()
{
    Stage stage;
    QuickScene scene(&stage.supervisor);
    QVERIFY2(scene.load(agentScene), qPrintable(scene.error));
    QCOMPARE(scene.evaluate("agents.count").toInt(), 0);
    QCOMPARE(scene.evaluate("web.exists"), false);
    stage.add(QStringLiteral("web"), {});
    stage.addFailing(QStringLiteral("api"));
    QTRY_COMPARE(scene.evaluate("agents.count").toInt(), 2);
    QCOMPARE(scene.evaluate("web.exists"), true);
    QCOMPARE(scene.evaluate("agents.error").toString(), QString());
    const char *const first = "agents.data(agents.index(0, 0))";
    QCOMPARE(scene.evaluate(first).toString(), QStringLiteral("web"));
    scene.evaluate("agents.sortBy = \"name\"");
    QCOMPARE(scene.evaluate(first).toString(), QStringLiteral("api"));
    scene.evaluate("agents.filter = \"we\"");
    QCOMPARE(scene.evaluate("agents.count").toInt(), 1);
    QCOMPARE(scene.evaluate(first).toString(), QStringLiteral("web"));
}

void QuickTypesTest::enumsHaveTheirValues()
{
    Stage stage;
    stage.begin(QString());
    QuickScene scene(&stage.supervisor);
    QVERIFY2(scene.load("QtObject { }"), qPrintable(scene.error));
    QCOMPARE(scene.evaluate("supervisor.tier === Rekindle.LicenseTier.Enterprise"), true);
    QCOMPARE(scene.evaluate("supervisor.snapshot(\"a\").state === Rekindle.InstanceState.Waiting"),
             true);
    QCOMPARE(scene.evaluate("AgentEvent.Severity.Error").toInt(), 2);
    QCOMPARE(scene.evaluate("supervisor.stop(\"other\").effect === CommandResult.Effect.Unknown"),
             true);
    QCOMPARE(scene.evaluate("StateColors.Scheme.Dark !== undefined"), true);
    QCOMPARE(scene.evaluate("supervisor.snapshot(\"other\") === undefined"), true);
}

void QuickTypesTest::agentIsOperated()
{
    Stage stage;
    stage.add(QStringLiteral("web"), {.runs = QStringLiteral("started ready")});
    QuickScene scene(&stage.supervisor);
    QVERIFY2(scene.load(agentScene), qPrintable(scene.error));
    QCOMPARE(scene.evaluate("web.actions.length").toInt(), 7);
    QCOMPARE(scene.evaluate("web.actions[Rekindle.ControlOperation.Start].isEnabled"), true);
    QCOMPARE(scene.evaluate("web.actions[0].text").toString(), QStringLiteral("Start"));
    QCOMPARE(scene.evaluate("web.actions[Rekindle.ControlOperation.Retry].isEnabled"), true);
    scene.evaluate("firstActions = web.actions");
    scene.evaluate("web.operate(Rekindle.ControlOperation.Start)");
    stage.advance(Duration::zero());
    QCOMPARE(scene.evaluate("web.state === Rekindle.InstanceState.Running"), true);
    QCOMPARE(scene.evaluate("firstActions[4] === web.actions[4]"), true);
    QCOMPARE(scene.evaluate("firstActions[Rekindle.ControlOperation.Retry].isEnabled"), false);
    QCOMPARE(scene.evaluate("web.stateText").toString(), QStringLiteral("Running"));
    QCOMPARE(scene.evaluate("refusal").toString(), QString());
    scene.evaluate("web.operate(Rekindle.ControlOperation.Retry)");
    QTRY_VERIFY(scene.evaluate("refusal").toString().startsWith(QLatin1String("web: ")));
    stage.supervisor.remove(stage.first());
    stage.advance(Duration::zero());
    QCOMPARE(scene.evaluate("web.exists"), false);
    QCOMPARE(scene.evaluate("web.state === undefined"), true);
    scene.evaluate("refusal = \"\"; web.operate(Rekindle.ControlOperation.Start)");
    QTRY_VERIFY(scene.evaluate("refusal").toString().startsWith(QLatin1String("web: ")));
}

void QuickTypesTest::agentIsExplained()
{
    Stage stage;
    const QUuid id = stage.addFailing(QStringLiteral("web"));
    QuickScene scene(&stage.supervisor);
    QVERIFY2(scene.load(agentScene), qPrintable(scene.error));
    stage.supervisor.start(id);
    stage.advance(Duration::zero());
    scene.evaluate("web.why()");
    QTRY_VERIFY(
        scene.evaluate("explanation").toString().contains(QLatin1String("Restart attempt 1")));
    QCOMPARE(scene.evaluate("supervisor.why(\"web\")"), scene.evaluate("explanation"));
    QVERIFY(!scene.evaluate("explanation").toString().contains(QLatin1String("Z\n"))); // local time
    QCOMPARE(scene.evaluate("JSON.stringify(supervisor.plan(\"web\")).includes(\"web\")"), true);
}

void QuickTypesTest::supervisorIsOperatedByName()
{
    Stage stage;
    stage.add(QStringLiteral("web"), {.runs = QStringLiteral("started ready")});
    QuickScene scene(&stage.supervisor);
    QVERIFY2(scene.load("QtObject { property int running: supervisor.running }"),
             qPrintable(scene.error));
    scene.evaluate("supervisor.start(\"web\")");
    stage.advance(Duration::zero());
    QTRY_COMPARE(scene.evaluate("running").toInt(), 1);
    QCOMPARE(scene.evaluate("supervisor.total").toInt(), 1);
    QVERIFY(!scene.evaluate("supervisor.retry(\"web\").reason").toString().isEmpty());
    QCOMPARE(scene.evaluate("supervisor.stop(\"other\").effect === "
                            "supervisor.retry(\"other\").effect"),
             true);
    QCOMPARE(scene.evaluate("supervisor.reset(\"web\").effect !== "
                            "supervisor.reset(\"other\").effect"),
             true);
    scene.evaluate("supervisor.stopAll()");
    QCOMPARE(scene.evaluate("supervisor.stopping"), true);
    stage.advance(std::chrono::minutes(1));
    QTRY_COMPARE(scene.evaluate("running").toInt(), 0);
}

void QuickTypesTest::eventModelHasFilteredEvents()
{
    Stage stage;
    QuickScene scene(&stage.supervisor);
    QVERIFY2(scene.load(agentScene), qPrintable(scene.error));
    stage.begin(QString());
    QTRY_VERIFY(scene.evaluate("events.rowCount()").toInt() >= 1);
    const char *const types = "{ let found = []; for (let i = 0; i < events.rowCount(); ++i) "
                              "found.push(events.data(events.index(i, 2))); found.join() }";
    QVERIFY(scene.evaluate(types).toString().contains(QLatin1String("agent.failed")));
    QVERIFY(!scene.evaluate(types).toString().contains(QLatin1String("agent.starting")));
}

void QuickTypesTest::wrongPropertiesGiveWarnings_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("warning");
    QTest::newRow("source") << QByteArray("Item { id: one\n AgentModel { source: one } }")
                            << "scene.qml:3:2: QML AgentModel: source: expected a Supervisor, a "
                               "RemoteHost or an AgentSource, found QQuickItem";
    QTest::newRow("sort") << QByteArray(
        "Item {\n AgentModel { source: supervisor; sortBy: \"nam\" } }")
                          << "scene.qml:3:2: QML AgentModel: sortBy: expected the role of a "
                             "column, such as \"name\", found \"nam\"";
}

void QuickTypesTest::wrongPropertiesGiveWarnings()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, warning);
    Stage stage;
    QuickScene scene(&stage.supervisor);
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QRegularExpression::escape(warning)));
    QVERIFY2(scene.load(text), qPrintable(scene.error));
}

void QuickTypesTest::supervisorMayBeDestroyedFirst()
{
    auto stage = std::make_unique<Stage>();
    QuickScene scene(&stage->supervisor);
    stage->add(QStringLiteral("web"), {});
    QVERIFY2(scene.load(agentScene), qPrintable(scene.error));
    QCOMPARE(scene.evaluate("web.exists"), true);
    stage.reset();
    QCOMPARE(scene.evaluate("agents.count").toInt(), 0);
    QVERIFY(!scene.evaluate("agents.error").toString().isEmpty());
    QCOMPARE(scene.evaluate("web.exists"), false);
    scene.evaluate("web.operate(Rekindle.ControlOperation.Start)");
    QTRY_VERIFY(!scene.evaluate("refusal").toString().isEmpty());
}

void QuickTypesTest::engineMayBeDestroyedFirst()
{
    Stage stage;
    auto scene = std::make_unique<QuickScene>(&stage.supervisor);
    stage.add(QStringLiteral("web"), {.runs = QStringLiteral("started ready")});
    QVERIFY2(scene->load(agentScene), qPrintable(scene->error));
    scene->evaluate("web.operate(Rekindle.ControlOperation.Start); web.why()");
    scene.reset();
    stage.advance(Duration::zero());
    QCOMPARE(stage.state(), InstanceState::Running);
    QuickScene next(&stage.supervisor);
    QVERIFY2(next.load(agentScene), qPrintable(next.error));
    QCOMPARE(next.evaluate("web.state === Rekindle.InstanceState.Running"), true);
}

void QuickTypesTest::remoteHostExitsAndReturns()
{
    const QTemporaryDir folder;
    const auto open = [&folder](AgentSupervisor &supervisor) {
        return std::make_unique<ControlServer>(
            supervisor,
            ControlServerOptions{.socketName = QStringLiteral("far"), .folder = folder.path()});
    };
    AgentSupervisor supervisor;
    grantAll(supervisor);
    QVERIFY(supervisor.add(QStringLiteral("web"),
                           std::make_unique<ScriptedAgent>(supervisor.scheduler(), AgentScript{})));
    auto server = open(supervisor);
    QCOMPARE(server->listen(), QString());
    QuickScene scene;
    scene.engine.rootContext()->setContextProperty(QStringLiteral("socket"), server->socketPath());
    QVERIFY2(scene.load("QtObject { property RemoteHost far: RemoteHost { name: socket }\n"
                        "property AgentModel agents: AgentModel { source: far } }"),
             qPrintable(scene.error));
    QVERIFY(
        waitUntil([&] { return scene.evaluate("far.connected && agents.count === 1").toBool(); }));
    server.reset();
    QVERIFY(waitUntil([&] { return !scene.evaluate("far.connected").toBool(); }));
    QCOMPARE(scene.evaluate("agents.count").toInt(), 0);
    QCOMPARE(scene.evaluate("agents.error"), scene.evaluate("far.error"));
    server = open(supervisor);
    QCOMPARE(server->listen(), QString());
    QVERIFY(waitUntil([&] { return scene.evaluate("agents.count === 1").toBool(); }));
}

REKINDLE_TEST(QuickTypesTest)
#include "quicktypestest.moc"
