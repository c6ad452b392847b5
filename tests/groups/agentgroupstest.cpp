// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "eventlog.h"
#include "groupscene.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;

// Groups of agents, with the engine in virtual time.
class AgentGroupsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void starts_data();
    void starts();
    void restarts_data();
    void restarts();
    void givesUp_data();
    void givesUp();
    void nested_data();
    void nested();
    void operators_data();
    void operators();
    void shutsDown_data();
    void shutsDown();
    void stopsAll_data();
    void stopsAll();
    void traps_data();
    void traps();
    void namesTheCause();
    void announcesEvents_data();
    void announcesEvents();
    void rejectsFaults();
    void replacesGroups();
    void continuesWithOtherMembers_data();
    void continuesWithOtherMembers();
    void keepsPlannedStarts();
    void adoptsRunningAgents();
    void agentsAreAddedAndRemoved();
    void slotReplacesGroups();
    void slotDeletesGroups();
    void beginsAgainAfterStopAll();
    void startsAgainAfterStopOfAnInnerGroup();
    void stopOfAnInnerGroupEndsNoOuterGroup();
    void memberThatAnEarlierHostHasGivenUpIsNoFailure();
    void restoresFailuresOfAGroupThatHasGivenUp();
    void waitsForAMemberThatADependencyRestarts();
    void heldMemberLosesItsTurn_data();
    void heldMemberLosesItsTurn();
    void startsNoMemberOfAnInnerGroupWhileTheOuterOneStops();
    void stopsAStartThatIsHeld();

private:
    static void check();
};

namespace {

const QString three =
    QStringLiteral("a=started +1s ready; b=started +1s ready; c=started +1s ready");

// The second agent fails once, three seconds after it was ready.
const QString secondFails =
    QStringLiteral("a=started ready; b=started ready +3s fail|started ready; c=started ready");

Rows<QString, QString, QString, QString> addGroupColumns()
{
    return Rows<QString, QString, QString, QString>("agents", "groups", "script", "log");
}

} // namespace

void AgentGroupsTest::check()
{
    QFETCH(QString, agents);
    QFETCH(QString, groups);
    QFETCH(QString, script);
    QFETCH(QString, log);
    GroupScene scene(agents, groups);
    scene.stage.play(script);
    QCOMPARE(scene.log(), log);
}

// clang-format off
void AgentGroupsTest::starts_data()
{
    const auto row = addGroupColumns();
    row("in order", three, "g:a,b,c", "startAll +3s",
        "g.Starting a.START 1s b.START 2s c.START 3s g.Running");
    row("in the order of the members, not of the agents", three, "g:c,a,b", "startAll +3s",
        "g.Starting c.START 1s a.START 2s b.START 3s g.Running");
    row("without a member that was not started", three, "g:a,b,c", "start:a&start:c +3s",
        "g.Starting a.START 1s c.START 2s g.Running");
    row("a member that was started later", three, "g:a,b,c", "start:a&start:c +3s start:b +1s",
        "g.Starting a.START 1s c.START 2s g.Running 3s b.START");
    row("a member fails before it is ready: its own policy retries it", "a=started fail|started +1s ready; b=started ready", "oneForAll g:a,b", "startAll +3s",
        "g.Starting a.START a.FAILED 1s a.START 2s b.START g.Running");
    row("a job that ends is no obstacle", "a=started +1s stopped; b=started ready", "g:a,b", "startAll +1s",
        "g.Starting a.START 1s b.START g.Running");
    row("all members are jobs", "a=started +1s stopped; b=started +1s stopped", "g:a,b", "startAll +2s",
        "g.Starting a.START 1s b.START 2s g.Stopped");
    row("an unknown member", "a=started ready; b=started ready", "g:a,x,b", "startAll",
        "g.Starting a.START b.START g.Running");
    row("agents outside of groups do not wait", three, "g:b,c", "startAll +2s",
        "g.Starting a.START b.START 1s c.START 2s g.Running");
}

void AgentGroupsTest::restarts_data()
{
    const auto row = addGroupColumns();
    row("oneForOne", secondFails, "oneForOne g:a,b,c", "startAll +4s",
        "g.Starting a.START b.START c.START g.Running 3s b.FAILED g!b 4s b.START");
    row("oneForAll", secondFails, "oneForAll g:a,b,c", "startAll +4s",
        "g.Starting a.START b.START c.START g.Running 3s b.FAILED g!b g.StoppingMembers c.STOP a.STOP g.StartingMembers 4s a.START b.START c.START g.Running");
    row("restForOne", secondFails, "restForOne g:a,b,c", "startAll +4s",
        "g.Starting a.START b.START c.START g.Running 3s b.FAILED g!b g.StoppingMembers c.STOP g.StartingMembers 4s b.START c.START g.Running");
    row("restForOne, the first", "a=started ready +3s fail|started ready; b=started ready; c=started ready", "restForOne g:a,b,c", "startAll +4s",
        "g.Starting a.START b.START c.START g.Running 3s a.FAILED g!a g.StoppingMembers c.STOP b.STOP g.StartingMembers 4s a.START b.START c.START g.Running");
    row("restForOne, the last", "a=started ready; b=started ready; c=started ready +3s fail|started ready", "restForOne g:a,b,c", "startAll +4s",
        "g.Starting a.START b.START c.START g.Running 3s c.FAILED g!c g.StartingMembers 4s c.START g.Running");
    row("each stop waits for the one before it", "a=!started ready; b=started ready +3s fail|started ready; c=!started ready", "oneForAll g:a,b,c", "startAll +9s",
        "g.Starting a.START b.START c.START g.Running 3s b.FAILED g!b g.StoppingMembers c.STOP 6s a.STOP 9s g.StartingMembers a.START b.START c.START g.Running");
    row("the start waits for the delay of the failed member", "a=started ready; b=started ready +3s fail|started ready", "oneForAll g:a,b", "startAll +3s +999ms +1ms",
        "g.Starting a.START b.START g.Running 3s b.FAILED g!b g.StoppingMembers a.STOP g.StartingMembers 4s a.START b.START g.Running");
    row("another failure meanwhile belongs to the incident", "a=started ready +4s fail|started ready; b=started ready +3s fail|started ready; c=!started ready", "oneForAll g:a,b,c", "startAll +6s",
        "g.Starting a.START b.START c.START g.Running 3s b.FAILED g!b g.StoppingMembers c.STOP 4s a.COLLATERAL 6s g.StartingMembers a.START b.START c.START g.Running");
    row("a clean exit meanwhile, too", "a=started ready +4s stopped|started ready; b=started ready +3s fail|started ready; c=!started ready", "oneForAll g:a,b,c", "startAll +6s",
        "g.Starting a.START b.START c.START g.Running 3s b.FAILED g!b g.StoppingMembers c.STOP 6s g.StartingMembers a.START b.START c.START g.Running");
    row("a job that has ended is started again", "a=started stopped|started ready; b=started ready +3s fail|started ready", "oneForAll g:a,b", "startAll +4s",
        "g.Starting a.START b.START g.Running 3s b.FAILED g!b g.StartingMembers 4s a.START b.START g.Running");
    row("a second failure during the restart", "a=started ready; b=started ready +3s fail|started fail|started ready", "oneForAll g:a,b", "startAll +6s",
        "g.Starting a.START b.START g.Running 3s b.FAILED g!b g.StoppingMembers a.STOP g.StartingMembers 4s a.START b.START b.FAILED g!b g.StoppingMembers a.STOP g.StartingMembers 6s a.START b.START g.Running");
    row("restForOne, a second failure during the restart restarts only those after it", "a=started ready +3s fail|started ready; b=started ready|started ready +1s fail|started ready; c=started ready|started +2s ready|started ready", "restForOne g:a,b,c", "startAll +6s",
        "g.Starting a.START b.START c.START g.Running 3s a.FAILED g!a g.StoppingMembers c.STOP b.STOP g.StartingMembers 4s a.START b.START c.START 5s b.FAILED g!b g.StoppingMembers c.STOP g.StartingMembers 6s b.START c.START g.Running");
    row("an earlier member fails while later ones are stopped", "a=started ready +4s fail|started ready; b=started ready +3s fail|started ready; c=!started ready", "restForOne g:a,b,c", "startAll +6s",
        "g.Starting a.START b.START c.START g.Running 3s b.FAILED g!b g.StoppingMembers c.STOP 4s a.FAILED g!a 6s g.StartingMembers a.START b.START c.START g.Running");
    row("a requested restart counts as no failure", "a=started ready; b=started ready +3s exit42|started ready", "oneForAll 0/1m g:a,b", "startAll +4s",
        "g.Starting a.START b.START g.Running 3s g.StoppingMembers a.STOP g.StartingMembers a.START b.START g.Running");
    row("two failures within the period, three are tolerated", "a=started ready +3s fail", "2/1m g:a", "startAll +30s",
        "g.Starting a.START g.Running 3s a.FAILED g!a 4s a.START 7s a.FAILED g!a 9s a.START 12s a.FAILED g.EXHAUSTED:a g.Stopping g.Exhausted");
    row("failures of the past do not count", "a=started ready +3s fail|started ready +50s fail|started ready +50s fail|started ready", "1/1m g:a", "startAll +2m",
        "g.Starting a.START g.Running 3s a.FAILED g!a 4s a.START 54s a.FAILED g.EXHAUSTED:a g.Stopping g.Exhausted");
}

void AgentGroupsTest::givesUp_data()
{
    const auto row = addGroupColumns();
    const QString permanent = QStringLiteral("a=started ready; b=started ready; c=permanent");
    row("escalate", permanent, "g:a,b,c", "startAll",
        "g.Starting a.START b.START c.START c.FAILED g.EXHAUSTED:c g.Stopping b.STOP a.STOP g.Exhausted");
    row("stop", permanent, "giveUp=stop g:a,b,c", "startAll",
        "g.Starting a.START b.START c.START c.FAILED g.Stopping b.STOP a.STOP g.Stopped");
    row("keep", permanent, "giveUp=keep g:a,b,c", "startAll",
        "g.Starting a.START b.START c.START c.FAILED g.Running");
    row("the budget is used up", "a=started ready; b=started ready +3s fail", "oneForAll 0/1m g:a,b", "startAll +1m",
        "g.Starting a.START b.START g.Running 3s b.FAILED g.EXHAUSTED:b g.Stopping a.STOP g.Exhausted");
    row("an operator begins the group again", "a=started ready; b=started ready +3s fail|started ready", "oneForAll 0/1m g:a,b", "startAll +1m startAll",
        "g.Starting a.START b.START g.Running 3s b.FAILED g.EXHAUSTED:b g.Stopping a.STOP g.Exhausted 1m g.Starting a.START b.START g.Running");
    row("an operator starts one member again", "a=started ready; b=started ready +3s fail|started ready", "oneForAll 0/1m g:a,b", "startAll +1m start:b",
        "g.Starting a.START b.START g.Running 3s b.FAILED g.EXHAUSTED:b g.Stopping a.STOP g.Exhausted 1m g.Starting b.START g.Running");
    row("it begins again by itself", "a=started ready; b=started ready +3s fail|started ready", "oneForAll 0/1m rearm=10s g:a,b", "startAll +13s",
        "g.Starting a.START b.START g.Running 3s b.FAILED g.EXHAUSTED:b g.Stopping a.STOP g.Exhausted 13s g.Starting a.START b.START g.Running");
    row("a member that is started while the others are stopped", "a=!started ready; b=started ready +3s fail|started ready", "oneForAll 0/1m g:a,b", "startAll +4s start:b +2s",
        "g.Starting a.START b.START g.Running 3s b.FAILED g.EXHAUSTED:b g.Stopping a.STOP 6s g.Starting b.START g.Running");
    row("a member that does not exit is killed", "a=?started ready; b=started ready +3s fail", "oneForAll 0/1m g:a,b", "startAll +1m",
        "g.Starting a.START b.START g.Running 3s b.FAILED g.EXHAUSTED:b g.Stopping a.STOP 8s a.KILL g.Exhausted");
}

void AgentGroupsTest::nested_data()
{
    const auto row = addGroupColumns();
    row("in order", three, "outer:a,[inner],c inner:b", "startAll +3s",
        "outer.Starting inner.Starting a.START 1s b.START 2s inner.Running c.START 3s outer.Running");
    row("a failure within the inner group", secondFails, "oneForAll outer:a,[inner],c inner:b", "startAll +4s",
        "outer.Starting inner.Starting a.START b.START inner.Running c.START outer.Running 3s b.FAILED inner!b 4s b.START");
    row("the inner group gives up: the outer one restarts it", secondFails, "oneForAll outer:a,[inner],c 0/1m inner:b", "startAll +4s",
        "outer.Starting inner.Starting a.START b.START inner.Running c.START outer.Running 3s b.FAILED inner.EXHAUSTED:b inner.Stopping inner.Exhausted outer!inner outer.StoppingMembers c.STOP a.STOP outer.StartingMembers a.START inner.Starting b.START inner.Running c.START outer.Running");
    row("the same with oneForOne", secondFails, "outer:a,[inner],c 0/1m inner:b", "startAll +4s",
        "outer.Starting inner.Starting a.START b.START inner.Running c.START outer.Running 3s b.FAILED inner.EXHAUSTED:b inner.Stopping inner.Exhausted outer!inner inner.Starting b.START inner.Running");
    row("all members of the inner group start again", "a=started ready +3s fail|started ready; b=started ready; c=started ready", "outer:[inner] 0/1m inner:a,b,c", "startAll +4s",
        "inner.Starting outer.Starting a.START b.START c.START inner.Running outer.Running 3s a.FAILED inner.EXHAUSTED:a inner.Stopping c.STOP b.STOP inner.Exhausted outer!inner inner.Starting a.START b.START c.START inner.Running");
    row("both give up", secondFails, "0/1m outer:a,[inner],c 0/1m inner:b", "startAll +4s",
        "outer.Starting inner.Starting a.START b.START inner.Running c.START outer.Running 3s b.FAILED inner.EXHAUSTED:b inner.Stopping inner.Exhausted outer.EXHAUSTED:inner outer.Stopping c.STOP a.STOP outer.Exhausted");
    row("the inner group is restarted with the outer one", "a=started ready +3s fail|started ready; b=started ready; c=started ready", "oneForAll outer:a,[inner] inner:b,c", "startAll +4s",
        "outer.Starting inner.Starting a.START b.START c.START inner.Running outer.Running 3s a.FAILED outer!a outer.StoppingMembers inner.Stopping c.STOP b.STOP inner.Stopped outer.StartingMembers 4s a.START inner.Starting b.START c.START inner.Running outer.Running");
    row("the outer group gives up", "a=started ready +3s fail|started ready; b=started ready; c=started ready", "0/1m outer:a,[inner] inner:b,c", "startAll +1m startAll",
        "outer.Starting inner.Starting a.START b.START c.START inner.Running outer.Running 3s a.FAILED outer.EXHAUSTED:a outer.Stopping inner.Stopping c.STOP b.STOP inner.Exhausted outer.Exhausted 1m outer.Starting inner.Starting a.START b.START c.START inner.Running outer.Running");
    row("three levels", three, "one:[two],c two:[three] three:a,b", "startAll +3s",
        "three.Starting two.Starting one.Starting a.START 1s b.START 2s three.Running two.Running c.START 3s one.Running");
}

void AgentGroupsTest::operators_data()
{
    const auto row = addGroupColumns();
    row("a stopped member is skipped", secondFails, "oneForAll g:a,b,c", "startAll stop:a +4s",
        "g.Starting a.START b.START c.START g.Running a.STOP 3s b.FAILED g!b g.StoppingMembers c.STOP g.StartingMembers 4s b.START c.START g.Running");
    row("stop of the member that has failed: the others start", secondFails, "oneForAll g:a,b,c", "startAll +3s stop:b",
        "g.Starting a.START b.START c.START g.Running 3s b.FAILED g!b g.StoppingMembers c.STOP a.STOP g.StartingMembers a.START c.START g.Running");
    row("start of the member that has failed: without its delay", secondFails, "oneForAll g:a,b,c", "startAll +3s start:b",
        "g.Starting a.START b.START c.START g.Running 3s b.FAILED g!b g.StoppingMembers c.STOP a.STOP g.StartingMembers a.START b.START c.START g.Running");
    row("stop of the member that is to start next", three, "g:a,b,c", "startAll +500ms stop:b +2s",
        "g.Starting a.START 1s c.START 2s g.Running");
    row("stop of the member that is starting", three, "g:a,b,c", "startAll +500ms stop:a +2s",
        "g.Starting a.START 500ms a.STOP b.START 1.5s c.START 2.5s g.Running");
    row("restart of a member concerns no other", three, "oneForAll g:a,b,c", "startAll +3s restart:b +1s",
        "g.Starting a.START 1s b.START 2s c.START 3s g.Running b.STOP b.START");
    row("stop of all members", three, "g:a,b", "startAll +2s stop:a stop:b",
        "g.Starting c.START a.START 1s b.START 2s g.Running a.STOP b.STOP g.Stopped");
    row("start while the group stops its members", "a=!started ready; b=started ready +3s fail|started ready; c=!started ready", "oneForAll g:a,b,c", "startAll +4s start:b +5s",
        "g.Starting a.START b.START c.START g.Running 3s b.FAILED g!b g.StoppingMembers c.STOP 6s a.STOP 9s g.StartingMembers a.START b.START c.START g.Running");
    row("stop of a member that the group is stopping", "a=started ready; b=started ready +3s fail|started ready; c=!started ready", "oneForAll g:a,b,c", "startAll +4s stop:c +2s",
        "g.Starting a.START b.START c.START g.Running 3s b.FAILED g!b g.StoppingMembers c.STOP 6s a.STOP g.StartingMembers a.START b.START g.Running");
    row("start of a member before those that are stopped", "a=started ready; b=!started ready; c=started ready +3s fail", "0/1m g:a,b,c", "start:b&start:c +4s start:a +2s",
        "g.Starting b.START c.START g.Running 3s c.FAILED g.EXHAUSTED:c g.Stopping b.STOP 6s g.Starting a.START g.Running");
    row("start while the outer group gives up", "a=started ready +3s fail|started ready; b=!started ready; c=!started ready", "oneForAll 0/1m outer:[inner],a inner:b,c", "startAll +4s start:c +6s",
        "outer.Starting inner.Starting b.START c.START inner.Running a.START outer.Running 3s a.FAILED outer.EXHAUSTED:a outer.Stopping inner.Stopping c.STOP 6s b.STOP 9s inner.Starting outer.Starting c.START inner.Running outer.Running");
    row("an isolated member does not start, and no member after it", secondFails, "oneForAll g:a,b,c", "startAll +3s isolate:b +1h",
        "g.Starting a.START b.START c.START g.Running 3s b.FAILED g!b g.StoppingMembers c.STOP a.STOP g.StartingMembers");
}

void AgentGroupsTest::shutsDown_data()
{
    const auto row = addGroupColumns();
    const QString oneEnds = QStringLiteral("a=started ready; b=started ready +3s stopped; c=started ready +6s stopped");
    row("never", oneEnds, "g:a,b*,c*", "startAll +6s",
        "g.Starting a.START b.START c.START g.Running");
    row("any", oneEnds, "shutdown=anySignificant g:a,b*,c*", "startAll +6s",
        "g.Starting a.START b.START c.START g.Running 3s g.Stopping c.STOP a.STOP g.Stopped");
    row("all", oneEnds, "shutdown=allSignificant g:a,b*,c*", "startAll +6s",
        "g.Starting a.START b.START c.START g.Running 6s g.Stopping a.STOP g.Stopped");
    row("only significant members", oneEnds, "shutdown=anySignificant g:a*,b,c", "startAll +6s",
        "g.Starting a.START b.START c.START g.Running");
    row("a stop by an operator does not count", three, "shutdown=anySignificant g:a,b*,c", "startAll +3s stop:b",
        "g.Starting a.START 1s b.START 2s c.START 3s g.Running b.STOP");
    row("a stop because of another member does not count", secondFails, "shutdown=anySignificant oneForAll g:a,b,c*", "startAll +4s",
        "g.Starting a.START b.START c.START g.Running 3s b.FAILED g!b g.StoppingMembers c.STOP a.STOP g.StartingMembers 4s a.START b.START c.START g.Running");
    row("an inner group", oneEnds, "outer:a,[inner] shutdown=anySignificant inner:b*,c", "startAll +6s",
        "outer.Starting inner.Starting a.START b.START c.START inner.Running outer.Running 3s inner.Stopping c.STOP inner.Stopped");
}

void AgentGroupsTest::stopsAll_data()
{
    const auto row = addGroupColumns();
    const QString slow = QStringLiteral("c=!started ready; a=!started ready; b=!started ready");
    row("in reverse order", slow, "g:a,b,c", "startAll stopAll +9s",
        "g.Starting a.START b.START c.START g.Running c.STOP 3s b.STOP 6s a.STOP 9s ALLSTOPPED");
    row("with nested groups", slow, "outer:a,[inner] inner:b,c", "startAll stopAll +9s",
        "inner.Starting outer.Starting a.START b.START c.START inner.Running outer.Running c.STOP 3s b.STOP 6s a.STOP 9s ALLSTOPPED");
    row("a group that would begin again", "a=started ready +3s fail|started ready; b=!started ready", "0/1m rearm=1s g:a", "startAll +3500ms stopAll +3s +1m",
        "g.Starting b.START a.START g.Running 3s a.FAILED g.EXHAUSTED:a g.Stopping g.Exhausted 3.5s b.STOP 6.5s ALLSTOPPED");
    row("at the time of the start", "a=started ready; b=started ready", "g:a,b", "startAll&stopAll +1m",
        "g.Starting ALLSTOPPED");
    row("a job that would start again is not started", "a=started ready +3s fail; b=started stopped", "oneForAll g:a,b", "startAll +3s stopAll",
        "g.Starting a.START b.START g.Running 3s a.FAILED g!a g.StartingMembers ALLSTOPPED");
    row("during a restart", "a=!started ready; b=started ready +3s fail|started ready; c=!started ready", "oneForAll g:a,b,c", "startAll +4s stopAll +5s",
        "g.Starting a.START b.START c.START g.Running 3s b.FAILED g!b g.StoppingMembers c.STOP 6s a.STOP 9s ALLSTOPPED");
}

// Defects of other supervisors; each row is named after the report.
void AgentGroupsTest::traps_data()
{
    const auto row = addGroupColumns();
    row("F1bonacc1/process-compose#530: a restart of a held agent starts no second copy", three, "g:a,b,c", "startAll restart:b +3s",
        "g.Starting a.START 1s b.START 2s c.START 3s g.Running");
    row("grisp/grisp#3: one failure in coupled children counts once", "a=started ready +4s fail|started ready; b=started ready +3s fail|started ready; c=!started ready", "oneForAll 1/1m g:a,b,c", "startAll +6s",
        "g.Starting a.START b.START c.START g.Running 3s b.FAILED g!b g.StoppingMembers c.STOP 4s a.COLLATERAL 6s g.StartingMembers a.START b.START c.START g.Running");
    row("cardo-org/Visor.jl#5: no sibling keeps running after the group gave up", secondFails, "0/1m g:a,b,c", "startAll +4s",
        "g.Starting a.START b.START c.START g.Running 3s b.FAILED g.EXHAUSTED:b g.Stopping c.STOP a.STOP g.Exhausted");
    row("erlang/otp#4521: a significant child that a sibling's restart stopped ends no group", "a=started ready +3s fail|started ready; b=started ready", "shutdown=anySignificant oneForAll g:a,b*", "startAll +4s",
        "g.Starting a.START b.START g.Running 3s a.FAILED g!a g.StoppingMembers b.STOP g.StartingMembers 4s a.START b.START g.Running");
    row("erlang/otp#1287: a restart begins after all have exited", "a=started ready +3s fail|started ready; b=!started ready", "oneForAll g:a,b", "startAll +6s",
        "g.Starting a.START b.START g.Running 3s a.FAILED g!a g.StoppingMembers b.STOP 6s g.StartingMembers a.START b.START g.Running");
    row("systemd/systemd#1312: members come back without an operator", "a=started ready +3s fail|started +20s ready; b=started ready", "restForOne g:a,b", "startAll +2m",
        "g.Starting a.START b.START g.Running 3s a.FAILED g!a g.StoppingMembers b.STOP g.StartingMembers 4s a.START 24s b.START g.Running");
    row("systemd/systemd#37054: a restart of one restarts no other", three, "g:a,b,c", "startAll +3s restart:a +1s",
        "g.Starting a.START 1s b.START 2s c.START 3s g.Running a.STOP a.START");
}
// clang-format on

void AgentGroupsTest::starts() { check(); }
void AgentGroupsTest::restarts() { check(); }
void AgentGroupsTest::givesUp() { check(); }
void AgentGroupsTest::nested() { check(); }
void AgentGroupsTest::operators() { check(); }
void AgentGroupsTest::shutsDown() { check(); }
void AgentGroupsTest::stopsAll() { check(); }
void AgentGroupsTest::traps() { check(); }

void AgentGroupsTest::namesTheCause()
{
    GroupScene scene(three, QStringLiteral("outer:a,[inner] inner:b,c"));
    scene.stage.play(QStringLiteral("startAll"));
    QCOMPARE(scene.holdTexts("b"), QStringList(QStringLiteral("group inner (its turn to start)")));
    scene.stage.play(QStringLiteral("+1s"));
    QCOMPARE(scene.holdTexts("c"), QStringList(QStringLiteral("group inner (b is not ready)")));
    QCOMPARE(scene.holdTexts("b"), QStringList());

    GroupScene other(secondFails, QStringLiteral("0/1m g:a,b,c"));
    other.stage.play(QStringLiteral("startAll +4s"));
    QCOMPARE(other.holdTexts("c"), QStringList(QStringLiteral("group g (given up)")));
    QCOMPARE(other.snapshot("c").state, InstanceState::Exhausted);
    QVERIFY(!other.groups.hasPendingStart());
    other.stage.play(QStringLiteral("start:b"));
    QCOMPARE(other.groups.state(QStringLiteral("g")), GroupState::Running);
    QCOMPARE(other.holdTexts("c"),
             QStringList(QStringLiteral("group g (not started since it gave up)")));

    GroupScene pausing(secondFails, QStringLiteral("0/1m rearm=10s g:a,b,c"));
    pausing.stage.play(QStringLiteral("startAll +4s"));
    QVERIFY(pausing.groups.hasPendingStart());
    QCOMPARE(pausing.stage.supervisor.group(pausing.stage.supervisor.idOf(QStringLiteral("a"))),
             QStringLiteral("g"));
}

void AgentGroupsTest::announcesEvents_data()
{
    const Rows<QString, QString> row("groups", "events");
    row("one", "oneForOne g:a,b,c", "b.restarts:b");
    row("all", "oneForAll g:a,b,c", "b.restarts:a,b,c");
    row("rest", "restForOne g:a,b,c", "b.restarts:b,c");
    row("nested", "restForOne g:a,[h] oneForAll h:b,c", "b.restarts:b,c");
    row("given up", "0/1m g:a,b,c", "b.exhausts:g");
    row("nested group given up", "oneForAll g:a,[h] 0/1m h:c,b", "b.exhausts:h c.restarts:a,c,b");
    row("both given up", "0/1m g:a,[h] 0/1m h:c,b", "b.exhausts:h c.exhausts:g");
}

void AgentGroupsTest::announcesEvents()
{
    QFETCH(QString, groups);
    QFETCH(QString, events);
    GroupScene scene(secondFails, groups);
    EventLog log(scene.stage.supervisor.policyEvaluator());
    log.showNames();
    scene.stage.play(QStringLiteral("startAll +4s"));
    QStringList found;
    for (const QString &word : log.text().split(u' ')) {
        if (word.contains(QLatin1String(".restarts:"))
            || word.contains(QLatin1String(".exhausts:")))
            found.append(word);
    }
    QCOMPARE(found.join(u' '), events);
}

void AgentGroupsTest::rejectsFaults()
{
    GroupScene scene(three, QStringLiteral("g:a,b"));
    const QStringList faults = scene.groups.setGroups(groupsOf(QStringLiteral("h:[h]")));
    QCOMPARE(faults, QStringList(QStringLiteral("h/members: the group contains itself: h -> h")));
    QVERIFY(scene.groups.state(QStringLiteral("g")));

    QVERIFY(
        scene.dependencies.setDependencies(QStringLiteral("a"), {{.agent = QStringLiteral("c")}})
            .isEmpty());
    const QStringList cycle = scene.groups.setGroups(groupsOf(QStringLiteral("g:a,b,c")));
    QCOMPARE(cycle.size(), 1);
    QVERIFY2(cycle.at(0).contains(QLatin1String("cycle: ")), qPrintable(cycle.at(0)));
    QCOMPARE(scene.groups.groupOf(QStringLiteral("c")), QString());
    QVERIFY(
        !scene.dependencies.setDependencies(QStringLiteral("a"), {{.agent = QStringLiteral("b")}})
             .isEmpty());
}

void AgentGroupsTest::replacesGroups()
{
    GroupScene scene(secondFails, QStringLiteral("oneForAll g:a,b,c"));
    scene.stage.play(QStringLiteral("startAll"));
    scene.clear();
    QVERIFY(scene.groups.setGroups(groupsOf(QStringLiteral("h:c,b"))).isEmpty());
    QCOMPARE(scene.groups.state(QStringLiteral("g")), std::nullopt);
    QCOMPARE(scene.groups.state(QStringLiteral("h")), GroupState::Running);
    scene.stage.play(QStringLiteral("+4s"));
    QCOMPARE(scene.log(), QStringLiteral("3s b.FAILED h!b 4s b.START"));

    // The group keeps its state: the second failure exceeds the new limit.
    QVERIFY(scene.groups.setGroups(groupsOf(QStringLiteral("1/1m h:c,b"))).isEmpty());
    scene.clear();
    scene.stage.play(QStringLiteral("restart:b +1s"));
    QCOMPARE(scene.log(), QStringLiteral("b.STOP b.START"));

    // Without groups, nothing is held anymore.
    QVERIFY(scene.groups.setGroups({}).isEmpty());
    scene.clear();
    scene.stage.play(QStringLiteral("stop:b stop:c start:b"));
    QCOMPARE(scene.log(), QStringLiteral("5s b.STOP c.STOP b.START"));
}

// Groups are replaced after a script, while they start or stop.
void AgentGroupsTest::continuesWithOtherMembers_data()
{
    const Rows<QString, QString, QString, QString, QString> row("agents", "before", "script",
                                                                "after", "log");
    const char *const slowFirst = "a=started +1h ready; b=started ready";
    row("the member that it waits for leaves", slowFirst, "g:a,b", "startAll", "g:b",
        "b.START g.Running");
    row("it waits for a member that joins", slowFirst, "g:b", "startAll", "g:a,b", "");
    const char *const slowStop = "a=started ready; b=!started ready";
    row("stops the others when the next one leaves", slowStop, "g:a,b", "startAll STOP +1s", "g:a",
        "1s a.STOP g.Stopped");
    row("stops the others in a new order", slowStop, "g:a,b", "startAll STOP +1s", "g:b,a",
        "3s a.STOP g.Stopped");
    row("keeps failures", "a=started ready +3s fail|started ready +1s fail", "1/1m g:a",
        "startAll +3s", "1/1m g:c,a",
        "4s a.START 5s a.FAILED g.EXHAUSTED:a g.Stopping g.Exhausted");
    row("leaves the group that stops it", slowStop, "g:[h],a h:b", "startAll STOP +1s", "g:a h:b",
        "1s g.Stopped 3s h.Stopped");
}

void AgentGroupsTest::continuesWithOtherMembers()
{
    QFETCH(QString, agents);
    QFETCH(QString, before);
    QFETCH(QString, script);
    QFETCH(QString, after);
    QFETCH(QString, log);
    GroupScene scene(agents, before);
    const QStringList words = script.split(QStringLiteral(" STOP"));
    scene.stage.play(words.at(0));
    if (words.size() > 1) {
        scene.groups.stop(QStringLiteral("g"));
        scene.stage.play(words.at(1));
    }
    scene.clear();
    QVERIFY(scene.groups.setGroups(groupsOf(after)).isEmpty());
    scene.stage.play(QStringLiteral("+10s"));
    QCOMPARE(scene.log(), log);
}

// A replacement before the pass in which the group starts its first member.
void AgentGroupsTest::keepsPlannedStarts()
{
    GroupScene scene(QStringLiteral("a=started ready; b=started ready"), QStringLiteral("g:a,b"));
    scene.stage.supervisor.startAll();
    QVERIFY(scene.groups.setGroups(groupsOf(QStringLiteral("g:a,b"))).isEmpty());
    scene.stage.play(QStringLiteral("+0s"));
    QCOMPARE(scene.log(), QStringLiteral("g.Starting a.START b.START g.Running"));
}

void AgentGroupsTest::adoptsRunningAgents()
{
    GroupScene scene(secondFails, {});
    scene.stage.play(QStringLiteral("start:b start:c"));
    scene.clear();
    QVERIFY(scene.groups.setGroups(groupsOf(QStringLiteral("oneForAll g:a,b,c"))).isEmpty());
    QCOMPARE(scene.groups.state(QStringLiteral("g")), GroupState::Running);
    scene.stage.play(QStringLiteral("+4s start:a"));
    QCOMPARE(scene.log(),
             QStringLiteral("3s b.FAILED g!b g.StoppingMembers c.STOP g.StartingMembers 4s b.START "
                            "c.START g.Running a.START"));
}

void AgentGroupsTest::agentsAreAddedAndRemoved()
{
    GroupScene scene(QStringLiteral("a=started ready; b=started +1h ready"),
                     QStringLiteral("g:a,b,c"));
    scene.stage.play(QStringLiteral("startAll"));
    scene.add(QStringLiteral("c"), QStringLiteral("started ready"));
    scene.stage.play(QStringLiteral("start:c remove:b"));
    QCOMPARE(scene.log(), QStringLiteral("g.Starting a.START b.START c.START g.Running"));
}

void AgentGroupsTest::slotReplacesGroups()
{
    GroupScene scene(secondFails, QStringLiteral("oneForAll g:a,b,c"));
    scene.stage.play(QStringLiteral("startAll"));
    QObject::connect(&scene.groups, &AgentGroups::groupRestarting, &scene.groups,
                     [&] { (void)scene.groups.setGroups(groupsOf(QStringLiteral("h:c,a"))); });
    scene.clear();
    scene.stage.play(QStringLiteral("+4s"));
    // The slot is called after the whole change of the old group.
    QCOMPARE(scene.log(),
             QStringLiteral("3s b.FAILED g!b g.StoppingMembers c.STOP c.START 4s b.START"));
}

void AgentGroupsTest::slotDeletesGroups()
{
    Stage stage;
    AgentDependencies dependencies(stage.supervisor);
    auto groups = std::make_unique<AgentGroups>(dependencies);
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started ready +3s fail")});
    stage.add(QStringLiteral("b"), {.runs = QStringLiteral("started ready")});
    QVERIFY(groups->setGroups(groupsOf(QStringLiteral("oneForAll g:a,b"))).isEmpty());
    QObject::connect(groups.get(), &AgentGroups::groupRestarting, &stage.supervisor,
                     [&] { groups.reset(); });
    stage.play(QStringLiteral("startAll +1m"));
    QVERIFY(!groups);
    QVERIFY(stage.supervisor.snapshot(stage.supervisor.idOf(QStringLiteral("b")))->startedAt);
}

void AgentGroupsTest::beginsAgainAfterStopAll()
{
    GroupScene scene(three, QStringLiteral("g:a,b,c"));
    scene.stage.play(QStringLiteral("startAll +3s stopAll"));
    scene.clear();
    scene.stage.play(QStringLiteral("startAll +3s"));
    QCOMPARE(scene.log(), QStringLiteral("g.Starting a.START 4s b.START 5s c.START 6s g.Running"));
}

void AgentGroupsTest::startsAgainAfterStopOfAnInnerGroup()
{
    GroupScene scene(QStringLiteral("a=started ready; b=!started ready"),
                     QStringLiteral("outer:a,[inner] inner:b"));
    scene.stage.play(QStringLiteral("startAll"));
    scene.groups.stop(QStringLiteral("inner"));
    scene.clear();
    scene.stage.play(QStringLiteral("+1s start:b +2s"));
    QCOMPARE(scene.log(), QStringLiteral("b.STOP 3s inner.Starting b.START inner.Running"));
}

// A member of the inner group has ended, but the inner group has not.
void AgentGroupsTest::stopOfAnInnerGroupEndsNoOuterGroup()
{
    GroupScene scene(
        QStringLiteral("a=started ready; b=started ready +3s stopped; c=started ready"),
        QStringLiteral("shutdown=anySignificant outer:a,[inner]* inner:b,c"));
    scene.stage.play(QStringLiteral("startAll +3s"));
    scene.clear();
    scene.groups.stop(QStringLiteral("inner"));
    scene.stage.play(QStringLiteral("+1s"));
    QCOMPARE(scene.log(), QStringLiteral("3s inner.Stopping c.STOP inner.Stopped"));
    QCOMPARE(scene.snapshot("a").state, InstanceState::Running);
}

// An operator has started a member of a group that had given up, and the host was killed.
void AgentGroupsTest::memberThatAnEarlierHostHasGivenUpIsNoFailure()
{
    const QString agents = QStringLiteral("a=started ready; b=started ready +3s fail");
    GroupScene before(agents, QStringLiteral("0/1m g:a,b"));
    before.stage.play(QStringLiteral("startAll +4s start:a"));
    QCOMPARE(before.groups.state(QStringLiteral("g")), GroupState::Running);
    GroupScene after(agents, QStringLiteral("0/1m g:a,b"));
    for (const QString &agent : {QStringLiteral("a"), QStringLiteral("b")}) {
        const auto memory =
            before.stage.supervisor.policyEvaluator().memory(before.stage.supervisor.idOf(agent));
        after.stage.supervisor.resume(after.stage.supervisor.idOf(agent), *memory);
    }
    after.stage.play(QStringLiteral("+1s"));
    QCOMPARE(after.groups.state(QStringLiteral("g")), GroupState::Running);
    QCOMPARE(after.snapshot("a").state, InstanceState::Running);
    QCOMPARE(after.snapshot("b").state, InstanceState::Exhausted);
}

void AgentGroupsTest::restoresFailuresOfAGroupThatHasGivenUp()
{
    GroupScene scene(three, QStringLiteral("3/1m g:a,b,c"));
    const Instant now = scene.stage.supervisor.scheduler().now();
    const GroupSnapshot snapshot{.incidents = {now, now, now}, .exhausted = true, .rearmAt = {}};
    scene.groups.restore(QStringLiteral("g"), snapshot);
    QCOMPARE(scene.groups.snapshot(QStringLiteral("g"))->incidents.size(), std::size_t{3});
}

void AgentGroupsTest::waitsForAMemberThatADependencyRestarts()
{
    GroupScene scene(QStringLiteral("x=started ready; a=!started ready; b=started +2s ready; "
                                    "c=started ready"),
                     QStringLiteral("g:a,b,c"));
    QVERIFY(scene.dependencies
                .setDependencies(QStringLiteral("a"),
                                 {{.agent = QStringLiteral("x"),
                                   .onDown = OnDown::Restart,
                                   .downGrace = Duration{0}}})
                .isEmpty());
    scene.stage.play(QStringLiteral("startAll +1s stop:x"));
    QVERIFY(scene.holdTexts("a").contains(QLatin1String("group g (exit of its old process)")));
    scene.stage.play(QStringLiteral("+4s start:x"));
    QCOMPARE(scene.log(),
             QStringLiteral("g.Starting x.START a.START b.START 1s x.STOP a.STOP 5s x.START "
                            "a.START c.START g.Running"));
}

void AgentGroupsTest::heldMemberLosesItsTurn_data()
{
    const Rows<QString> row("groups");
    row("agent", "oneForOne g:a,b");
    row("group", "oneForOne g:a,[h] h:b");
    row("group in a group", "oneForOne g:a,[h] h:[i] i:b");
}

// It has its turn, but waits for another reason when the member before it fails.
void AgentGroupsTest::heldMemberLosesItsTurn()
{
    QFETCH(const QString, groups);
    GroupScene scene(QStringLiteral("a=started ready +1s fail|started +2s ready; b=started ready"),
                     groups);
    RestartPolicyEvaluator &evaluator = scene.stage.supervisor.policyEvaluator();
    const QUuid b = scene.stage.supervisor.idOf(QStringLiteral("b"));
    evaluator.addHolds(b, Hold::Lease);
    scene.stage.play(QStringLiteral("startAll +500ms"));
    QCOMPARE(scene.snapshot("b").holds, Holds(Hold::Lease)); // it has its turn
    scene.stage.play(QStringLiteral("+1s"));
    evaluator.liftHolds(b, Hold::Lease);
    scene.stage.play(QStringLiteral("+2s"));
    QVERIFY(!scene.log().contains(QLatin1String("b.START")));
    QVERIFY2(scene.holdTexts("b").join(u' ').startsWith(QLatin1String("group ")),
             qPrintable(scene.holdTexts("b").join(u' ')));
    scene.stage.play(QStringLiteral("+1s"));
    QVERIFY(scene.log().endsWith(QLatin1String("g.Running")));
    QCOMPARE(scene.snapshot("b").state, InstanceState::Running);
}

void AgentGroupsTest::startsNoMemberOfAnInnerGroupWhileTheOuterOneStops()
{
    GroupScene scene(QStringLiteral("a=started ready +1s fail|started ready; b=started ready; "
                                    "c=!started ready"),
                     QStringLiteral("restForOne outer:a,[inner],c inner:b"));
    RestartPolicyEvaluator &evaluator = scene.stage.supervisor.policyEvaluator();
    const QUuid b = scene.stage.supervisor.idOf(QStringLiteral("b"));
    evaluator.addHolds(b, Hold::Lease);
    scene.stage.play(QStringLiteral("start:a start:c start:b +1s"));
    QVERIFY(scene.log().endsWith(QLatin1String("outer.StoppingMembers c.STOP")));
    evaluator.liftHolds(b, Hold::Lease);
    QVERIFY(!scene.log().contains(QLatin1String("b.START")));
    QCOMPARE(scene.holdTexts("b"),
             QStringList(QStringLiteral("group outer (stopping its members)")));
    scene.stage.play(QStringLiteral("+5s"));
    QCOMPARE(scene.snapshot("b").state, InstanceState::Running);
    QVERIFY(scene.log().endsWith(QLatin1String("outer.Running")));
}

void AgentGroupsTest::stopsAStartThatIsHeld()
{
    GroupScene scene(QStringLiteral("x=fail:127; b=started ready"),
                     QStringLiteral("outer:[inner] inner:b"));
    QVERIFY(
        scene.dependencies.setDependencies(QStringLiteral("b"), {{.agent = QStringLiteral("x")}})
            .isEmpty());
    scene.stage.play(QStringLiteral("startAll"));
    scene.clear();
    scene.groups.stop(QStringLiteral("inner"));
    scene.stage.play(QStringLiteral("+1s"));
    QCOMPARE(scene.log(), QStringLiteral("inner.Stopping inner.Stopped outer.Stopped"));
}

REKINDLE_TEST(AgentGroupsTest)
#include "agentgroupstest.moc"
