// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "instancescript.h"
#include "testprogram.h"
#include "testrow.h"

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
    const auto row = InstanceScript::addColumns();
    row("longer delay while waiting", "",
        "start fail +400ms policy:initial=3s",
        "RUN1 failed scheduled#1@1s 400ms scheduled#1@2.6s",
        "Waiting in 2.6s");
    row("shorter delay while waiting", "",
        "start fail +500ms policy:initial=100ms",
        "RUN1 failed scheduled#1@1s 500ms scheduled#1@0s RUN2 attempt#1",
        "Starting #1 in 30s");
    row("same policy, same plan", "",
        "start fail policy:",
        "RUN1 failed scheduled#1@1s",
        "Waiting in 1s");
    row("same policy, same draw, decorrelated", "jitter=decorrelated",
        "start fail +2s fail draw:0.9 policy:jitter=decorrelated",
        "RUN1 failed scheduled#1@2s 2s RUN2 attempt#1 failed unsuccessful#1+@3.5s "
         "scheduled#2@3.5s",
        "Waiting #1 in 3.5s");
    row("same draw, jittered", "jitter=symmetric",
        "draw:0.9 start fail draw:0.1 policy:jitter=symmetric,initial=2s",
        "RUN1 failed scheduled#1@1.2s scheduled#1@2.4s",
        "Waiting in 2.4s");
    row("a planned restart that the new policy forbids fails", "",
        "start fail policy:type=none",
        "RUN1 failed scheduled#1@1s cancelled#1 declined:Policy",
        "Failed");
    row("fewer retries than were already made", "",
        "start fail +1s fail +2s fail policy:maxRetries=2",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1+@2s "
         "scheduled#2@2s 3s RUN3 attempt#2 failed unsuccessful#2+@4s scheduled#3@4s "
         "cancelled#3 exhausted#2",
        "Exhausted #2");
    row("CircuitOpen keeps its reset time", "breaker=1/5m",
        "start fail policy:breaker=1/10m",
        "RUN1 failed closed>open@5m trial#1@5m",
        "CircuitOpen in 5m");
    row("CircuitOpen with the attempts used up", "breaker=2/5m",
        "start fail +1s fail policy:maxRetries=1",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1+@5m closed>open@5m "
         "trial#2@5m cancelled#2 exhausted#1",
        "Exhausted #1");
    row("breaker turned off while open", "breaker=1/5m",
        "start fail policy:breaker=off +5m fail",
        "RUN1 failed closed>open@5m trial#1@5m 5m RUN2 open>halfopen attempt#1 failed "
         "unsuccessful#1+@2s halfopen>closed scheduled#2@2s",
        "Waiting #1 in 2s");
    row("new startTimeout applies while starting", "",
        "start +5s policy:startTimeout=3s +0s",
        "RUN1 5s failed scheduled#1@1s KILL",
        "Waiting in 1s");
    row("new stableAfter applies while running", "",
        "start ready +5s policy:stable=6s +1s",
        "RUN1 started ready 6s stable",
        "Running");
    row("a planned start waits for a new minInterval", "",
        "start ready unhealthy +1s policy:minInterval=5s exited +4s",
        "RUN1 started ready failed scheduled#1@1s KILL 1s scheduled#1@4s 5s RUN2 attempt#1",
        "Starting #1 in 30s");
    row("failed launch: paused regardless of the policy", "type=immediate maxRetries=unlimited breaker=off",
        "start fail +100ms fail +100ms started fail",
        "RUN1 failed scheduled#1@100ms 100ms RUN2 attempt#1 failed unsuccessful#1+@100ms "
         "scheduled#2@100ms 200ms RUN3 attempt#2 started failed unsuccessful#2+@0s scheduled#3@0s "
         "RUN4 attempt#3",
        "Starting #3 in 30s");
    row("failed launch: a longer delay stays", "initial=101ms breaker=off",
        "start fail",
        "RUN1 failed scheduled#1@101ms",
        "Waiting in 101ms");
    row("failed launch: counts from the failure", "type=immediate breaker=off",
        "start +5s fail",
        "RUN1 5s failed scheduled#1@100ms",
        "Waiting in 100ms");
    row("failed launch: an exit without a start, too", "type=immediate breaker=off restartOn=always",
        "start exit0",
        "RUN1 failed scheduled#1@100ms",
        "Waiting in 100ms");
    row("failed launch: an operator starts at once", "type=immediate breaker=off",
        "start fail start fail restart fail",
        "RUN1 failed scheduled#1@100ms cancelled#1 RUN2 failed scheduled#1@100ms requested "
         "cancelled#1 RUN3 failed scheduled#1@100ms",
        "Waiting in 100ms");
    row("failed launch: also before the trial", "type=immediate breaker=1/20ms",
        "start fail +100ms",
        "RUN1 failed closed>open@20ms trial#1@100ms 100ms RUN2 open>halfopen attempt#1",
        "Starting #1 in 30s");
    row("failed launch: also before rearmAfter", "maxRetries=1 type=immediate breaker=off rearm=10ms",
        "start fail +100ms fail +100ms",
        "RUN1 failed scheduled#1@100ms 100ms RUN2 attempt#1 failed unsuccessful#1- exhausted#1 "
         "200ms scheduled#1@0s RUN3 attempt#1",
        "Starting #1 in 30s");
    row("failed launch: also after an evaluation and a new policy", "custom initial=10ms breaker=off",
        "start fail accept policy:type=immediate,breaker=off,stableAfter=1s",
        "RUN1 failed EVALUATE scheduled#1@100ms",
        "Waiting in 100ms");
    row("failed launch: also after a requested restart", "type=immediate breaker=off",
        "start started exit42 fail",
        "RUN1 started requested stopped RUN2 failed scheduled#1@100ms",
        "Waiting in 100ms");
    row("gate and ungate while waiting", "",
        "start fail gate:type=none +5s policy:",
        "RUN1 failed scheduled#1@1s cancelled#1 declined:License 5s scheduled#1@0s RUN2 "
         "attempt#1",
        "Starting #1 in 30s");
    row("gate and ungate while the breaker is open", "breaker=2/5m",
        "start fail +1s fail gate:type=none policy:breaker=2/5m",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1+@5m closed>open@5m "
         "trial#2@5m cancelled#2 declined:License trial#2@5m",
        "CircuitOpen #1 in 5m");
    row("gate does not stop a running agent", "",
        "start ready gate:type=none fail",
        "RUN1 started ready failed declined:License",
        "Gated");
    row("type none is Failed, not Gated", "type=none",
        "start fail policy:",
        "RUN1 failed declined:Policy",
        "Failed");
    row("gated agent is started by an operator", "",
        "start fail gate:type=none start",
        "RUN1 failed scheduled#1@1s cancelled#1 declined:License RUN2",
        "Starting in 30s");
    row("gated agent is stopped", "",
        "start fail gate:type=none stop",
        "RUN1 failed scheduled#1@1s cancelled#1 declined:License",
        "Stopped");
    row("window: exhausted when full", "window=2/10s type=immediate breaker=off maxRetries=unlimited",
        "start started fail started fail started fail",
        "RUN1 started failed scheduled#1@0s RUN2 attempt#1 started failed unsuccessful#1+@0s "
         "scheduled#2@0s RUN3 attempt#2 started failed unsuccessful#2- exhausted#2",
        "Exhausted #2");
    row("window: includes the ends of the period", "window=1/10s type=immediate breaker=off",
        "start started fail ready +10s fail",
        "RUN1 started failed scheduled#1@0s RUN2 attempt#1 started ready succeeded#1 10s failed "
         "exhausted#1",
        "Exhausted #1");
    row("window: just after the period", "window=1/10s type=immediate breaker=off",
        "start started fail ready +10s +1ms fail",
        "RUN1 started failed scheduled#1@0s RUN2 attempt#1 started ready succeeded#1 10.001s failed "
         "scheduled#2@0s RUN3 attempt#2",
        "Starting #2 in 30s");
    row("window: the restart counts, not the failure", "window=1/10s initial=11s breaker=off",
        "start fail +11s fail",
        "RUN1 failed scheduled#1@11s 11s RUN2 attempt#1 failed unsuccessful#1+@22s "
         "scheduled#2@22s",
        "Waiting #1 in 22s");
    row("window: also limits the trial", "window=1/10s breaker=2/5s",
        "start fail +1s fail",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- closed>open@5s "
         "exhausted#1",
        "Exhausted #1");
    row("rearmAfter: begins a new sequence", "maxRetries=1 rearm=10m breaker=off",
        "start fail +1s fail +10m started fail",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- exhausted#1 601s "
         "scheduled#1@0s RUN3 attempt#1 started failed unsuccessful#1- exhausted#1",
        "Exhausted #1 in 10m");
    row("rearmAfter waits for the breaker", "maxRetries=1 rearm=1m breaker=2/5m",
        "start fail +1s fail +5m ready +60s",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- closed>open@5m "
         "exhausted#1 301s trial#1@0s RUN3 open>halfopen attempt#1 started ready succeeded#1 "
         "361s stable halfopen>closed",
        "Running");
    row("rearmAfter waits for minInterval", "maxRetries=1 rearm=1s breaker=off minInterval=20s",
        "start fail +20s fail +20s",
        "RUN1 failed scheduled#1@20s 20s RUN2 attempt#1 failed unsuccessful#1- exhausted#1 40s "
         "scheduled#1@0s RUN3 attempt#1",
        "Starting #1 in 30s");
    row("rearmAfter waits for the window", "window=1/10s breaker=off type=immediate rearm=1s",
        "start started fail +2s fail +9s",
        "RUN1 started failed scheduled#1@0s RUN2 attempt#1 2s failed unsuccessful#1- "
         "exhausted#1 10s scheduled#1@0s RUN3 attempt#1",
        "Starting #1 in 29s");
    row("rearmAfter after isolation and release", "maxRetries=1 rearm=1m breaker=2/5m",
        "start fail +1s fail isolate +2m release +3m",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- closed>open@5m "
         "exhausted#1 301s trial#1@0s RUN3 open>halfopen attempt#1",
        "Starting #1 in 30s");
    row("rearmAfter after isolation and reset", "maxRetries=1 rearm=1m breaker=2/5m",
        "start fail +1s fail isolate reset +1m",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- closed>open@5m "
         "exhausted#1 open>closed 61s scheduled#1@0s RUN3 attempt#1",
        "Starting #1 in 30s");
    row("rearmAfter does not apply with maxRetries 0", "maxRetries=0 rearm=1m",
        "start fail +1h",
        "RUN1 failed exhausted#0",
        "Exhausted");
    row("rearmAfter, then gated", "maxRetries=1 rearm=1m breaker=off",
        "start fail +1s fail gate:type=none,rearm=1m +1h",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- exhausted#1",
        "Exhausted #1");
    row("rearmAfter set after exhaustion", "maxRetries=0",
        "start fail policy:maxRetries=1,rearm=1m +1m",
        "RUN1 failed exhausted#0 1m scheduled#1@0s RUN2 attempt#1",
        "Starting #1 in 30s");
    row("evaluator accepts", "custom",
        "start ready fail accept",
        "RUN1 started ready failed EVALUATE scheduled#1@1s",
        "Waiting in 1s");
    row("evaluator delays", "custom",
        "start ready fail delay:5s",
        "RUN1 started ready failed EVALUATE scheduled#1@5s",
        "Waiting in 5s");
    row("evaluator cannot shorten", "custom",
        "start ready fail delay:1ms",
        "RUN1 started ready failed EVALUATE scheduled#1@1s",
        "Waiting in 1s");
    row("invalid delay of an evaluator is ignored", "custom",
        "start ready fail delay:9000d",
        "RUN1 started ready failed EVALUATE scheduled#1@1s",
        "Waiting in 1s");
    row("evaluator refuses", "custom",
        "start fail accept +1s fail refuse",
        "RUN1 failed EVALUATE scheduled#1@1s 1s RUN2 attempt#1 failed EVALUATE unsuccessful#1- "
         "declined:Evaluator",
        "Failed #1");
    row("evaluator opens the breaker", "custom",
        "start ready fail trip +5m ready +60s",
        "RUN1 started ready failed EVALUATE closed>open@5m trial#1@5m 5m RUN2 open>halfopen "
         "attempt#1 started ready succeeded#1 6m stable halfopen>closed",
        "Running");
    row("evaluator times out before a longer delay", "custom initial=5s",
        "start ready fail +5s",
        "RUN1 started ready failed EVALUATE 1s scheduled#1@4s 5s RUN2 attempt#1",
        "Starting #1 in 30s");
    row("evaluator answers too late", "custom",
        "start ready fail +1s refuse",
        "RUN1 started ready failed EVALUATE 1s scheduled#1@0s RUN2 attempt#1",
        "Starting #1 in 30s");
    row("evaluator answers after a stop", "custom",
        "start ready fail stop refuse",
        "RUN1 started ready failed EVALUATE",
        "Stopped");
    row("evaluator answers for an earlier start", "custom",
        "start ready fail start fail stale:refuse accept",
        "RUN1 started ready failed EVALUATE RUN2 failed EVALUATE STALE scheduled#1@1s",
        "Waiting in 1s");
    row("no evaluation while the breaker is open", "custom breaker=1/5m",
        "start fail",
        "RUN1 failed closed>open@5m trial#1@5m",
        "CircuitOpen in 5m");
    row("no evaluation when exhausted", "custom maxRetries=0",
        "start fail",
        "RUN1 failed exhausted#0",
        "Exhausted");
    row("no evaluation of a permanent failure", "custom",
        "start fail:127",
        "RUN1 failed declined:PermanentFailure",
        "Failed");
    row("stop during an evaluation ends the attempt", "custom",
        "start fail accept +1s fail stop",
        "RUN1 failed EVALUATE scheduled#1@1s 1s RUN2 attempt#1 failed EVALUATE unsuccessful#1-",
        "Stopped #1");
    row("isolate during an evaluation", "custom",
        "start fail accept +1s fail isolate +1h release",
        "RUN1 failed EVALUATE scheduled#1@1s 1s RUN2 attempt#1 failed EVALUATE unsuccessful#1+ "
         "closed>open 3601s open>closed scheduled#2@0s RUN3 attempt#2",
        "Starting #2 in 30s");
    row("policy none during an evaluation", "custom",
        "start ready fail policy:type=none accept",
        "RUN1 started ready failed EVALUATE declined:Policy",
        "Failed");
    row("gated during an evaluation", "custom",
        "start ready fail gate:type=none +1s",
        "RUN1 started ready failed EVALUATE 1s declined:License",
        "Gated");
    row("evaluation of a failed trial with the breaker off", "custom breaker=1/5m",
        "start fail policy:custom,breaker=off +5m fail accept",
        "RUN1 failed closed>open@5m trial#1@5m 5m RUN2 open>halfopen attempt#1 failed "
         "halfopen>closed EVALUATE unsuccessful#1+@2s scheduled#2@2s",
        "Waiting #1 in 2s");
}
// clang-format on

void InstancePolicyTest::rows() { InstanceScript::checkRow(); }

REKINDLE_TEST(InstancePolicyTest)
#include "instancepolicytest.moc"
