// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "instancescript.h"
#include "testprogram.h"

#include <QtTest>

using namespace Rekindle;

// Changes of policy and tier, the window, rearming and custom evaluators.
class InstancePolicyTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rows_data();
    void rows();
};

// name, policy, script, expected log, final state; instancescript.h describes the words
// clang-format off
void InstancePolicyTest::rows_data()
{
    InstanceScript::addColumns();
    InstanceScript::row("longer delay while waiting", u"",
        u"start fail +400ms policy:initial=3s",
        u"RUN1 failed scheduled#1@1s 400ms scheduled#1@2.6s",
        u"Waiting in 2.6s");
    InstanceScript::row("shorter delay while waiting", u"",
        u"start fail +500ms policy:initial=100ms",
        u"RUN1 failed scheduled#1@1s 500ms scheduled#1@0s RUN2 attempt#1",
        u"Starting #1 in 30s");
    InstanceScript::row("same policy, same plan", u"",
        u"start fail policy:",
        u"RUN1 failed scheduled#1@1s",
        u"Waiting in 1s");
    InstanceScript::row("same policy, same draw, decorrelated", u"jitter=decorrelated",
        u"start fail +2s fail draw:0.9 policy:jitter=decorrelated",
        u"RUN1 failed scheduled#1@2s 2s RUN2 attempt#1 failed unsuccessful#1+@3.5s "
         "scheduled#2@3.5s",
        u"Waiting #1 in 3.5s");
    InstanceScript::row("same draw, jittered", u"jitter=symmetric",
        u"draw:0.9 start fail draw:0.1 policy:jitter=symmetric,initial=2s",
        u"RUN1 failed scheduled#1@1.2s scheduled#1@2.4s",
        u"Waiting in 2.4s");
    InstanceScript::row("a planned restart that the new policy forbids fails", u"",
        u"start fail policy:type=none",
        u"RUN1 failed scheduled#1@1s cancelled#1",
        u"Failed");
    InstanceScript::row("fewer retries than were already made", u"",
        u"start fail +1s fail +2s fail policy:maxRetries=2",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1+@2s "
         "scheduled#2@2s 3s RUN3 attempt#2 failed unsuccessful#2+@4s scheduled#3@4s "
         "cancelled#3 exhausted#2",
        u"Exhausted #2");
    InstanceScript::row("CircuitOpen keeps its reset time", u"breaker=1/5m",
        u"start fail policy:breaker=1/10m",
        u"RUN1 failed closed>open@5m",
        u"CircuitOpen in 5m");
    InstanceScript::row("CircuitOpen with the attempts used up", u"breaker=2/5m",
        u"start fail +1s fail policy:maxRetries=1",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1+@5m "
         "closed>open@5m exhausted#1",
        u"Exhausted #1");
    InstanceScript::row("breaker turned off while open", u"breaker=1/5m",
        u"start fail policy:breaker=off +5m fail",
        u"RUN1 failed closed>open@5m 5m RUN2 open>halfopen attempt#1 failed "
         "unsuccessful#1+@2s halfopen>closed scheduled#2@2s",
        u"Waiting #1 in 2s");
    InstanceScript::row("new startTimeout applies while starting", u"",
        u"start +5s policy:startTimeout=3s +0s",
        u"RUN1 5s failed scheduled#1@1s KILL",
        u"Waiting in 1s");
    InstanceScript::row("new stableAfter applies while running", u"",
        u"start ready +5s policy:stable=6s +1s",
        u"RUN1 started ready 6s stable",
        u"Running");
    InstanceScript::row("a planned start waits for a new minInterval", u"",
        u"start ready unhealthy +1s policy:minInterval=5s gone +4s",
        u"RUN1 started ready failed scheduled#1@1s KILL 1s scheduled#1@4s 5s RUN2 attempt#1",
        u"Starting #1 in 30s");
    InstanceScript::row("gate and ungate while waiting", u"",
        u"start fail gate:type=none +5s policy:",
        u"RUN1 failed scheduled#1@1s cancelled#1 5s scheduled#1@0s RUN2 attempt#1",
        u"Starting #1 in 30s");
    InstanceScript::row("gate and ungate while the breaker is open", u"breaker=2/5m",
        u"start fail +1s fail gate:type=none policy:breaker=2/5m",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1+@5m "
         "closed>open@5m",
        u"CircuitOpen #1 in 5m");
    InstanceScript::row("gate does not stop a running agent", u"",
        u"start ready gate:type=none fail",
        u"RUN1 started ready failed",
        u"Gated");
    InstanceScript::row("type none is Failed, not Gated", u"type=none",
        u"start fail policy:",
        u"RUN1 failed",
        u"Failed");
    InstanceScript::row("gated agent is started by an operator", u"",
        u"start fail gate:type=none start",
        u"RUN1 failed scheduled#1@1s cancelled#1 RUN2",
        u"Starting in 30s");
    InstanceScript::row("gated agent is stopped", u"",
        u"start fail gate:type=none stop",
        u"RUN1 failed scheduled#1@1s cancelled#1",
        u"Stopped");
    InstanceScript::row("window: exhausted when full", u"window=2/10s type=immediate breaker=off maxRetries=unlimited",
        u"start fail fail fail",
        u"RUN1 failed scheduled#1@0s RUN2 attempt#1 failed unsuccessful#1+@0s scheduled#2@0s "
         "RUN3 attempt#2 failed unsuccessful#2- exhausted#2",
        u"Exhausted #2");
    InstanceScript::row("window: includes the ends of the period", u"window=1/10s type=immediate breaker=off",
        u"start fail ready +10s fail",
        u"RUN1 failed scheduled#1@0s RUN2 attempt#1 started ready succeeded#1 10s failed "
         "exhausted#1",
        u"Exhausted #1");
    InstanceScript::row("window: just after the period", u"window=1/10s type=immediate breaker=off",
        u"start fail ready +10s +1ms fail",
        u"RUN1 failed scheduled#1@0s RUN2 attempt#1 started ready succeeded#1 10.001s failed "
         "scheduled#2@0s RUN3 attempt#2",
        u"Starting #2 in 30s");
    InstanceScript::row("window: the restart counts, not the failure", u"window=1/10s initial=11s breaker=off",
        u"start fail +11s fail",
        u"RUN1 failed scheduled#1@11s 11s RUN2 attempt#1 failed unsuccessful#1+@22s "
         "scheduled#2@22s",
        u"Waiting #1 in 22s");
    InstanceScript::row("window: also limits the trial", u"window=1/10s breaker=2/5s",
        u"start fail +1s fail",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- closed>open@5s "
         "exhausted#1",
        u"Exhausted #1");
    InstanceScript::row("rearmAfter: begins a new sequence", u"maxRetries=1 rearm=10m breaker=off",
        u"start fail +1s fail +10m started fail",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- exhausted#1 "
         "601s RUN3 attempt#1 started failed unsuccessful#1- exhausted#1",
        u"Exhausted #1 in 10m");
    InstanceScript::row("rearmAfter waits for the breaker", u"maxRetries=1 rearm=1m breaker=2/5m",
        u"start fail +1s fail +5m ready +60s",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- closed>open@5m "
         "exhausted#1 301s RUN3 open>halfopen attempt#1 started ready succeeded#1 361s stable "
         "halfopen>closed",
        u"Running");
    InstanceScript::row("rearmAfter waits for minInterval", u"maxRetries=1 rearm=1s breaker=off minInterval=20s",
        u"start fail +20s fail +20s",
        u"RUN1 failed scheduled#1@20s 20s RUN2 attempt#1 failed unsuccessful#1- exhausted#1 "
         "40s RUN3 attempt#1",
        u"Starting #1 in 30s");
    InstanceScript::row("rearmAfter waits for the window", u"window=1/10s breaker=off type=immediate rearm=1s",
        u"start fail +2s fail +9s",
        u"RUN1 failed scheduled#1@0s RUN2 attempt#1 2s failed unsuccessful#1- exhausted#1 10s "
         "RUN3 attempt#1",
        u"Starting #1 in 29s");
    InstanceScript::row("rearmAfter after isolation and release", u"maxRetries=1 rearm=1m breaker=2/5m",
        u"start fail +1s fail isolate +2m release +3m",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- closed>open@5m "
         "exhausted#1 301s RUN3 open>halfopen attempt#1",
        u"Starting #1 in 30s");
    InstanceScript::row("rearmAfter after isolation and reset", u"maxRetries=1 rearm=1m breaker=2/5m",
        u"start fail +1s fail isolate reset +1m",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- closed>open@5m "
         "exhausted#1 open>closed 61s RUN3 attempt#1",
        u"Starting #1 in 30s");
    InstanceScript::row("rearmAfter does not apply with maxRetries 0", u"maxRetries=0 rearm=1m",
        u"start fail +1h",
        u"RUN1 failed exhausted#0",
        u"Exhausted");
    InstanceScript::row("rearmAfter, then gated", u"maxRetries=1 rearm=1m breaker=off",
        u"start fail +1s fail gate:type=none,rearm=1m +1h",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- exhausted#1",
        u"Exhausted #1");
    InstanceScript::row("rearmAfter set after exhaustion", u"maxRetries=0",
        u"start fail policy:maxRetries=1,rearm=1m +1m",
        u"RUN1 failed exhausted#0 1m RUN2 attempt#1",
        u"Starting #1 in 30s");
    InstanceScript::row("evaluator accepts", u"custom",
        u"start ready fail accept",
        u"RUN1 started ready failed EVALUATE scheduled#1@1s",
        u"Waiting in 1s");
    InstanceScript::row("evaluator delays", u"custom",
        u"start ready fail delay:5s",
        u"RUN1 started ready failed EVALUATE scheduled#1@5s",
        u"Waiting in 5s");
    InstanceScript::row("evaluator cannot shorten", u"custom",
        u"start ready fail delay:1ms",
        u"RUN1 started ready failed EVALUATE scheduled#1@1s",
        u"Waiting in 1s");
    InstanceScript::row("invalid delay of an evaluator is ignored", u"custom",
        u"start ready fail delay:9000d",
        u"RUN1 started ready failed EVALUATE scheduled#1@1s",
        u"Waiting in 1s");
    InstanceScript::row("evaluator refuses", u"custom",
        u"start fail accept +1s fail refuse",
        u"RUN1 failed EVALUATE scheduled#1@1s 1s RUN2 attempt#1 failed EVALUATE unsuccessful#1-",
        u"Failed #1");
    InstanceScript::row("evaluator opens the breaker", u"custom",
        u"start ready fail trip +5m ready +60s",
        u"RUN1 started ready failed EVALUATE closed>open@5m 5m RUN2 open>halfopen attempt#1 "
         "started ready succeeded#1 6m stable halfopen>closed",
        u"Running");
    InstanceScript::row("evaluator times out before a longer delay", u"custom initial=5s",
        u"start ready fail +5s",
        u"RUN1 started ready failed EVALUATE 1s scheduled#1@4s 5s RUN2 attempt#1",
        u"Starting #1 in 30s");
    InstanceScript::row("evaluator answers too late", u"custom",
        u"start ready fail +1s refuse",
        u"RUN1 started ready failed EVALUATE 1s scheduled#1@0s RUN2 attempt#1",
        u"Starting #1 in 30s");
    InstanceScript::row("evaluator answers after a stop", u"custom",
        u"start ready fail stop refuse",
        u"RUN1 started ready failed EVALUATE",
        u"Stopped");
    InstanceScript::row("evaluator answers for an earlier start", u"custom",
        u"start ready fail start fail stale:refuse accept",
        u"RUN1 started ready failed EVALUATE RUN2 failed EVALUATE STALE scheduled#1@1s",
        u"Waiting in 1s");
    InstanceScript::row("no evaluation while the breaker is open", u"custom breaker=1/5m",
        u"start fail",
        u"RUN1 failed closed>open@5m",
        u"CircuitOpen in 5m");
    InstanceScript::row("no evaluation when exhausted", u"custom maxRetries=0",
        u"start fail",
        u"RUN1 failed exhausted#0",
        u"Exhausted");
    InstanceScript::row("no evaluation of a permanent failure", u"custom",
        u"start fail:127",
        u"RUN1 failed",
        u"Failed");
    InstanceScript::row("stop during an evaluation ends the attempt", u"custom",
        u"start fail accept +1s fail stop",
        u"RUN1 failed EVALUATE scheduled#1@1s 1s RUN2 attempt#1 failed EVALUATE unsuccessful#1-",
        u"Stopped #1");
    InstanceScript::row("isolate during an evaluation", u"custom",
        u"start fail accept +1s fail isolate +1h release",
        u"RUN1 failed EVALUATE scheduled#1@1s 1s RUN2 attempt#1 failed EVALUATE unsuccessful#1+ "
         "closed>open 3601s open>closed RUN3 attempt#2",
        u"Starting #2 in 30s");
    InstanceScript::row("policy none during an evaluation", u"custom",
        u"start ready fail policy:type=none accept",
        u"RUN1 started ready failed EVALUATE",
        u"Failed");
    InstanceScript::row("gated during an evaluation", u"custom",
        u"start ready fail gate:type=none +1s",
        u"RUN1 started ready failed EVALUATE",
        u"Gated");
    InstanceScript::row("evaluation of a failed trial with the breaker off", u"custom breaker=1/5m",
        u"start fail policy:custom,breaker=off +5m fail accept",
        u"RUN1 failed closed>open@5m 5m RUN2 open>halfopen attempt#1 failed halfopen>closed "
         "EVALUATE unsuccessful#1+@2s scheduled#2@2s",
        u"Waiting #1 in 2s");
}
// clang-format on

void InstancePolicyTest::rows() { InstanceScript::checkRow(); }

REKINDLE_TEST(InstancePolicyTest)
#include "instancepolicytest.moc"
