// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stage.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/groups/agentdependencies.h>
#include <rekindle/policy/instancememory.h>

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
    void hostStartsNoDependency();
    void hostContinuesADependencyThatHasGivenUp();
    void namesTheCause();
    void namesTheCauseOfManyAgents();
    void refusesCycles();
    void replacesDependencies();
    void keepsAnAgentThatRuns();
    void agentIsAddedLater();
    void agentIsRemoved();
    void killAllDoesNotWait();
    void stopHasTheReason();
    void changedDependenciesFreeAPendingStop();
    void destructionLiftsHolds();
    void destructionFinishesStops();

private:
    void check();
};

namespace {

// "started +2s ready": the script of an agent, "!" before it stops in three seconds instead of at
// once, "?" ignores stop(), and "%" also kill().
AgentScript scriptOf(QString text)
{
    AgentScript script;
    if (text.startsWith(u'!'))
        script.onStop = QStringLiteral("+3s stopped");
    else if (text.startsWith(u'?') || text.startsWith(u'%'))
        script.onStop.clear();
    if (text.startsWith(u'%'))
        script.onKill.clear();
    if (!text.at(0).isLetter())
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

Rows<QString, QString, QString, QString> addColumns()
{
    return Rows<QString, QString, QString, QString>("agents", "edges", "script", "log");
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
    const auto row = addColumns();
    row("until ready", twoAgents, "api:db", "startAll +2s",
        "api.held:dependency db.START db.started 2s db.ready api.START api.started api.ready");
    row("until started", twoAgents, "api:db/started", "startAll",
        "api.held:dependency db.START db.started api.START api.started api.ready");
    row("until stable", twoAgents, "api:db/stable", "startAll +12s",
        "api.held:dependency db.START db.started 2s db.ready 12s db.stable api.START api.started api.ready");
    row("until completed", "job=started +5s stopped; api=started ready", "api:job/completed", "startAll +5s",
        "api.held:dependency job.START job.started 5s job.stopped api.START api.started api.ready");
    row("F1bonacc1/process-compose#274: a failed job is not completed", "job=started fail|started stopped; api=started ready", "api:job/completed", "startAll +1s",
        "api.held:dependency job.START job.started job.failed job.scheduled#1 1s job.attempt#1 job.START job.started job.cancelled#1 job.stopped api.START api.started api.ready");
    row("in any order of the agents", "api=started ready; db=started +2s ready", "api:db", "startAll +2s",
        "api.held:dependency db.START db.started 2s db.ready api.START api.started api.ready");
    row("a chain", "web=started ready; api=started +1s ready; db=started +2s ready", "web:api api:db", "startAll +3s",
        "web.held:dependency api.held:dependency db.START db.started 2s db.ready api.START api.started 3s api.ready web.START web.started web.ready");
    row("two dependencies", "db=started +2s ready; cache=started +4s ready; api=started ready", "api:db,cache", "startAll +4s",
        "api.held:dependency db.START db.started cache.START cache.started 2s db.ready 4s cache.ready api.START api.started api.ready");
    row("an operator's start of one starts what it depends on", "api=started ready; db=started ready; job=started stopped", "api:db db:job/completed", "start:api",
        "api.held:dependency db.held:dependency job.START job.started job.stopped db.START db.started db.ready api.START api.started api.ready");
    row("what is completed is not started again", "job=started stopped; api=started ready", "api:job/completed", "start:job start:api",
        "job.START job.started job.stopped api.START api.started api.ready");
    row("F1bonacc1/process-compose#400: a dependency that has given up holds the start back until it returns", "db=fail:127|started ready; api=started ready", "api:db", "startAll start:db",
        "api.held:dependency db.START db.failed db.declined:PermanentFailure db.START db.started db.ready api.START api.started api.ready");
    row("F1bonacc1/process-compose#544: a dip is no reason to skip a start", "db=started ready +1s fail|started ready; api=started +1s fail|started ready", "api:db", "startAll +3s",
        "api.held:dependency db.START db.started db.ready api.START api.started 1s db.failed db.scheduled#1 api.failed api.scheduled#1 2s api.held:dependency db.attempt#1 db.START db.started db.ready db.succeeded#1 api.attempt#1 api.START api.started api.ready api.succeeded#1");
    row("vstorm-co/agenticos#1831: ready of an earlier start does not count", "db=started ready +1s fail|started +9s ready; api=started +1s fail|started ready", "api:db", "startAll +12s",
        "api.held:dependency db.START db.started db.ready api.START api.started 1s db.failed db.scheduled#1 api.failed api.scheduled#1 2s api.held:dependency db.attempt#1 db.START db.started 11s db.ready db.succeeded#1 api.attempt#1 api.START api.started api.ready api.succeeded#1");
    row("F1bonacc1/process-compose#530, docker/compose#12098: a restart waits like a start, and starts one copy", twoAgents, "api:db", "startAll restart:api start:api +2s",
        "api.held:dependency db.START db.started api.requested api.held:dependency api.held:dependency 2s db.ready api.START api.started api.ready");
    row("an operator's start starts a dependency that has given up until it rearms", "db=started fail|started fail|started ready; api=started ready", "api:db", "policy:'maxRetries':1,'rearmAfter':'1h' start:db +1s start:api",
        "db.START db.started db.failed db.scheduled#1 1s db.attempt#1 db.START db.started db.failed db.unsuccessful#1- db.exhausted#1 api.held:dependency db.START db.started db.ready api.START api.started api.ready");
    row("an operator's start starts a dependency that is stopping", "db=!started ready; api=started ready", "api:db", "start:db stop:db start:api +3s",
        "db.START db.started db.ready db.STOP api.held:dependency 3s db.stopped db.START db.started db.ready api.START api.started api.ready");
    row("a stop of a held agent", twoAgents, "api:db", "startAll stop:api +2s",
        "api.held:dependency db.START db.started 2s db.ready");
}

void AgentDependenciesTest::starts() { check(); }

void AgentDependenciesTest::goesDown_data()
{
    const auto row = addColumns();
    row("keep", "db=started ready +1s fail|started +9s ready; api=started ready", "api:db", "startAll +20s",
        "api.held:dependency db.START db.started db.ready api.START api.started api.ready 1s db.failed db.scheduled#1 2s db.attempt#1 db.START db.started 10s api.stable 11s db.ready db.succeeded#1");
    row("stop, but not a start that waits for another dependency", "n=started +15s ready; x=started ready +1s fail|started +9s ready; api=started ready", "api:n,x/ready/stop", "startAll +16s",
        "api.held:dependency n.START n.started x.START x.started x.ready 1s x.failed x.scheduled#1 2s x.attempt#1 x.START x.started 11s x.ready x.succeeded#1 15s n.ready api.START api.started api.ready");
    row("a dip within the grace time", "db=started ready +1s fail|started ready; api=started ready", "api:db/ready/restart", "startAll +20s",
        "api.held:dependency db.START db.started db.ready api.START api.started api.ready 1s db.failed db.scheduled#1 2s db.attempt#1 db.START db.started db.ready db.succeeded#1 10s api.stable 12s db.stable");
    row("restart; systemd/systemd#7136: dependents come back", "db=started ready +1s fail|started +9s ready; api=started ready", "api:db/ready/restart", "startAll +20s",
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
    row("an operator starts an agent within the grace time", "db=started ready|started +9s ready; api=started ready", "api:db/ready/stop", "startAll stop:api stop:db +1s start:api +9s",
        "api.held:dependency db.START db.started db.ready api.START api.started api.ready api.STOP api.stopped db.STOP db.stopped 1s api.held:dependency db.START db.started 10s db.ready api.START api.started api.ready");
    row("an operator restarts an agent within the grace time", "db=started ready|started +9s ready; api=started ready", "api:db/ready/stop", "startAll stop:db +1s restart:api +9s",
        "api.held:dependency db.START db.started db.ready api.START api.started api.ready db.STOP db.stopped 1s api.requested api.STOP api.stopped api.held:dependency db.START db.started 10s db.ready api.START api.started api.ready");
    row("a command that starts nothing does not end the grace time", "db=started ready +1s fail|started +9s ready; api=started ready", "api:db/ready/stop", "startAll +2s startAll +1s",
        "api.held:dependency db.START db.started db.ready api.START api.started api.ready 1s db.failed db.scheduled#1 2s db.attempt#1 db.START db.started 3s api.STOP api.stopped");
    row("a start that is still held is not canceled", "a=started ready; b=started|started ready; c=started ready", "b:a/ready/restart c:b/ready/stop", "startAll stop:a +9s start:a",
        "b.held:dependency c.held:dependency a.START a.started a.ready b.START b.started a.STOP a.stopped 2s b.STOP b.stopped b.held:dependency 9s a.START a.started a.ready b.START b.started b.ready c.START c.started c.ready");
    row("a dependent that is stuck is not waited for", "db=started ready; web=started ready; api=%started ready", "web:db/ready/restart api:web/ready/restart", "startAll stop:api +1m stop:db +2s",
        "web.held:dependency api.held:dependency db.START db.started db.ready web.START web.started web.ready api.START api.started api.ready api.STOP 10s db.stable web.stable api.KILL 20s api.STUCK 1m db.STOP db.stopped 62s web.STOP web.stopped web.held:dependency");
    row("an operator starts an agent that is to be stopped", "db=started ready; api=started ready; web=!started ready", "api:db/ready/stop web:api/ready/stop", "startAll stop:db +3s start:api +9s",
        "api.held:dependency web.held:dependency db.START db.started db.ready api.START api.started api.ready web.START web.started web.ready db.STOP db.stopped 2s web.STOP 3s db.START db.started db.ready 5s web.stopped 10s api.stable");
}

void AgentDependenciesTest::goesDown() { check(); }

void AgentDependenciesTest::stopsAll_data()
{
    const auto row = addColumns();
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
    row("a dependency that is lost meanwhile restarts nothing", "db=started ready; api=started ready; web=!started ready", "api:db/ready/restart web:api", "startAll stop:db +1s stopAll +3s",
        "api.held:dependency web.held:dependency db.START db.started db.ready api.START api.started api.ready web.START web.started web.ready db.STOP db.stopped 1s web.STOP 4s web.stopped api.STOP api.stopped ALLSTOPPED");
    row("an agent that must be killed", "db=started ready; api=?started ready", "api:db", "startAll stopAll +2m",
        "api.held:dependency db.START db.started db.ready api.START api.started api.ready api.STOP 10s db.stable api.KILL api.stopped db.STOP db.stopped 2m ALLSTOPPED");
    row("an agent that does not run keeps its place in the order", "db=started ready; job=started stopped; api=!started ready", "job:db api:job/completed", "startAll stopAll +3s",
        "job.held:dependency api.held:dependency db.START db.started db.ready job.START job.started job.stopped api.START api.started api.ready api.STOP 3s api.stopped db.STOP db.stopped ALLSTOPPED");
    row("an agent that is stuck is not waited for", "db=started ready; web=%started ready", "web:db", "startAll stop:web +1m stopAll",
        "web.held:dependency db.START db.started db.ready web.START web.started web.ready web.STOP 10s db.stable web.KILL 20s web.STUCK 1m db.STOP db.stopped ALLSTOPPED");
    row("a stop is not replaced by a restart", "db=started ready +500ms fail; web=started ready; api=!started ready", "web:db/ready/restart api:web", "startAll stopAll +3s",
        "web.held:dependency api.held:dependency db.START db.started db.ready web.START web.started web.ready api.START api.started api.ready api.STOP 500ms db.failed db.scheduled#1 db.cancelled#1 3s api.stopped web.STOP web.stopped ALLSTOPPED");
    row("a dependency that waits for its restart is not started", "db=started ready +1s fail|started ready; web=!started ready", "web:db", "startAll +1s stopAll +3s",
        "web.held:dependency db.START db.started db.ready web.START web.started web.ready 1s db.failed db.scheduled#1 db.cancelled#1 web.STOP 4s web.stopped ALLSTOPPED");
    row("a dependency that fails meanwhile is not restarted", "db=started ready +1s fail|started ready; web=!started ready", "web:db", "startAll stopAll +3s",
        "web.held:dependency db.START db.started db.ready web.START web.started web.ready web.STOP 1s db.failed db.scheduled#1 db.cancelled#1 3s web.stopped ALLSTOPPED");
}

void AgentDependenciesTest::stopsAll() { check(); }
// clang-format on

// Not even one that an operator has stopped.
void AgentDependenciesTest::hostStartsNoDependency()
{
    Scene scene(QStringLiteral("db=started ready; api=started ready"), QStringLiteral("api:db"));
    AgentSupervisor &supervisor = scene.stage.supervisor;
    const QUuid api = supervisor.idOf(QStringLiteral("api"));
    scene.stage.play(QStringLiteral("startAll stop:db"));
    supervisor.restart(api, QStringLiteral("configuration"), true);
    scene.stage.play(QStringLiteral("+1s stop:api"));
    supervisor.start(api, true);
    scene.stage.play(QStringLiteral("+1s"));
    QCOMPARE(scene.stage.log.text().section(QStringLiteral("db.STOP "), 1),
             QStringLiteral("db.stopped api.requested api.STOP api.stopped api.held:dependency 1s "
                            "api.held:dependency"));
    scene.stage.play(QStringLiteral("start:api"));
    QVERIFY(scene.stage.log.text().endsWith(QLatin1String("api.ready")));
}

// The next host resumes db from its memory, and starts api, of which nothing is stored.
void AgentDependenciesTest::hostContinuesADependencyThatHasGivenUp()
{
    const QString agents = QStringLiteral("db=fail; api=started ready");
    Scene before(agents, QStringLiteral("api:db"));
    before.stage.play(QStringLiteral("policy:'maxRetries':0 startAll"));
    const auto memory = before.stage.supervisor.policyEvaluator().memory(before.stage.first());
    QVERIFY(memory && memory->state == InstanceState::Exhausted);

    for (const bool isDatabaseFirst : {true, false}) {
        Scene scene(agents, QStringLiteral("api:db"));
        scene.stage.play(QStringLiteral("policy:'maxRetries':0"));
        AgentSupervisor &supervisor = scene.stage.supervisor;
        if (isDatabaseFirst)
            supervisor.resume(scene.stage.first(), *memory);
        supervisor.start(supervisor.idOf(QStringLiteral("api")), true);
        if (!isDatabaseFirst)
            supervisor.resume(scene.stage.first(), *memory);
        scene.stage.play(QStringLiteral("+1s"));
        QCOMPARE(scene.stage.log.text(), QStringLiteral("api.held:dependency"));
        QCOMPARE(scene.stage.state(), InstanceState::Exhausted);
    }
}

void AgentDependenciesTest::namesTheCause()
{
    Scene scene(QStringLiteral("db=started +2s ready; job=started +9s stopped; api=started ready"),
                QStringLiteral("api:db,job/completed,gone"));
    const auto texts = [&] {
        const AgentSupervisor &supervisor = scene.stage.supervisor;
        return toTexts(supervisor.snapshot(supervisor.idOf(QStringLiteral("api")))->holdCauses);
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

// Each text names direct dependencies only: with indirect ones, the time would double
// with each agent.
void AgentDependenciesTest::namesTheCauseOfManyAgents()
{
    QStringList agents(QStringLiteral("a0=started"));
    QStringList edges;
    QStringList earlier;
    for (int i = 1; i < 40; ++i) {
        earlier.append(QStringLiteral("a%1").arg(i - 1));
        agents.append(QStringLiteral("a%1=started ready").arg(i));
        edges.append(QStringLiteral("a%1:").arg(i) + earlier.join(u','));
    }
    Scene scene(agents.join(QLatin1String("; ")), edges.join(u' '));
    scene.stage.play(QStringLiteral("startAll"));
    const AgentSupervisor &supervisor = scene.stage.supervisor;
    const QStringList texts =
        toTexts(supervisor.snapshot(supervisor.idOf(QStringLiteral("a39")))->holdCauses);
    QVERIFY(texts.value(0).startsWith(QLatin1String("dependency a0 (Starting), a1 (Waiting), ")));
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

void AgentDependenciesTest::stopHasTheReason()
{
    Scene scene(QStringLiteral("db=started ready +1s stopped|started ready; api=started ready; "
                               "web=started ready|started ready +1s stopped"),
                QStringLiteral("api:db/ready/stop web:api/ready/stop"));
    const RestartPolicyEvaluator &evaluator = scene.stage.supervisor.policyEvaluator();
    QStringList reasons;
    connect(&evaluator, &RestartPolicyEvaluator::agentStopped, this,
            [&reasons](const AgentStopped &event) {
                reasons.append(event.agent + u':' + event.reason);
            });
    const auto reasonOf = [&](const char *agent) {
        return scene.stage.supervisor.snapshot(scene.stage.supervisor.idOf(QLatin1String(agent)))
            ->stopReason;
    };
    scene.stage.play(QStringLiteral("startAll +9s"));
    const QString cause = QStringLiteral("dependency db (Stopped) is down");
    QCOMPARE(reasons,
             QStringList({QStringLiteral("db:finished"), QLatin1String("web:") + cause,
                          QLatin1String("api:") + cause}));
    QCOMPARE(reasonOf("db"), QStringLiteral("finished"));
    QCOMPARE(reasonOf("api"), cause);
    QCOMPARE(reasonOf("web"), cause);
    // Of an earlier start, and of another kind of stop.
    reasons.clear();
    scene.stage.play(QStringLiteral("start:web +9s"));
    QCOMPARE(reasons, QStringList(QStringLiteral("web:finished")));
    QCOMPARE(reasonOf("web"), QStringLiteral("finished"));
    QCOMPARE(reasonOf("api"), QString());
    scene.stage.play(QStringLiteral("stop:web +1s")); // it does not run
    QCOMPARE(reasonOf("web"), QStringLiteral("finished"));
    scene.stage.play(QStringLiteral("stop:api +1s"));
    QCOMPARE(reasonOf("api"), QString());
}

void AgentDependenciesTest::changedDependenciesFreeAPendingStop()
{
    Scene scene(QStringLiteral("db=started ready; api=!started ready"), QStringLiteral("api:db"));
    scene.stage.play(QStringLiteral("startAll stopAll"));
    QVERIFY(scene.stage.log.text().endsWith(QLatin1String("api.STOP")));
    QVERIFY(scene.dependencies.setDependencies(QStringLiteral("api"), {}).isEmpty());
    scene.stage.play(QStringLiteral("+3s"));
    QVERIFY(scene.stage.log.text().endsWith(
        QLatin1String("api.STOP db.STOP db.stopped 3s api.stopped ALLSTOPPED")));
}

void AgentDependenciesTest::destructionLiftsHolds()
{
    Stage stage;
    stage.log.showNames();
    stage.add(QStringLiteral("api"), {});
    auto dependencies = std::make_unique<AgentDependencies>(stage.supervisor);
    depend(*dependencies, QStringLiteral("api:db"));
    stage.play(QStringLiteral("startAll"));
    dependencies.reset();
    stage.play(QStringLiteral("+1s"));
    QCOMPARE(stage.log.text(),
             QStringLiteral("api.held:dependency api.START api.started api.ready"));
}

void AgentDependenciesTest::destructionFinishesStops()
{
    Stage stage;
    stage.log.showNames();
    stage.add(QStringLiteral("db"), {});
    stage.add(QStringLiteral("api"), scriptOf(QStringLiteral("!started ready")));
    auto dependencies = std::make_unique<AgentDependencies>(stage.supervisor);
    depend(*dependencies, QStringLiteral("api:db"));
    stage.play(QStringLiteral("startAll stopAll"));
    dependencies.reset();
    stage.play(QStringLiteral("+3s"));
    QVERIFY(stage.log.text().endsWith(
        QLatin1String("api.STOP db.STOP db.stopped 3s api.stopped ALLSTOPPED")));
}

REKINDLE_TEST(AgentDependenciesTest)
#include "agentdependenciestest.moc"
