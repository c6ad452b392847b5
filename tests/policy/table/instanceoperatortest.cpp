// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "instancescript.h"
#include "testprogram.h"

#include <QtTest>

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
    InstanceScript::addColumns();
    InstanceScript::row("exit 42 is no failure and no attempt", u"breaker=2/5m",
        u"start ready exit42 ready exit42 ready fail",
        u"RUN1 started ready requested stopped RUN2 started ready requested stopped RUN3 "
         "started ready failed scheduled#1@1s",
        u"Waiting in 1s");
    InstanceScript::row("exit 42 with policy none", u"type=none",
        u"start ready exit42",
        u"RUN1 started ready requested stopped RUN2",
        u"Starting in 30s");
    InstanceScript::row("exit 42 respects requestedDelay", u"requested=500ms",
        u"start ready exit42 +500ms",
        u"RUN1 started ready requested stopped 500ms RUN2",
        u"Starting in 30s");
    InstanceScript::row("exit 42 respects minInterval", u"minInterval=10s",
        u"start ready +4s exit42",
        u"RUN1 started ready 4s requested stopped",
        u"Waiting in 6s");
    InstanceScript::row("exit 42 does not count in the window", u"window=1/10s breaker=off type=immediate",
        u"start ready exit42 ready exit42 ready fail",
        u"RUN1 started ready requested stopped RUN2 started ready requested stopped RUN3 "
         "started ready failed scheduled#1@0s RUN4 attempt#1",
        u"Starting #1 in 30s");
    InstanceScript::row("exit 42 before ready cancels the attempt", u"",
        u"start fail +1s started exit42",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 started requested cancelled#1 stopped "
         "RUN3",
        u"Starting #1 in 30s");
    InstanceScript::row("the eleventh exit 42 in a minute is a crash", u"requested=1s",
        u"start exit42 +1s exit42 +1s exit42 +1s exit42 +1s exit42 +1s exit42 +1s exit42 +1s "
         "exit42 +1s exit42 +1s exit42 +1s exit42",
        u"RUN1 requested stopped 1s RUN2 requested stopped 2s RUN3 requested stopped 3s RUN4 "
         "requested stopped 4s RUN5 requested stopped 5s RUN6 requested stopped 6s RUN7 "
         "requested stopped 7s RUN8 requested stopped 8s RUN9 requested stopped 9s RUN10 "
         "requested stopped 10s RUN11 failed scheduled#1@1s",
        u"Waiting in 1s");
    InstanceScript::row("ten exit 42 per minute are no crash", u"requested=7s",
        u"start exit42 +7s exit42 +7s exit42 +7s exit42 +7s exit42 +7s exit42 +7s exit42 +7s "
         "exit42 +7s exit42 +7s exit42 +7s exit42",
        u"RUN1 requested stopped 7s RUN2 requested stopped 14s RUN3 requested stopped 21s "
         "RUN4 requested stopped 28s RUN5 requested stopped 35s RUN6 requested stopped 42s "
         "RUN7 requested stopped 49s RUN8 requested stopped 56s RUN9 requested stopped 63s "
         "RUN10 requested stopped 70s RUN11 requested stopped",
        u"Waiting in 7s");
    InstanceScript::row("request of a running agent: orderly stop, then start", u"requested=500ms",
        u"start ready request +3s exit0 +500ms",
        u"RUN1 started ready requested STOP 3s stopped 3.5s RUN2",
        u"Starting in 30s");
    InstanceScript::row("the eleventh request of a running agent is refused", u"",
        u"start request exit0 request exit0 request exit0 request exit0 request exit0 request "
         "exit0 request exit0 request exit0 request exit0 request exit0 request",
        u"RUN1 requested STOP stopped RUN2 requested STOP stopped RUN3 requested STOP stopped "
         "RUN4 requested STOP stopped RUN5 requested STOP stopped RUN6 requested STOP stopped "
         "RUN7 requested STOP stopped RUN8 requested STOP stopped RUN9 requested STOP stopped "
         "RUN10 requested STOP stopped RUN11 REFUSED",
        u"Starting in 30s");
    InstanceScript::row("a request without a running agent is refused", u"",
        u"start fail request",
        u"RUN1 failed scheduled#1@1s REFUSED",
        u"Waiting in 1s");
    InstanceScript::row("start after exhaustion", u"maxRetries=0",
        u"start fail start",
        u"RUN1 failed exhausted#0 RUN2",
        u"Starting in 30s");
    InstanceScript::row("start after a permanent failure", u"type=none",
        u"start fail start fail",
        u"RUN1 failed RUN2 failed",
        u"Failed");
    InstanceScript::row("start while waiting begins a new sequence", u"breaker=off",
        u"start fail +1s fail start fail",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1+@2s "
         "scheduled#2@2s cancelled#2 RUN3 failed scheduled#1@1s",
        u"Waiting in 1s");
    InstanceScript::row("start while waiting ignores minInterval", u"minInterval=10s",
        u"start fail start",
        u"RUN1 failed scheduled#1@10s cancelled#1 RUN2",
        u"Starting in 30s");
    InstanceScript::row("start in CircuitOpen: half-open", u"breaker=1/5m",
        u"start fail start started fail",
        u"RUN1 failed closed>open@5m RUN2 open>halfopen started failed halfopen>open@5m",
        u"CircuitOpen in 5m");
    InstanceScript::row("start while running clears the failures", u"",
        u"start fail +1s ready fail +2s ready start fail",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 started ready succeeded#1 failed "
         "scheduled#2@2s 3s RUN3 attempt#2 started ready succeeded#2 failed scheduled#1@1s",
        u"Waiting in 1s");
    InstanceScript::row("start while an attempt is in flight", u"",
        u"start fail +1s fail +2s start ready fail",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1+@2s "
         "scheduled#2@2s 3s RUN3 attempt#2 started ready succeeded#2 failed scheduled#1@1s",
        u"Waiting in 1s");
    InstanceScript::row("start waits for the old process", u"",
        u"start +30s start gone",
        u"RUN1 30s failed scheduled#1@1s KILL cancelled#1 RUN2",
        u"Starting in 30s");
    InstanceScript::row("start while Stopping is queued", u"",
        u"start ready stop start exit0",
        u"RUN1 started ready STOP stopped RUN2",
        u"Starting in 30s");
    InstanceScript::row("start while Stopping replaces the request", u"",
        u"start ready request start exit0",
        u"RUN1 started ready requested STOP cancelled#0 stopped RUN2",
        u"Starting in 30s");
    InstanceScript::row("restart of a running agent", u"",
        u"start ready restart exit0",
        u"RUN1 started ready requested STOP stopped RUN2",
        u"Starting in 30s");
    InstanceScript::row("restart of an attempt", u"",
        u"start fail +1s restart exit0",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 requested cancelled#1 STOP stopped "
         "RUN3",
        u"Starting in 30s");
    InstanceScript::row("stop while waiting", u"",
        u"start fail stop +1h",
        u"RUN1 failed scheduled#1@1s cancelled#1",
        u"Stopped");
    InstanceScript::row("stop while an attempt is in flight", u"",
        u"start fail +1s stop fail",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 cancelled#1 STOP stopped",
        u"Stopped #1");
    InstanceScript::row("stop of a requested restart", u"requested=5s",
        u"start ready exit42 stop",
        u"RUN1 started ready requested stopped cancelled#0",
        u"Stopped");
    InstanceScript::row("stop while Stopping cancels the request", u"",
        u"start ready request stop exit0",
        u"RUN1 started ready requested STOP cancelled#0 stopped",
        u"Stopped");
    InstanceScript::row("stop twice", u"",
        u"start stop stop exit0 stop",
        u"RUN1 STOP stopped",
        u"Stopped");
    InstanceScript::row("stop in CircuitOpen", u"breaker=1/5m",
        u"start fail stop +1h start",
        u"RUN1 failed closed>open@5m 1h RUN2 open>halfopen",
        u"Starting in 30s");
    InstanceScript::row("stop while half-open does not count as the trial", u"breaker=1/5m",
        u"start fail +5m started stop exit0 start",
        u"RUN1 failed closed>open@5m 5m RUN2 open>halfopen attempt#1 started cancelled#1 "
         "halfopen>open@0s STOP stopped RUN3 open>halfopen",
        u"Starting in 30s");
    InstanceScript::row("stop of a trial that requested a restart", u"breaker=1/5m requested=1s",
        u"start fail +5m ready exit42 stop start",
        u"RUN1 failed closed>open@5m 5m RUN2 open>halfopen attempt#1 started ready "
         "succeeded#1 requested stopped cancelled#0 halfopen>open@0s RUN3 open>halfopen",
        u"Starting in 30s");
    InstanceScript::row("stop of an unhealthy process", u"",
        u"start ready unhealthy stop gone",
        u"RUN1 started ready failed scheduled#1@1s KILL cancelled#1 stopped",
        u"Stopped");
    InstanceScript::row("stop after exhaustion prevents rearming", u"maxRetries=1 rearm=1m",
        u"start fail +1s fail stop +1h",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- exhausted#1",
        u"Stopped #1");
    InstanceScript::row("reset starts the held start", u"breaker=1/5m",
        u"start fail reset ready",
        u"RUN1 failed closed>open@5m open>closed RUN2 attempt#1 started ready succeeded#1",
        u"Running #1 in 1m");
    InstanceScript::row("reset while half-open closes", u"breaker=1/5m",
        u"start fail +5m reset ready fail",
        u"RUN1 failed closed>open@5m 5m RUN2 open>halfopen attempt#1 halfopen>closed started "
         "ready succeeded#1 failed closed>open@5m",
        u"CircuitOpen #1 in 5m");
    InstanceScript::row("reset clears the failures", u"breaker=2/5m",
        u"start ready fail +1s reset fail",
        u"RUN1 started ready failed scheduled#1@1s 1s RUN2 attempt#1 failed "
         "unsuccessful#1+@2s scheduled#2@2s",
        u"Waiting #1 in 2s");
    InstanceScript::row("reset ends an isolation", u"",
        u"start fail isolate reset",
        u"RUN1 failed scheduled#1@1s cancelled#1 closed>open open>closed RUN2 attempt#1",
        u"Starting #1 in 30s");
    InstanceScript::row("isolate holds a planned start until release", u"",
        u"start fail isolate +10m release ready",
        u"RUN1 failed scheduled#1@1s cancelled#1 closed>open 10m open>closed RUN2 attempt#1 "
         "started ready succeeded#1",
        u"Running #1 in 1m");
    InstanceScript::row("isolate does not stop a running agent", u"",
        u"start ready isolate +1h fail +1h release",
        u"RUN1 started ready closed>open 1m stable 1h failed 2h open>closed RUN2 attempt#1",
        u"Starting #1 in 30s");
    InstanceScript::row("isolate a requested restart", u"requested=5s",
        u"start ready exit42 isolate +1h release",
        u"RUN1 started ready requested stopped closed>open 1h open>closed RUN2",
        u"Starting in 30s");
    InstanceScript::row("isolate, then exit 42", u"",
        u"start ready isolate exit42 +10m release",
        u"RUN1 started ready closed>open requested stopped 10m open>closed RUN2",
        u"Starting in 30s");
    InstanceScript::row("isolated trial that succeeds", u"breaker=1/5m",
        u"start fail +5m isolate ready +60s release",
        u"RUN1 failed closed>open@5m 5m RUN2 open>halfopen attempt#1 halfopen>open started "
         "ready succeeded#1 6m stable open>closed",
        u"Running");
    InstanceScript::row("isolated trial that fails", u"breaker=1/5m",
        u"start fail +5m isolate fail +1m release",
        u"RUN1 failed closed>open@5m 5m RUN2 open>halfopen attempt#1 halfopen>open failed "
         "unsuccessful#1+",
        u"CircuitOpen #1 in 4m");
    InstanceScript::row("isolated trial that requests a restart", u"breaker=1/5m requested=5s",
        u"start fail +5m exit42 isolate +1h release",
        u"RUN1 failed closed>open@5m 5m RUN2 open>halfopen attempt#1 requested cancelled#1 "
         "stopped halfopen>open 65m open>halfopen RUN3",
        u"Starting #1 in 30s");
    InstanceScript::row("start ends an isolation", u"",
        u"start ready isolate fail start ready",
        u"RUN1 started ready closed>open failed open>closed RUN2 started ready",
        u"Running in 1m");
    InstanceScript::row("start while running ends an isolation", u"",
        u"start ready isolate start",
        u"RUN1 started ready closed>open open>closed",
        u"Running in 1m");
    InstanceScript::row("restart while running ends an isolation", u"",
        u"start ready isolate restart exit0",
        u"RUN1 started ready closed>open requested open>closed STOP stopped RUN2",
        u"Starting in 30s");
    InstanceScript::row("isolate after a queued start holds it", u"",
        u"start ready stop start isolate exit0 +1h release",
        u"RUN1 started ready STOP closed>open stopped 1h open>closed RUN2",
        u"Starting in 30s");
    InstanceScript::row("start after isolate while Stopping", u"",
        u"start ready stop isolate start exit0",
        u"RUN1 started ready STOP closed>open open>closed stopped RUN2",
        u"Starting in 30s");
}
// clang-format on

void InstanceOperatorTest::rows() { InstanceScript::checkRow(); }

REKINDLE_TEST(InstanceOperatorTest)
#include "instanceoperatortest.moc"
