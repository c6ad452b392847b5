// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "instancescript.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;

// Requests of operators and agents work in every state and are no attempts.
class InstanceOperatorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rows_data();
    void rows();
};

// name, policy, script, expected log, final state; instancescript.h describes the words
// clang-format off
void InstanceOperatorTest::rows_data()
{
    const auto row = InstanceScript::addColumns();
    row("exit 42 is no failure and no attempt", "breaker=2/5m",
        "start ready exit42 ready exit42 ready fail",
        "RUN1 started ready requested stopped RUN2 started ready requested stopped RUN3 "
         "started ready failed scheduled#1@1s",
        "Waiting in 1s");
    row("exit 42 with policy none", "type=none",
        "start ready exit42",
        "RUN1 started ready requested stopped RUN2",
        "Starting in 30s");
    row("exit 42 respects requestedDelay", "requested=500ms",
        "start ready exit42 +500ms",
        "RUN1 started ready requested stopped 500ms RUN2",
        "Starting in 30s");
    row("exit 42 respects minInterval", "minInterval=10s",
        "start ready +4s exit42",
        "RUN1 started ready 4s requested stopped",
        "Waiting in 6s");
    row("exit 42 does not count in the window", "window=1/10s breaker=off type=immediate",
        "start ready exit42 ready exit42 ready fail",
        "RUN1 started ready requested stopped RUN2 started ready requested stopped RUN3 "
         "started ready failed scheduled#1@0s RUN4 attempt#1",
        "Starting #1 in 30s");
    row("exit 42 before ready cancels the attempt", "",
        "start fail +1s started exit42",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 started requested cancelled#1 stopped "
         "RUN3",
        "Starting #1 in 30s");
    row("the eleventh exit 42 in a minute is a crash", "requested=1s",
        "start exit42 +1s exit42 +1s exit42 +1s exit42 +1s exit42 +1s exit42 +1s exit42 +1s "
         "exit42 +1s exit42 +1s exit42 +1s exit42",
        "RUN1 requested stopped 1s RUN2 requested stopped 2s RUN3 requested stopped 3s RUN4 "
         "requested stopped 4s RUN5 requested stopped 5s RUN6 requested stopped 6s RUN7 "
         "requested stopped 7s RUN8 requested stopped 8s RUN9 requested stopped 9s RUN10 "
         "requested stopped 10s RUN11 failed scheduled#1@1s",
        "Waiting in 1s");
    row("ten exit 42 per minute are no crash", "requested=7s",
        "start exit42 +7s exit42 +7s exit42 +7s exit42 +7s exit42 +7s exit42 +7s exit42 +7s "
         "exit42 +7s exit42 +7s exit42 +7s exit42",
        "RUN1 requested stopped 7s RUN2 requested stopped 14s RUN3 requested stopped 21s "
         "RUN4 requested stopped 28s RUN5 requested stopped 35s RUN6 requested stopped 42s "
         "RUN7 requested stopped 49s RUN8 requested stopped 56s RUN9 requested stopped 63s "
         "RUN10 requested stopped 70s RUN11 requested stopped",
        "Waiting in 7s");
    row("requestLimit: a further exit 42 is a crash", "requests=2/10s",
        "start exit42 +5s exit42 +5s exit42",
        "RUN1 requested stopped RUN2 5s requested stopped RUN3 10s failed scheduled#1@1s",
        "Waiting in 1s");
    row("requestLimit: exit 42 is accepted again after the period", "requests=2/10s",
        "start exit42 +5s exit42 +5001ms exit42",
        "RUN1 requested stopped RUN2 5s requested stopped RUN3 10.001s requested stopped RUN4",
        "Starting in 30s");
    row("requestLimit: a further request of a running agent is refused", "requests=1/10s",
        "start request exit0 request +10s request +1ms request",
        "RUN1 requested STOP stopped RUN2 REFUSED 10s REFUSED 10.001s requested STOP",
        "Stopping");
    row("requestLimit: a policy change applies at once", "requests=1/10s",
        "start exit42 policy:requests=2/10s exit42 policy:requests=1/10s exit42",
        "RUN1 requested stopped RUN2 requested stopped RUN3 failed scheduled#1@1s",
        "Waiting in 1s");
    row("request of a running agent: orderly stop, then start", "requested=500ms",
        "start ready request +3s exit0 +500ms",
        "RUN1 started ready requested STOP 3s stopped 3.5s RUN2",
        "Starting in 30s");
    row("the eleventh request of a running agent is refused", "",
        "start request exit0 request exit0 request exit0 request exit0 request exit0 request "
         "exit0 request exit0 request exit0 request exit0 request exit0 request",
        "RUN1 requested STOP stopped RUN2 requested STOP stopped RUN3 requested STOP stopped "
         "RUN4 requested STOP stopped RUN5 requested STOP stopped RUN6 requested STOP stopped "
         "RUN7 requested STOP stopped RUN8 requested STOP stopped RUN9 requested STOP stopped "
         "RUN10 requested STOP stopped RUN11 REFUSED",
        "Starting in 30s");
    row("a request without a running agent is refused", "",
        "start fail request",
        "RUN1 failed scheduled#1@1s REFUSED",
        "Waiting in 1s");
    row("start after exhaustion", "maxRetries=0",
        "start fail start",
        "RUN1 failed exhausted#0 RUN2",
        "Starting in 30s");
    row("start after a permanent failure", "type=none",
        "start fail start fail",
        "RUN1 failed declined:Policy RUN2 failed declined:Policy",
        "Failed");
    row("start while waiting begins a new sequence", "breaker=off",
        "start fail +1s fail start fail",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1+@2s "
         "scheduled#2@2s cancelled#2 RUN3 failed scheduled#1@1s",
        "Waiting in 1s");
    row("start while waiting ignores minInterval", "minInterval=10s",
        "start fail start",
        "RUN1 failed scheduled#1@10s cancelled#1 RUN2",
        "Starting in 30s");
    row("start after exhaustion clears the failures of a closed breaker", "maxRetries=1 breaker=3/5m",
        "start fail +1s fail start fail",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- exhausted#1 RUN3 "
         "failed scheduled#1@1s",
        "Waiting in 1s");
    row("start while running clears the failures of a closed breaker", "breaker=2/5m",
        "start fail +1s ready start fail",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 started ready succeeded#1 failed "
         "scheduled#1@1s",
        "Waiting in 1s");
    row("restart clears the failures of a closed breaker", "breaker=2/5m",
        "start fail +1s ready restart exit0 fail",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 started ready succeeded#1 requested STOP "
         "stopped RUN3 failed scheduled#1@1s",
        "Waiting in 1s");
    row("start after stop clears the failures of a closed breaker", "breaker=2/5m",
        "start fail stop start fail",
        "RUN1 failed scheduled#1@1s cancelled#1 RUN2 failed scheduled#1@1s",
        "Waiting in 1s");
    row("start in CircuitOpen keeps the count of failed trials", "breaker=1/10s/2/1h",
        "start fail +10s fail start fail",
        "RUN1 failed closed>open@10s trial#1@10s 10s RUN2 open>halfopen attempt#1 failed "
         "unsuccessful#1+@20s halfopen>open@20s trial#2@20s cancelled#2 RUN3 open>halfopen "
         "failed halfopen>open@40s trial#1@40s",
        "CircuitOpen in 40s");
    row("start in CircuitOpen: half-open", "breaker=1/5m",
        "start fail start started fail",
        "RUN1 failed closed>open@5m trial#1@5m cancelled#1 RUN2 open>halfopen started failed "
         "halfopen>open@5m trial#1@5m",
        "CircuitOpen in 5m");
    row("start while running clears the failures", "",
        "start fail +1s ready fail +2s ready start fail",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 started ready succeeded#1 failed "
         "scheduled#2@2s 3s RUN3 attempt#2 started ready succeeded#2 failed scheduled#1@1s",
        "Waiting in 1s");
    row("start while an attempt is in flight", "",
        "start fail +1s fail +2s start ready fail",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1+@2s "
         "scheduled#2@2s 3s RUN3 attempt#2 started ready succeeded#2 failed scheduled#1@1s",
        "Waiting in 1s");
    row("start waits for the old process", "",
        "start +30s start exited",
        "RUN1 30s failed scheduled#1@1s KILL cancelled#1 RUN2",
        "Starting in 30s");
    row("start while Stopping is queued", "",
        "start ready stop start exit0",
        "RUN1 started ready STOP stopped RUN2",
        "Starting in 30s");
    row("start while Stopping replaces the request", "",
        "start ready request start exit0",
        "RUN1 started ready requested STOP cancelled#0 stopped RUN2",
        "Starting in 30s");
    row("restart of a running agent", "",
        "start ready restart exit0",
        "RUN1 started ready requested STOP stopped RUN2",
        "Starting in 30s");
    row("restart of an attempt", "",
        "start fail +1s restart exit0",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 requested cancelled#1 STOP stopped "
         "RUN3",
        "Starting in 30s");
    row("restart while stopped", "",
        "restart",
        "requested RUN1",
        "Starting in 30s");
    row("restart while waiting", "",
        "start fail restart",
        "RUN1 failed scheduled#1@1s requested cancelled#1 RUN2",
        "Starting in 30s");
    row("restart in CircuitOpen", "breaker=1/5m",
        "start fail restart",
        "RUN1 failed closed>open@5m trial#1@5m requested cancelled#1 RUN2 open>halfopen",
        "Starting in 30s");
    row("restart while Stopping", "",
        "start ready stop restart exit0",
        "RUN1 started ready STOP requested stopped RUN2",
        "Starting in 30s");
    row("restart after exhaustion", "maxRetries=0",
        "start fail restart",
        "RUN1 failed exhausted#0 requested RUN2",
        "Starting in 30s");
    row("restart after a permanent failure", "type=none",
        "start fail restart",
        "RUN1 failed declined:Policy requested RUN2",
        "Starting in 30s");
    row("stop while waiting", "",
        "start fail stop +1h",
        "RUN1 failed scheduled#1@1s cancelled#1",
        "Stopped");
    row("stop while an attempt is in flight", "",
        "start fail +1s stop fail",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 cancelled#1 STOP stopped",
        "Stopped #1");
    row("stop of a requested restart", "requested=5s",
        "start ready exit42 stop",
        "RUN1 started ready requested stopped cancelled#0",
        "Stopped");
    row("stop while Stopping cancels the request", "",
        "start ready request stop exit0",
        "RUN1 started ready requested STOP cancelled#0 stopped",
        "Stopped");
    row("stop twice", "",
        "start stop stop exit0 stop",
        "RUN1 STOP stopped",
        "Stopped");
    row("stop in CircuitOpen", "breaker=1/5m",
        "start fail stop +1h start",
        "RUN1 failed closed>open@5m trial#1@5m cancelled#1 1h RUN2 open>halfopen",
        "Starting in 30s");
    row("stop while half-open does not count as the trial", "breaker=1/5m",
        "start fail +5m started stop exit0 start",
        "RUN1 failed closed>open@5m trial#1@5m 5m RUN2 open>halfopen attempt#1 started "
         "cancelled#1 halfopen>open@0s STOP stopped RUN3 open>halfopen",
        "Starting in 30s");
    row("stop of a trial that requested a restart", "breaker=1/5m requested=1s",
        "start fail +5m ready exit42 stop start",
        "RUN1 failed closed>open@5m trial#1@5m 5m RUN2 open>halfopen attempt#1 started ready "
         "succeeded#1 requested stopped cancelled#0 halfopen>open@0s RUN3 open>halfopen",
        "Starting in 30s");
    row("stop of an unhealthy process", "",
        "start ready unhealthy stop exited",
        "RUN1 started ready failed scheduled#1@1s KILL cancelled#1 stopped",
        "Stopped");
    row("stop after exhaustion prevents rearming", "maxRetries=1 rearm=1m",
        "start fail +1s fail stop +1h",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- exhausted#1",
        "Stopped #1");
    row("reset starts the held start", "breaker=1/5m",
        "start fail reset ready",
        "RUN1 failed closed>open@5m trial#1@5m open>closed scheduled#1@0s RUN2 attempt#1 "
         "started ready succeeded#1",
        "Running #1 in 1m");
    row("reset while half-open closes", "breaker=1/5m",
        "start fail +5m reset ready fail",
        "RUN1 failed closed>open@5m trial#1@5m 5m RUN2 open>halfopen attempt#1 halfopen>closed "
         "started ready succeeded#1 failed closed>open@5m trial#2@5m",
        "CircuitOpen #1 in 5m");
    row("reset clears the failures", "breaker=2/5m",
        "start ready fail +1s reset fail",
        "RUN1 started ready failed scheduled#1@1s 1s RUN2 attempt#1 failed "
         "unsuccessful#1+@2s scheduled#2@2s",
        "Waiting #1 in 2s");
    row("reset ends an isolation", "",
        "start fail isolate reset",
        "RUN1 failed scheduled#1@1s cancelled#1 closed>open open>closed scheduled#1@0s RUN2 "
         "attempt#1",
        "Starting #1 in 30s");
    row("isolate holds a planned start until release", "",
        "start fail isolate +10m release ready",
        "RUN1 failed scheduled#1@1s cancelled#1 closed>open 10m open>closed scheduled#1@0s RUN2 "
         "attempt#1 started ready succeeded#1",
        "Running #1 in 1m");
    row("isolate does not stop a running agent", "",
        "start ready isolate +1h fail +1h release",
        "RUN1 started ready closed>open 1m stable 1h failed 2h open>closed scheduled#1@0s RUN2 "
         "attempt#1",
        "Starting #1 in 30s");
    row("isolate a requested restart", "requested=5s",
        "start ready exit42 isolate +1h release",
        "RUN1 started ready requested stopped closed>open 1h open>closed RUN2",
        "Starting in 30s");
    row("isolate, then exit 42", "",
        "start ready isolate exit42 +10m release",
        "RUN1 started ready closed>open requested stopped 10m open>closed RUN2",
        "Starting in 30s");
    row("isolated trial that succeeds", "breaker=1/5m",
        "start fail +5m isolate ready +60s release",
        "RUN1 failed closed>open@5m trial#1@5m 5m RUN2 open>halfopen attempt#1 halfopen>open "
         "started ready succeeded#1 6m stable open>closed",
        "Running");
    row("isolated trial that fails", "breaker=1/5m",
        "start fail +5m isolate fail +1m release",
        "RUN1 failed closed>open@5m trial#1@5m 5m RUN2 open>halfopen attempt#1 halfopen>open "
         "failed unsuccessful#1+ 6m trial#2@4m",
        "CircuitOpen #1 in 4m");
    row("isolated trial that requests a restart", "breaker=1/5m requested=5s",
        "start fail +5m exit42 isolate +1h release",
        "RUN1 failed closed>open@5m trial#1@5m 5m RUN2 open>halfopen attempt#1 requested "
         "cancelled#1 stopped halfopen>open 65m open>halfopen RUN3",
        "Starting #1 in 30s");
    row("start ends an isolation", "",
        "start ready isolate fail start ready",
        "RUN1 started ready closed>open failed open>closed RUN2 started ready",
        "Running in 1m");
    row("start while running ends an isolation", "",
        "start ready isolate start",
        "RUN1 started ready closed>open open>closed",
        "Running in 1m");
    row("restart while running ends an isolation", "",
        "start ready isolate restart exit0",
        "RUN1 started ready closed>open requested open>closed STOP stopped RUN2",
        "Starting in 30s");
    row("isolate after a queued start holds it", "",
        "start ready stop start isolate exit0 +1h release",
        "RUN1 started ready STOP closed>open stopped 1h open>closed RUN2",
        "Starting in 30s");
    row("start after isolate while Stopping", "",
        "start ready stop isolate start exit0",
        "RUN1 started ready STOP closed>open open>closed stopped RUN2",
        "Starting in 30s");
}
// clang-format on

void InstanceOperatorTest::rows() { InstanceScript::checkRow(); }

REKINDLE_TEST(InstanceOperatorTest)
#include "instanceoperatortest.moc"
