// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "instancescript.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;

// Failures, attempts, the circuit breaker, and starts.
class InstanceTableTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rows_data();
    void rows();
};

// name, policy, script, expected log, final state; instancescript.h describes the words
// clang-format off
void InstanceTableTest::rows_data()
{
    const auto row = InstanceScript::addColumns();
    row("CircuitBreaker_TripsAfterThreshold", "maxRetries=10",
        "start started ready fail +1s started fail +2s started fail +4s started fail +8s "
         "started fail",
        "RUN1 started ready failed scheduled#1@1s 1s RUN2 attempt#1 started failed "
         "unsuccessful#1+@2s scheduled#2@2s 3s RUN3 attempt#2 started failed unsuccessful#2+@4s "
         "scheduled#3@4s 7s RUN4 attempt#3 started failed unsuccessful#3+@8s scheduled#4@8s 15s "
         "RUN5 attempt#4 started failed unsuccessful#4+@5m closed>open@5m trial#5@5m",
        "CircuitOpen #4 in 5m");
    row("RestartSequence_RecoversOnThirdAttempt", "",
        "start started fail +1s started fail +2s started fail +4s started ready +60s",
        "RUN1 started failed scheduled#1@1s 1s RUN2 attempt#1 started failed "
         "unsuccessful#1+@2s scheduled#2@2s 3s RUN3 attempt#2 started failed "
         "unsuccessful#2+@4s scheduled#3@4s 7s RUN4 attempt#3 started ready succeeded#3 67s "
         "stable",
        "Running");
    row("MaxRetries_NoExtraAttempts", "maxRetries=2 breaker=off",
        "start fail +1s fail +2s fail +24h",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1+@2s "
         "scheduled#2@2s 3s RUN3 attempt#2 failed unsuccessful#2- exhausted#2",
        "Exhausted #2");
    row("HalfOpen on timeout", "breaker=1/5m",
        "start fail +5m started ready +60s",
        "RUN1 failed closed>open@5m trial#1@5m 5m RUN2 open>halfopen attempt#1 started ready "
         "succeeded#1 6m stable halfopen>closed",
        "Running");
    row("an extension moves the start timeout", "",
        "start started extend:40s +39s extend:10s +9s fail",
        "RUN1 started 48s failed scheduled#1@1s",
        "Waiting in 1s");
    row("an extension never shortens a start", "",
        "start started extend:1s +30s",
        "RUN1 started 30s failed scheduled#1@1s KILL",
        "Waiting in 1s");
    row("a start lasts at most ten times its timeout", "",
        "start started extend:24h +5m",
        "RUN1 started 5m failed scheduled#1@1s KILL",
        "Waiting in 1s");
    row("an extension of another start is ignored", "",
        "start started stale:extend:1h +30s",
        "RUN1 started STALE 30s failed scheduled#1@1s KILL",
        "Waiting in 1s");
    row("order of events of a failed attempt", "breaker=2/5m",
        "start started fail +1s started fail",
        "RUN1 started failed scheduled#1@1s 1s RUN2 attempt#1 started failed unsuccessful#1+@5m "
         "closed>open@5m trial#2@5m",
        "CircuitOpen #1 in 5m");
    row("exhausted although the breaker opens", "maxRetries=2 breaker=3/5m",
        "start fail +1s fail +2s fail",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1+@2s "
         "scheduled#2@2s 3s RUN3 attempt#2 failed unsuccessful#2- closed>open@5m exhausted#2",
        "Exhausted #2");
    row("maxRetries 0 restarts nothing", "maxRetries=0",
        "start fail",
        "RUN1 failed exhausted#0",
        "Exhausted");
    row("type none restarts nothing", "type=none",
        "start fail",
        "RUN1 failed declined:Policy",
        "Failed");
    row("immediateFirst: no delay before attempt 1", "immediateFirst=true",
        "start started fail fail +1s",
        "RUN1 started failed scheduled#1@0s RUN2 attempt#1 failed unsuccessful#1+@1s scheduled#2@1s "
         "1s RUN3 attempt#2",
        "Starting #2 in 30s");
    row("a failure after ready continues the sequence", "",
        "start ready fail +1s started ready fail +2s started ready +59s fail",
        "RUN1 started ready failed scheduled#1@1s 1s RUN2 attempt#1 started ready "
         "succeeded#1 failed scheduled#2@2s 3s RUN3 attempt#2 started ready succeeded#2 62s "
         "failed scheduled#3@4s",
        "Waiting #2 in 4s");
    row("only stable resets the sequence", "",
        "start ready fail +1s ready +60s fail",
        "RUN1 started ready failed scheduled#1@1s 1s RUN2 attempt#1 started ready "
         "succeeded#1 61s stable failed scheduled#1@1s",
        "Waiting in 1s");
    row("a crash loop after ready trips the breaker", "breaker=3/5m",
        "start ready +2s fail +1s ready +2s fail +2s ready +2s fail",
        "RUN1 started ready 2s failed scheduled#1@1s 3s RUN2 attempt#1 started ready "
         "succeeded#1 5s failed scheduled#2@2s 7s RUN3 attempt#2 started ready succeeded#2 9s "
         "failed closed>open@5m trial#3@5m",
        "CircuitOpen #2 in 5m");
    row("stableAfter 0: stable at ready", "stable=0s",
        "start ready fail +1s ready",
        "RUN1 started ready stable failed scheduled#1@1s 1s RUN2 attempt#1 started ready "
         "succeeded#1 stable",
        "Running");
    row("stableAfter 0: the trial closes at ready", "breaker=1/5m stable=0s",
        "start fail +5m ready",
        "RUN1 failed closed>open@5m trial#1@5m 5m RUN2 open>halfopen attempt#1 started ready "
         "succeeded#1 stable halfopen>closed",
        "Running");
    row("a probe failure within healthWindow delays stable", "healthWindow=20s",
        "start ready +50s miss +19s",
        "RUN1 started ready",
        "Running in 1s");
    row("stable when healthWindow has elapsed since the probe failure", "healthWindow=20s",
        "start ready +50s miss +20s",
        "RUN1 started ready 70s stable",
        "Running");
    row("further probe failures delay stable further", "healthWindow=20s",
        "start ready +50s miss +15s miss +20s",
        "RUN1 started ready 85s stable",
        "Running");
    row("an old probe failure does not delay stable", "healthWindow=20s",
        "start ready +40s miss +20s",
        "RUN1 started ready 1m stable",
        "Running");
    row("healthWindow 0: probe failures do not matter", "healthWindow=0s",
        "start ready +59s miss +1s",
        "RUN1 started ready 1m stable",
        "Running");
    row("stableAfter 0: a probe failure of the last start delays stable", "stable=0s healthWindow=20s",
        "start ready miss fail +1s ready +19s",
        "RUN1 started ready stable failed scheduled#1@1s 1s RUN2 attempt#1 started ready "
         "succeeded#1 20s stable",
        "Running");
    row("a trial whose probe fails stays half-open", "breaker=1/5m stable=10s healthWindow=20s",
        "start fail +5m ready +5s miss +10s fail",
        "RUN1 failed closed>open@5m trial#1@5m 5m RUN2 open>halfopen attempt#1 started ready "
         "succeeded#1 315s failed halfopen>open@5m trial#2@5m",
        "CircuitOpen #1 in 5m");
    row("exit 0 is no failure", "",
        "start started ready exit0",
        "RUN1 started ready stopped",
        "Stopped");
    row("exit 0 cancels the attempt", "",
        "start fail +1s started exit0",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 started cancelled#1 stopped",
        "Stopped #1");
    row("restartOn always: exit 0 is a failure", "restartOn=always",
        "start ready exit0 +1s",
        "RUN1 started ready failed scheduled#1@1s 1s RUN2 attempt#1",
        "Starting #1 in 30s");
    row("failed trials open for longer", "breaker=1/1m/2/3m stable=1s",
        "start fail +1m fail +2m fail +3m fail +3m ready +1s fail",
        "RUN1 failed closed>open@1m trial#1@1m 1m RUN2 open>halfopen attempt#1 failed "
         "unsuccessful#1+@2m halfopen>open@2m trial#2@2m 3m RUN3 open>halfopen attempt#2 failed "
         "unsuccessful#2+@3m halfopen>open@3m trial#3@3m 6m RUN4 open>halfopen attempt#3 failed "
         "unsuccessful#3+@3m halfopen>open@3m trial#4@3m 9m RUN5 open>halfopen attempt#4 started "
         "ready succeeded#4 541s stable halfopen>closed failed closed>open@1m trial#1@1m",
        "CircuitOpen in 1m");
    row("a trial that times out opens again", "breaker=1/5m",
        "start fail +5m +30s exited",
        "RUN1 failed closed>open@5m trial#1@5m 5m RUN2 open>halfopen attempt#1 330s failed "
         "unsuccessful#1+@5m halfopen>open@5m trial#2@5m KILL",
        "CircuitOpen #1 in 5m");
    row("exit 0 of a trial does not count", "breaker=1/5m",
        "start fail +5m started ready exit0 +1s start ready +60s",
        "RUN1 failed closed>open@5m trial#1@5m 5m RUN2 open>halfopen attempt#1 started ready "
         "succeeded#1 stopped halfopen>open@0s 301s RUN3 open>halfopen started ready 361s stable "
         "halfopen>closed",
        "Running");
    row("exit 42 of a trial: the next start is the trial", "breaker=1/5m",
        "start fail +5m started exit42 ready +60s",
        "RUN1 failed closed>open@5m trial#1@5m 5m RUN2 open>halfopen attempt#1 started "
         "requested cancelled#1 stopped RUN3 started ready 6m stable halfopen>closed",
        "Running");
    row("failures while open keep the reset time", "breaker=2/5m",
        "start fail +1s unhealthy +10s exited",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1+@5m closed>open@5m "
         "trial#2@5m KILL",
        "CircuitOpen #1 in 290s");
    row("permanent exit code", "",
        "start fail:127",
        "RUN1 failed declined:PermanentFailure",
        "Failed");
    row("another exit code", "",
        "start fail:1",
        "RUN1 failed scheduled#1@1s",
        "Waiting in 1s");
    row("permanent failure reported by the agent", "",
        "start permanent",
        "RUN1 failed declined:PermanentFailure",
        "Failed");
    row("no failure is permanent after ready", "",
        "start ready fail:127 +1s fail:127",
        "RUN1 started ready failed scheduled#1@1s 1s RUN2 attempt#1 failed "
         "unsuccessful#1+@2s scheduled#2@2s",
        "Waiting #1 in 2s");
    row("the start waits for the old process", "",
        "start started +30s +1s +5s exited",
        "RUN1 started 30s failed scheduled#1@1s KILL 36s RUN2 attempt#1",
        "Starting #1 in 30s");
    row("unhealthy process is killed and restarted", "",
        "start ready unhealthy +1s exited",
        "RUN1 started ready failed scheduled#1@1s KILL 1s RUN2 attempt#1",
        "Starting #1 in 30s");
    row("the old process exits before the start is due", "",
        "start ready unhealthy exited +1s",
        "RUN1 started ready failed scheduled#1@1s KILL 1s RUN2 attempt#1",
        "Starting #1 in 30s");
    row("ready without started emits both", "",
        "start ready ready started",
        "RUN1 started ready",
        "Running in 1m");
    row("stale reports change nothing", "",
        "start ready fail +1s stale:fail stale:ready stale:exit42 stale:unhealthy stale:started",
        "RUN1 started ready failed scheduled#1@1s 1s RUN2 attempt#1 STALE STALE STALE STALE "
         "STALE",
        "Starting #1 in 30s");
    row("launch without a plan is refused", "",
        "launch start launch",
        "REFUSED RUN1 REFUSED",
        "Starting in 30s");
    row("a late launch after stop is refused", "breaker=1/5m",
        "start fail late +5m stop launch",
        "RUN1 failed closed>open@5m trial#1@5m 5m LAUNCH cancelled#1 REFUSED",
        "Stopped");
    row("a deadline that is not due", "",
        "start deadline fail deadline +1s",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1",
        "Starting #1 in 30s");
    row("success reported by the host", "",
        "start ready success success fail",
        "RUN1 started ready stable failed scheduled#1@1s",
        "Waiting in 1s");
}
// clang-format on

void InstanceTableTest::rows() { InstanceScript::checkRow(); }

REKINDLE_TEST(InstanceTableTest)
#include "instancetabletest.moc"
