// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stage.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/groups/agentdependencies.h>

#include <QtTest>

using namespace Rekindle;

// Agents that depend on others, with the engine in virtual time.
class AgentDependenciesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void starts_data();
    void starts();
    void goesDown_data();
    void goesDown();
    void stopsAll_data();
    void stopsAll();
    void namesTheCause();
    void refusesCycles();
    void replacesDependencies();
    void keepsAnAgentThatRuns();
    void agentIsAddedLater();
    void agentIsRemoved();
    void killAllDoesNotWait();

private:
    void check();
};

namespace {

// "started +2s ready": the script of an agent, "!" before it stops in three seconds instead of at
// once, "?" ignores stop().
AgentScript scriptOf(QString text)
{
    AgentScript script;
    if (text.startsWith(u'!'))
        script.onStop = QStringLiteral("+3s stopped");
    else if (text.startsWith(u'?'))
        script.onStop.clear();
    if (text.startsWith(u'!') || text.startsWith(u'?'))
        text.remove(0, 1);
    script.runs = text;
    return script;
}

// "api:db" or "api:db/completed/restart/5s".
void depend(AgentDependencies &dependencies, const QString &text)
{
    QList<Dependency> list;
    for (const QString &each : text.section(u':', 1).split(u',')) {
        const QStringList parts = each.split(u'/');
        Dependency dependency{.agent = parts.at(0)};
        if (parts.size() > 1)
            dependency.until = valueOf(dependencyLevels, parts.at(1)).value();
        if (parts.size() > 2)
            dependency.onDown = valueOf(onDownNames, parts.at(2)).value();
        if (parts.size() > 3)
            dependency.downGrace = durationFromString(parts.at(3)).value();
        list.append(dependency);
    }
    if (!dependencies.setDependencies(text.section(u':', 0, 0), list).isEmpty())
        qFatal("a cycle: %s", qPrintable(text));
}

// A stage whose agents depend on each other.
class Scene
{
public:
    /// "db=started ready|fail; api=started ready" and "api:db web:api"
    Scene(const QString &agents, const QString &edges)
        : dependencies(stage.supervisor)
    {
        stage.log.showNames();
        for (const QString &each : agents.split(QStringLiteral("; ")))
            stage.add(each.section(u'=', 0, 0), scriptOf(each.section(u'=', 1)),
                      QStringLiteral("'stableAfter':'10s'"));
        for (const QString &each : edges.split(u' ', Qt::SkipEmptyParts))
            depend(dependencies, each);
    }

    Stage stage;
    AgentDependencies dependencies;
};

void addColumns()
{
    QTest::addColumn<QString>("agents");
    QTest::addColumn<QString>("edges");
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("log");
}

const QString twoAgents = QStringLiteral("db=started +2s ready; api=started ready");

} // namespace

void AgentDependenciesTest::check()
{
    QFETCH(QString, agents);
    QFETCH(QString, edges);
    QFETCH(QString, script);
    QFETCH(QString, log);
    Scene scene(agents, edges);
    scene.stage.play(script);
    QCOMPARE(scene.stage.log.text(), log);
}

// clang-format off
void AgentDependenciesTest::starts_data()
{
    addColumns();
    row("until ready", twoAgents, "api:db", "startAll +2s",
        "api.held:dependency db.START db.started 2s db.ready api.START api.started api.ready");
    row("until started", twoAgents, "api:db/started", "startAll",
        "api.held:dependency db.START db.started api.START api.started api.ready");
    row("until stable", twoAgents, "api:db/stable", "startAll +12s",
        "api.held:dependency db.START db.started 2s db.ready 12s db.stable api.START api.started api.ready");
    row("until completed", "job=started +5s stopped; api=started ready", "api:job/completed", "startAll +5s",
        "api.held:dependency job.START job.started 5s job.stopped api.START api.started api.ready");
    row("a failed job is not completed", "job=started fail|started stopped; api=started ready", "api:job/completed", "startAll +1s",
        "api.held:dependency job.START job.started job.failed job.scheduled#1 1s job.attempt#1 job.START job.started job.cancelled#1 job.stopped api.START api.started api.ready");
    row("in any order of the agents", "api=started ready; db=started +2s ready", "api:db", "startAll +2s",
        "api.held:dependency db.START db.started 2s db.ready api.START api.started api.ready");
    row("a chain", "web=started ready; api=started +1s ready; db=started +2s ready", "web:api api:db", "startAll +3s",
        "web.held:dependency api.held:dependency api.held:dependency db.START db.started 2s db.ready api.START api.started 3s api.ready web.START web.started web.ready");
    row("two dependencies", "db=started +2s ready; cache=started +4s ready; api=started ready", "api:db,cache", "startAll +4s",
        "api.held:dependency db.START db.started cache.START cache.started 2s db.ready 4s cache.ready api.START api.started api.ready");
    row("an operator's start of one starts what it depends on", "api=started ready; db=started ready; job=started stopped", "api:db db:job/completed", "start:api",
        "api.held:dependency db.held:dependency job.START job.started job.stopped db.START db.started db.ready api.START api.started api.ready");
    row("what is completed is not started again", "job=started stopped; api=started ready", "api:job/completed", "start:job start:api",
        "job.START job.started job.stopped api.START api.started api.ready");
    row("a dependency that has given up holds the start back until it returns", "db=fail:127|started ready; api=started ready", "api:db", "startAll start:db",
        "api.held:dependency db.START db.failed db.START db.started db.ready api.START api.started api.ready");
    row("a dip is no reason to skip a start", "db=started ready +1s fail|started ready; api=started +1s fail|started ready", "api:db", "startAll +3s",
        "api.held:dependency db.START db.started db.ready api.START api.started 1s db.failed db.scheduled#1 api.failed api.scheduled#1 2s api.held:dependency db.attempt#1 db.START db.started db.ready db.succeeded#1 api.attempt#1 api.START api.started api.ready api.succeeded#1");
    row("ready of an earlier start does not count", "db=started ready +1s fail|started +9s ready; api=started +1s fail|started ready", "api:db", "startAll +12s",
        "api.held:dependency db.START db.started db.ready api.START api.started 1s db.failed db.scheduled#1 api.failed api.scheduled#1 2s api.held:dependency db.attempt#1 db.START db.started 11s db.ready db.succeeded#1 api.attempt#1 api.START api.started api.ready api.succeeded#1");
    row("a restart of a held agent starts it once", twoAgents, "api:db", "startAll restart:api start:api +2s",
        "api.held:dependency db.START db.started api.requested api.held:dependency api.held:dependency 2s db.ready api.START api.started api.ready");
    row("a stop of a held agent", twoAgents, "api:db", "startAll stop:api +2s",
        "api.held:dependency db.START db.started 2s db.ready");
}

void AgentDependenciesTest::starts() { check(); }

void AgentDependenciesTest::goesDown_data()
{
    addColumns();
    row("keep", "db=started ready +1s fail|started +9s ready; api=started ready", "api:db", "startAll +20s",
        "api.held:dependency db.START db.started db.ready api.START api.started api.ready 1s db.failed db.scheduled#1 2s db.attempt#1 db.START db.started 10s api.stable 11s db.ready db.succeeded#1");
    row("a dip within the grace time", "db=started ready +1s fail|started ready; api=started ready", "api:db/ready/restart", "startAll +20s",
        "api.held:dependency db.START db.started db.ready api.START api.started api.ready 1s db.failed db.scheduled#1 2s db.attempt#1 db.START db.started db.ready db.succeeded#1 10s api.stable 12s db.stable");
    row("restart", "db=started ready +1s fail|started +9s ready; api=started ready", "api:db/ready/restart", "startAll +20s",
        "api.held:dependency db.START db.started db.ready api.START api.started api.ready 1s db.failed db.scheduled#1 2s db.attempt#1 db.START db.started 3s api.STOP api.stopped api.held:dependency 11s db.ready db.succeeded#1 api.START api.started api.ready");
    row("stop", "db=started ready +1s fail|started +9s ready; api=started ready", "api:db/ready/stop", "startAll +20s",
        "api.held:dependency db.START db.started db.ready api.START api.started api.ready 1s db.failed db.scheduled#1 2s db.attempt#1 db.START db.started 3s api.STOP api.stopped 11s db.ready db.succeeded#1");
    row("at once", "db=started ready; api=started ready", "api:db/ready/restart/0s", "startAll stop:db start:db",
        "api.held:dependency db.START db.started db.ready api.START api.started api.ready db.STOP db.stopped api.STOP api.stopped api.held:dependency db.START db.started db.ready api.START api.started api.ready");
    row("dependents first", "db=started ready; api=!started ready; web=!started ready", "api:db/ready/restart web:api/ready/restart", "startAll stop:db +9s start:db",
        "api.held:dependency web.held:dependency db.START db.started db.ready api.START api.started api.ready web.START web.started web.ready db.STOP db.stopped 2s web.STOP 5s web.stopped web.held:dependency api.STOP 8s api.stopped api.held:dependency 9s db.START db.started db.ready api.START api.started api.ready web.START web.started web.ready");
    row("a dependency returns while dependents are being stopped", "db=started ready; api=started ready; web=!started ready", "api:db/ready/restart web:api/ready/restart", "startAll stop:db +3s start:db +3s",
        "api.held:dependency web.held:dependency db.START db.started db.ready api.START api.started api.ready web.START web.started web.ready db.STOP db.stopped 2s web.STOP 3s db.START db.started db.ready 5s web.stopped web.held:dependency api.STOP api.stopped api.START api.started api.ready web.START web.started web.ready");
    row("an agent that is still starting for the first time", "db=started +9s ready; api=started ready", "api:db/ready/stop", "startAll +9s",
        "api.held:dependency db.START db.started 9s db.ready api.START api.started api.ready");
    row("a restart after a stop of an agent that waits for its own restart", "db=started ready +1s fail|started +9s ready; api=started ready +1s fail|started ready", "api:db/ready/stop", "startAll +20s",
        "api.held:dependency db.START db.started db.ready api.START api.started api.ready 1s db.failed db.scheduled#1 api.failed api.scheduled#1 2s api.held:dependency db.attempt#1 db.START db.started 3s api.cancelled#1 11s db.ready db.succeeded#1");
    row("an operator starts an agent that is to be stopped", "db=started ready; api=started ready; web=!started ready", "api:db/ready/stop web:api/ready/stop", "startAll stop:db +3s start:api +9s",
        "api.held:dependency web.held:dependency db.START db.started db.ready api.START api.started api.ready web.START web.started web.ready db.STOP db.stopped 2s web.STOP 3s db.START db.started db.ready 5s web.stopped 10s api.stable");
}

void AgentDependenciesTest::goesDown() { check(); }

void AgentDependenciesTest::stopsAll_data()
{
    addColumns();
    row("without dependencies", "a=!started ready; b=!started ready", "", "startAll stopAll +3s",
        "a.START a.started a.ready b.START b.started b.ready b.STOP a.STOP 3s b.stopped a.stopped ALLSTOPPED");
    row("dependents first", "db=!started ready; api=!started ready; web=!started ready", "api:db web:api", "startAll stopAll +9s",
        "api.held:dependency web.held:dependency db.START db.started db.ready api.START api.started api.ready web.START web.started web.ready web.STOP 3s web.stopped api.STOP 6s api.stopped db.STOP 9s db.stopped ALLSTOPPED");
    row("others at once", "db=!started ready; api=!started ready; other=!started ready", "api:db", "startAll stopAll +9s",
        "api.held:dependency db.START db.started db.ready other.START other.started other.ready api.START api.started api.ready other.STOP api.STOP 3s other.stopped api.stopped db.STOP 6s db.stopped 9s ALLSTOPPED");
    row("an agent that does not run is not waited for", "db=!started ready; api=started stopped", "api:db", "startAll stopAll +3s",
        "api.held:dependency db.START db.started db.ready api.START api.started api.stopped db.STOP 3s db.stopped ALLSTOPPED");
    row("an agent that waits for its restart", "db=!started ready; api=started fail", "api:db", "startAll stopAll +3s",
        "api.held:dependency db.START db.started db.ready api.START api.started api.failed api.scheduled#1 api.cancelled#1 db.STOP 3s db.stopped ALLSTOPPED");
    row("an agent that must be killed", "db=started ready; api=?started ready", "api:db", "startAll stopAll +2m",
        "api.held:dependency db.START db.started db.ready api.START api.started api.ready api.STOP 10s db.stable api.KILL api.stopped db.STOP db.stopped 2m ALLSTOPPED");
}

void AgentDependenciesTest::stopsAll() { check(); }
// clang-format on

void AgentDependenciesTest::namesTheCause()
{
    Scene scene(QStringLiteral("db=started +2s ready; job=started +9s stopped; api=started ready"),
                QStringLiteral("api:db,job/completed,gone"));
    const auto texts = [&] {
        return scene.stage.supervisor.snapshot(scene.stage.supervisor.idOf(QStringLiteral("api")))
            ->holdTexts;
    };
    QCOMPARE(texts(), QStringList()); // nothing is planned
    scene.stage.play(QStringLiteral("startAll"));
    QCOMPARE(texts(),
             QStringList{QStringLiteral("dependency db (Starting), job (Starting, not completed), "
                                        "gone (no such agent)")});
    scene.stage.play(QStringLiteral("+9s stop:db"));
    QCOMPARE(texts(),
             QStringList{
                 QStringLiteral("dependency db (stopped by an operator), gone (no such agent)")});
    QCOMPARE(scene.dependencies.unmet(QStringLiteral("api")).size(), 2);
}

void AgentDependenciesTest::refusesCycles()
{
    Scene scene(twoAgents, QStringLiteral("api:db"));
    const QStringList cycle = scene.dependencies.setDependencies(
        QStringLiteral("db"), {{.agent = QStringLiteral("api")}});
    QCOMPARE(cycle.join(u' '), QStringLiteral("db api db"));
    QVERIFY(scene.dependencies.graph().dependencies(QStringLiteral("db")).isEmpty());
    DependencyGraph graph = scene.dependencies.graph();
    graph.setDependencies(QStringLiteral("db"), {{.agent = QStringLiteral("api")}});
    QCOMPARE(scene.dependencies.setGraph(graph).size(), 3);
    scene.stage.play(QStringLiteral("startAll +2s"));
    QVERIFY(scene.stage.log.text().endsWith(QLatin1String("api.ready")));
}

void AgentDependenciesTest::replacesDependencies()
{
    Scene scene(twoAgents, QStringLiteral("api:db"));
    scene.stage.play(QStringLiteral("startAll"));
    QVERIFY(!scene.stage.log.text().contains(QLatin1String("api.START")));
    QCOMPARE(scene.dependencies.setGraph({}), QStringList());
    scene.stage.play(QStringLiteral("+1s"));
    QVERIFY(scene.stage.log.text().contains(QLatin1String("api.ready")));
}

void AgentDependenciesTest::keepsAnAgentThatRuns()
{
    Scene scene(twoAgents, QString());
    scene.stage.play(QStringLiteral("start:api"));
    depend(scene.dependencies, QStringLiteral("api:db/ready/stop/0s"));
    scene.stage.play(QStringLiteral("+1m"));
    QCOMPARE(scene.stage.log.text(),
             QStringLiteral("api.START api.started api.ready 10s api.stable"));
}

void AgentDependenciesTest::agentIsAddedLater()
{
    Scene scene(QStringLiteral("api=started ready"), QStringLiteral("api:db"));
    scene.stage.play(QStringLiteral("startAll +1s"));
    scene.stage.add(QStringLiteral("db"), {});
    scene.stage.play(QStringLiteral("start:db"));
    QCOMPARE(
        scene.stage.log.text(),
        QStringLiteral("api.held:dependency 1s db.START db.started db.ready api.START api.started "
                       "api.ready"));
}

void AgentDependenciesTest::agentIsRemoved()
{
    Scene scene(QStringLiteral("db=started ready; api=started ready"), QStringLiteral("api:db"));
    scene.stage.play(QStringLiteral("startAll remove:db restart:api"));
    QVERIFY(scene.stage.log.text().endsWith(QLatin1String("api.stopped api.held:dependency")));
}

void AgentDependenciesTest::killAllDoesNotWait()
{
    Scene scene(QStringLiteral("db=!started ready; api=!started ready"), QStringLiteral("api:db"));
    scene.stage.play(QStringLiteral("startAll stopAll killAll"));
    QVERIFY(scene.stage.log.text().endsWith(QLatin1String("ALLSTOPPED")));
    QCOMPARE(scene.stage.scheduler.now(), Stage().scheduler.now());
    scene.stage.play(QStringLiteral("start:db +1m"));
    QVERIFY(scene.stage.log.text().endsWith(QLatin1String("db.stable")));
}

REKINDLE_TEST(AgentDependenciesTest)
#include "agentdependenciestest.moc"
