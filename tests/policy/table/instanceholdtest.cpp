// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "instancescript.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;

// Starts that are held back.
class InstanceHoldTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rows_data();
    void rows();
};

// name, policy, script, expected log, final state; instancescript.h describes the words
// clang-format off
void InstanceHoldTest::rows_data()
{
    const auto row = InstanceScript::addColumns();
    row("a start is held until the last hold is lifted", "",
        "hold:dependency,governor start +1h lift:governor lift:dependency",
        "held:dependency,governor 1h held:dependency RUN1",
        "Starting in 30s");
    row("a lifted hold starts nothing before the start is due", "",
        "start fail hold:dependency lift:dependency +1s",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1",
        "Starting #1 in 30s");
    row("a hold before the start is due", "",
        "start fail hold:dependency +10s lift:dependency",
        "RUN1 failed scheduled#1@1s 1s held:dependency 10s RUN2 attempt#1",
        "Starting #1 in 30s");
    row("a running agent is not touched", "",
        "start ready hold:dependency +60s",
        "RUN1 started ready 1m stable",
        "Running held:dependency");
    row("a failed agent is held", "",
        "start ready hold:governor fail +1m",
        "RUN1 started ready failed scheduled#1@1s 1s held:governor",
        "Waiting due held:governor");
    row("a hold between the request of a launch and the launch", "",
        "late start hold:governor launch lift:governor launch",
        "LAUNCH held:governor REFUSED LAUNCH RUN1",
        "Starting in 30s");
    row("the same hold twice", "",
        "hold:group start hold:group lift:lease",
        "held:group",
        "Waiting due held:group");
    row("the old process and a hold", "",
        "start +30s hold:group +1s exited lift:group",
        "RUN1 30s failed scheduled#1@1s KILL 31s held:group RUN2 attempt#1",
        "Starting #1 in 30s");
    row("a hold is lifted before the old process has exited", "",
        "start +30s hold:group +1s lift:group exited",
        "RUN1 30s failed scheduled#1@1s KILL 31s held:group RUN2 attempt#1",
        "Starting #1 in 30s");
    row("no attempt and no start timeout while held", "maxRetries=1",
        "start fail hold:dependency +1h lift:dependency fail",
        "RUN1 failed scheduled#1@1s 1s held:dependency 1h RUN2 attempt#1 failed unsuccessful#1- exhausted#1",
        "Exhausted #1");
    row("no half-open trial while held", "breaker=1/5m",
        "start fail hold:dependency +1h lift:dependency",
        "RUN1 failed closed>open@5m trial#1@5m 5m held:dependency 1h RUN2 open>halfopen "
         "attempt#1",
        "Starting #1 in 30s");
    row("isolation takes back a start that is held", "",
        "start fail hold:dependency +1s isolate lift:dependency +1h",
        "RUN1 failed scheduled#1@1s 1s held:dependency cancelled#1 closed>open",
        "CircuitOpen");
    row("stop of a held start", "",
        "hold:dependency start stop lift:dependency",
        "held:dependency",
        "Stopped");
    row("another start while held", "",
        "hold:dependency start start",
        "held:dependency held:dependency",
        "Waiting due held:dependency");
    row("a requested restart is held", "requested=0s",
        "start ready hold:group exit42 lift:group",
        "RUN1 started ready requested stopped held:group RUN2",
        "Starting in 30s");
    row("holds are not stored", "",
        "start ready hold:dependency killed",
        "RUN1 started ready KILLED RUN1",
        "Starting in 30s");
    row("a held start is continued by the next host", "",
        "start fail hold:dependency +1h killed",
        "RUN1 failed scheduled#1@1s 1s held:dependency 1h KILLED scheduled#1@0s RUN1 attempt#1",
        "Starting #1 in 30s");
    row("stopped because of other agents, and started again", "",
        "start ready groupstop:dependency exited +1h lift:dependency",
        "RUN1 started ready STOP stopped held:dependency 1h RUN2",
        "Starting in 30s");
    row("such a start is no attempt and begins no fresh sequence", "",
        "start fail +1s ready groupstop:group exited lift:group fail",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 started ready succeeded#1 STOP stopped held:group RUN3 failed scheduled#2@2s",
        "Waiting #1 in 2s");
    row("a group stop cancels the attempt in flight", "",
        "start fail +1s groupstop:group",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 cancelled#1 STOP",
        "Stopping #1 held:group");
    row("a group stop replaces a scheduled attempt", "",
        "start fail groupstop:group +1m lift:group",
        "RUN1 failed scheduled#1@1s cancelled#1 100ms held:group 1m RUN2",
        "Starting in 30s");
    row("a group stop replaces an evaluation", "custom",
        "start fail groupstop:group +1s accept lift:group",
        "RUN1 failed EVALUATE 100ms held:group 1s RUN2",
        "Starting in 30s");
    row("after a group stop, the start is the trial of an open breaker", "breaker=1/5m",
        "start fail groupstop:group lift:group +5m",
        "RUN1 failed closed>open@5m trial#1@5m cancelled#1 5m RUN2 open>halfopen",
        "Starting in 30s");
    row("a trial that a group stop interrupts does not count", "breaker=1/5m",
        "start fail +5m groupstop:group exited lift:group",
        "RUN1 failed closed>open@5m trial#1@5m 5m RUN2 open>halfopen attempt#1 cancelled#1 "
         "halfopen>open@0s STOP stopped held:group RUN3 open>halfopen",
        "Starting #1 in 30s");
    row("minInterval applies to the start after a group stop", "minInterval=10s",
        "start ready groupstop:group exited lift:group +10s",
        "RUN1 started ready STOP stopped 10s RUN2",
        "Starting in 30s");
    row("a restart by an operator stays one", "",
        "start ready restart groupstop:group exited lift:group",
        "RUN1 started ready requested STOP stopped held:group RUN2",
        "Starting in 30s");
    row("a requested restart becomes a start of the group", "requested=1h",
        "start ready request groupstop:group exited lift:group",
        "RUN1 started ready requested STOP cancelled#0 stopped held:group RUN2",
        "Starting in 30s");
    row("a group stop of a stopped agent", "",
        "groupstop:group lift:group",
        "",
        "Stopped");
    row("a group stop of an agent that an operator is stopping", "",
        "start ready stop groupstop:group exited",
        "RUN1 started ready STOP stopped",
        "Stopped");
    row("an operator stops an agent after a group stop", "",
        "start ready groupstop:group exited stop lift:group",
        "RUN1 started ready STOP stopped held:group",
        "Stopped");
    row("a group stop of an agent that has given up", "maxRetries=0",
        "start fail groupstop:group",
        "RUN1 failed exhausted#0",
        "Exhausted");
    row("another policy keeps the start after a group stop", "",
        "start fail groupstop:group +1s policy:maxRetries=0 lift:group",
        "RUN1 failed scheduled#1@1s cancelled#1 100ms held:group 1s RUN2",
        "Starting in 30s");
    row("a failure because of the group counts toward no limit", "maxRetries=0 breaker=1/5m",
        "start ready hold:group fail +1h lift:group fail",
        "RUN1 started ready failed:collateral held:group 1h RUN2 failed closed>open@5m exhausted#0",
        "Exhausted");
    row("a collateral failure of an attempt", "",
        "start fail +1s started hold:sharedBreaker fail lift:sharedBreaker +1s",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 started failed:collateral cancelled#1 held:sharedBreaker RUN3",
        "Starting #1 in 29s");
    row("a start timeout because of the group", "",
        "start hold:group +30s exited lift:group +100ms",
        "RUN1 30s failed:collateral KILL 30.1s RUN2",
        "Starting in 30s");
    row("a permanent failure is never collateral", "",
        "start hold:group permanent",
        "RUN1 failed declined:PermanentFailure",
        "Failed held:group");
    row("a clean exit is no failure of the group", "",
        "start ready hold:group exit0",
        "RUN1 started ready stopped",
        "Stopped held:group");
    row("a trial that fails because of the group does not count", "breaker=1/5m",
        "start fail +5m started hold:group fail lift:group",
        "RUN1 failed closed>open@5m trial#1@5m 5m RUN2 open>halfopen attempt#1 started "
         "failed:collateral cancelled#1 halfopen>open@0s held:group RUN3 open>halfopen",
        "Starting #1 in 30s");
    row("the group gives up", "rearm=1s",
        "start ready giveup exited +1h",
        "RUN1 started ready STOP stopped",
        "Exhausted");
    row("the group gives up while a restart is planned", "",
        "start fail giveup +1h",
        "RUN1 failed scheduled#1@1s cancelled#1",
        "Exhausted");
    row("the group gives up during an evaluation", "custom",
        "start fail giveup accept +1h",
        "RUN1 failed EVALUATE",
        "Exhausted");
    row("the group gives up while the breaker is open", "breaker=1/5m",
        "start fail giveup +1h",
        "RUN1 failed closed>open@5m trial#1@5m cancelled#1",
        "Exhausted");
    row("the group gives up while it restarts a member", "",
        "start ready groupstop:group giveup exited lift:group",
        "RUN1 started ready STOP stopped",
        "Exhausted");
    row("the group gives up while an operator stops a member", "",
        "start ready stop giveup exited",
        "RUN1 started ready STOP stopped",
        "Stopped");
    row("an operator starts a member after the group gave up", "",
        "start ready giveup exited start",
        "RUN1 started ready STOP stopped RUN2",
        "Starting in 30s");
    row("an operator starts a member that is being stopped for good", "",
        "start ready giveup start exited",
        "RUN1 started ready STOP stopped RUN2",
        "Starting in 30s");
    row("an operator stops a member that is being stopped for good", "",
        "start ready giveup stop exited",
        "RUN1 started ready STOP stopped",
        "Stopped");
    row("a refund of the first failure", "",
        "start fail refund:sharedBreaker +1h lift:sharedBreaker fail",
        "RUN1 failed scheduled#1@1s cancelled#1 100ms held:sharedBreaker 1h RUN2 failed scheduled#1@1s",
        "Waiting in 1s");
    row("a refund of a failed attempt", "",
        "start fail +1s started fail refund:sharedBreaker lift:sharedBreaker",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 started failed unsuccessful#1+@2s scheduled#2@2s cancelled#2 held:sharedBreaker RUN3",
        "Starting in 30s");
    row("a refund after the last attempt", "maxRetries=1",
        "start fail +1s started fail refund:sharedBreaker lift:sharedBreaker fail",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 started failed unsuccessful#1- exhausted#1 held:sharedBreaker RUN3 failed scheduled#1@1s",
        "Waiting in 1s");
    row("a refund of the failure that opened the breaker", "breaker=2/5m",
        "start fail +1s started fail refund:sharedBreaker lift:sharedBreaker ready fail",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 started failed unsuccessful#1+@5m "
         "closed>open@5m trial#2@5m cancelled#2 open>closed held:sharedBreaker RUN3 started "
         "ready failed closed>open@5m trial#1@5m",
        "CircuitOpen in 5m");
    row("a refund of a failed trial", "breaker=1/5m/2/1h",
        "start fail +5m started fail refund:sharedBreaker lift:sharedBreaker",
        "RUN1 failed closed>open@5m trial#1@5m 5m RUN2 open>halfopen attempt#1 started failed "
         "unsuccessful#1+@10m halfopen>open@10m trial#2@10m cancelled#2 held:sharedBreaker RUN3 "
         "open>halfopen",
        "Starting in 30s");
    row("a refund in the window", "window=1/1h",
        "start fail +1s started fail refund:sharedBreaker lift:sharedBreaker fail +1s",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 started failed unsuccessful#1- exhausted#1 held:sharedBreaker RUN3 failed scheduled#1@1s 2s RUN4 attempt#1",
        "Starting #1 in 30s");
    row("a refund during an evaluation", "custom",
        "start fail refund:sharedBreaker accept +1s",
        "RUN1 failed EVALUATE 100ms held:sharedBreaker",
        "Waiting due held:sharedBreaker");
    row("no refund after another start", "",
        "start fail start stale:refund:sharedBreaker",
        "RUN1 failed scheduled#1@1s cancelled#1 RUN2 STALE",
        "Starting in 30s");
    row("no refund after a stop", "",
        "start fail stop refund:sharedBreaker",
        "RUN1 failed scheduled#1@1s cancelled#1",
        "Stopped");
    row("no refund after the group gave up", "",
        "start fail giveup refund:sharedBreaker",
        "RUN1 failed scheduled#1@1s cancelled#1",
        "Exhausted");
    row("no refund of a permanent failure", "",
        "start permanent refund:sharedBreaker",
        "RUN1 failed declined:PermanentFailure",
        "Failed");
    row("a host is killed after the group gave up", "rearm=1s",
        "start ready giveup exited killed +1h",
        "RUN1 started ready STOP stopped KILLED",
        "Exhausted");
    row("a host is killed while the group gives up", "",
        "start ready giveup killed",
        "RUN1 started ready STOP KILLED",
        "Exhausted");
    row("another policy starts nothing after the group gave up", "",
        "start fail giveup policy:rearm=1s +1h",
        "RUN1 failed scheduled#1@1s cancelled#1",
        "Exhausted");
    row("a stopped or failed agent does not give up", "",
        "giveup start permanent giveup lift:group",
        "RUN1 failed declined:PermanentFailure",
        "Failed");
    row("a host is killed after a group stop", "",
        "start ready groupstop:group exited killed",
        "RUN1 started ready STOP stopped held:group KILLED RUN1",
        "Starting in 30s");
}
// clang-format on

void InstanceHoldTest::rows() { InstanceScript::checkRow(); }

REKINDLE_TEST(InstanceHoldTest)
#include "instanceholdtest.moc"
