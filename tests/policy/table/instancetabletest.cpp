// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "instancescript.h"
#include "testprogram.h"

#include <QtTest>

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
    InstanceScript::addColumns();
    InstanceScript::row("CircuitBreaker_TripsAfterThreshold", u"maxRetries=10",
        u"start started ready fail +1s started fail +2s started fail +4s started fail +8s "
         "started fail",
        u"RUN1 started ready failed scheduled#1@1s 1s RUN2 attempt#1 started failed "
         "unsuccessful#1+@2s scheduled#2@2s 3s RUN3 attempt#2 started failed "
         "unsuccessful#2+@4s scheduled#3@4s 7s RUN4 attempt#3 started failed "
         "unsuccessful#3+@8s scheduled#4@8s 15s RUN5 attempt#4 started failed "
         "unsuccessful#4+@5m closed>open@5m",
        u"CircuitOpen #4 in 5m");
    InstanceScript::row("RestartSequence_RecoversOnThirdAttempt", u"",
        u"start started fail +1s started fail +2s started fail +4s started ready +60s",
        u"RUN1 started failed scheduled#1@1s 1s RUN2 attempt#1 started failed "
         "unsuccessful#1+@2s scheduled#2@2s 3s RUN3 attempt#2 started failed "
         "unsuccessful#2+@4s scheduled#3@4s 7s RUN4 attempt#3 started ready succeeded#3 67s "
         "stable",
        u"Running");
    InstanceScript::row("MaxRetries_NoExtraAttempts", u"maxRetries=2 breaker=off",
        u"start fail +1s fail +2s fail +24h",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1+@2s "
         "scheduled#2@2s 3s RUN3 attempt#2 failed unsuccessful#2- exhausted#2",
        u"Exhausted #2");
    InstanceScript::row("HalfOpen on timeout", u"breaker=1/5m",
        u"start fail +5m started ready +60s",
        u"RUN1 failed closed>open@5m 5m RUN2 open>halfopen attempt#1 started ready "
         "succeeded#1 6m stable halfopen>closed",
        u"Running");
    InstanceScript::row("order of events of a failed attempt", u"breaker=2/5m",
        u"start started fail +1s started fail",
        u"RUN1 started failed scheduled#1@1s 1s RUN2 attempt#1 started failed "
         "unsuccessful#1+@5m closed>open@5m",
        u"CircuitOpen #1 in 5m");
    InstanceScript::row("exhausted although the breaker opens", u"maxRetries=2 breaker=3/5m",
        u"start fail +1s fail +2s fail",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1+@2s "
         "scheduled#2@2s 3s RUN3 attempt#2 failed unsuccessful#2- closed>open@5m exhausted#2",
        u"Exhausted #2");
    InstanceScript::row("maxRetries 0 restarts nothing", u"maxRetries=0",
        u"start fail",
        u"RUN1 failed exhausted#0",
        u"Exhausted");
    InstanceScript::row("type none restarts nothing", u"type=none",
        u"start fail",
        u"RUN1 failed",
        u"Failed");
    InstanceScript::row("immediateFirst: no delay before attempt 1", u"immediateFirst",
        u"start fail fail +1s",
        u"RUN1 failed scheduled#1@0s RUN2 attempt#1 failed unsuccessful#1+@1s scheduled#2@1s "
         "1s RUN3 attempt#2",
        u"Starting #2 in 30s");
    InstanceScript::row("a failure after ready continues the sequence", u"",
        u"start ready fail +1s started ready fail +2s started ready +59s fail",
        u"RUN1 started ready failed scheduled#1@1s 1s RUN2 attempt#1 started ready "
         "succeeded#1 failed scheduled#2@2s 3s RUN3 attempt#2 started ready succeeded#2 62s "
         "failed scheduled#3@4s",
        u"Waiting #2 in 4s");
    InstanceScript::row("only stable resets the sequence", u"",
        u"start ready fail +1s ready +60s fail",
        u"RUN1 started ready failed scheduled#1@1s 1s RUN2 attempt#1 started ready "
         "succeeded#1 61s stable failed scheduled#1@1s",
        u"Waiting in 1s");
    InstanceScript::row("a crash loop after ready trips the breaker", u"breaker=3/5m",
        u"start ready +2s fail +1s ready +2s fail +2s ready +2s fail",
        u"RUN1 started ready 2s failed scheduled#1@1s 3s RUN2 attempt#1 started ready "
         "succeeded#1 5s failed scheduled#2@2s 7s RUN3 attempt#2 started ready succeeded#2 9s "
         "failed closed>open@5m",
        u"CircuitOpen #2 in 5m");
    InstanceScript::row("stableAfter 0: stable at ready", u"stable=0s",
        u"start ready fail +1s ready",
        u"RUN1 started ready stable failed scheduled#1@1s 1s RUN2 attempt#1 started ready "
         "succeeded#1 stable",
        u"Running");
    InstanceScript::row("stableAfter 0: the trial closes at ready", u"breaker=1/5m stable=0s",
        u"start fail +5m ready",
        u"RUN1 failed closed>open@5m 5m RUN2 open>halfopen attempt#1 started ready "
         "succeeded#1 stable halfopen>closed",
        u"Running");
    InstanceScript::row("exit 0 is no failure", u"",
        u"start started ready exit0",
        u"RUN1 started ready stopped",
        u"Stopped");
    InstanceScript::row("exit 0 cancels the attempt", u"",
        u"start fail +1s started exit0",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 started cancelled#1 stopped",
        u"Stopped #1");
    InstanceScript::row("restartOn always: exit 0 is a failure", u"always",
        u"start ready exit0 +1s",
        u"RUN1 started ready failed scheduled#1@1s 1s RUN2 attempt#1",
        u"Starting #1 in 30s");
    InstanceScript::row("failed trials open for longer", u"breaker=1/1m/2/3m stable=1s",
        u"start fail +1m fail +2m fail +3m fail +3m ready +1s fail",
        u"RUN1 failed closed>open@1m 1m RUN2 open>halfopen attempt#1 failed "
         "unsuccessful#1+@2m halfopen>open@2m 3m RUN3 open>halfopen attempt#2 failed "
         "unsuccessful#2+@3m halfopen>open@3m 6m RUN4 open>halfopen attempt#3 failed "
         "unsuccessful#3+@3m halfopen>open@3m 9m RUN5 open>halfopen attempt#4 started ready "
         "succeeded#4 541s stable halfopen>closed failed closed>open@1m",
        u"CircuitOpen in 1m");
    InstanceScript::row("a trial that times out opens again", u"breaker=1/5m",
        u"start fail +5m +30s gone",
        u"RUN1 failed closed>open@5m 5m RUN2 open>halfopen attempt#1 330s failed "
         "unsuccessful#1+@5m halfopen>open@5m KILL",
        u"CircuitOpen #1 in 5m");
    InstanceScript::row("exit 0 of a trial does not count", u"breaker=1/5m",
        u"start fail +5m started ready exit0 +1s start ready +60s",
        u"RUN1 failed closed>open@5m 5m RUN2 open>halfopen attempt#1 started ready "
         "succeeded#1 stopped halfopen>open@0s 301s RUN3 open>halfopen started ready 361s "
         "stable halfopen>closed",
        u"Running");
    InstanceScript::row("exit 42 of a trial: the next start is the trial", u"breaker=1/5m",
        u"start fail +5m started exit42 ready +60s",
        u"RUN1 failed closed>open@5m 5m RUN2 open>halfopen attempt#1 started requested "
         "cancelled#1 stopped RUN3 started ready 6m stable halfopen>closed",
        u"Running");
    InstanceScript::row("failures while open keep the reset time", u"breaker=2/5m",
        u"start fail +1s unhealthy +10s gone",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1+@5m "
         "closed>open@5m KILL",
        u"CircuitOpen #1 in 290s");
    InstanceScript::row("permanent exit code", u"",
        u"start fail:127",
        u"RUN1 failed",
        u"Failed");
    InstanceScript::row("another exit code", u"",
        u"start fail:1",
        u"RUN1 failed scheduled#1@1s",
        u"Waiting in 1s");
    InstanceScript::row("permanent failure reported by the agent", u"",
        u"start permanent",
        u"RUN1 failed",
        u"Failed");
    InstanceScript::row("no failure is permanent after ready", u"",
        u"start ready fail:127 +1s fail:127",
        u"RUN1 started ready failed scheduled#1@1s 1s RUN2 attempt#1 failed "
         "unsuccessful#1+@2s scheduled#2@2s",
        u"Waiting #1 in 2s");
    InstanceScript::row("the start waits for the old process", u"",
        u"start started +30s +1s +5s gone",
        u"RUN1 started 30s failed scheduled#1@1s KILL 36s RUN2 attempt#1",
        u"Starting #1 in 30s");
    InstanceScript::row("unhealthy process is killed and restarted", u"",
        u"start ready unhealthy +1s gone",
        u"RUN1 started ready failed scheduled#1@1s KILL 1s RUN2 attempt#1",
        u"Starting #1 in 30s");
    InstanceScript::row("the old process exits before the start is due", u"",
        u"start ready unhealthy gone +1s",
        u"RUN1 started ready failed scheduled#1@1s KILL 1s RUN2 attempt#1",
        u"Starting #1 in 30s");
    InstanceScript::row("ready without started emits both", u"",
        u"start ready ready started",
        u"RUN1 started ready",
        u"Running in 1m");
    InstanceScript::row("stale reports change nothing", u"",
        u"start ready fail +1s stale:fail stale:ready stale:exit42 stale:unhealthy stale:started",
        u"RUN1 started ready failed scheduled#1@1s 1s RUN2 attempt#1 STALE STALE STALE STALE "
         "STALE",
        u"Starting #1 in 30s");
    InstanceScript::row("launch without a plan is refused", u"",
        u"launch start launch",
        u"REFUSED RUN1 REFUSED",
        u"Starting in 30s");
    InstanceScript::row("a late launch after stop is refused", u"breaker=1/5m",
        u"start fail late +5m stop launch",
        u"RUN1 failed closed>open@5m 5m LAUNCH REFUSED",
        u"Stopped");
    InstanceScript::row("a deadline that is not due", u"",
        u"start deadline fail deadline +1s",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1",
        u"Starting #1 in 30s");
    InstanceScript::row("success reported by the host", u"",
        u"start ready success success fail",
        u"RUN1 started ready stable failed scheduled#1@1s",
        u"Waiting in 1s");
}
// clang-format on

void InstanceTableTest::rows() { InstanceScript::checkRow(); }

REKINDLE_TEST(InstanceTableTest)
#include "instancetabletest.moc"
