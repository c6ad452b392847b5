// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "instancescript.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/policy/instancememory.h>

using namespace Rekindle;
using namespace std::chrono_literals;

// A killed host restarts: counts continue, and every wait ends.
class InstanceMemoryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rows_data();
    void rows();
    void isBlankIfNothingMustBeStored_data();
    void isBlankIfNothingMustBeStored();
    void shiftedByMovesEveryInstant();
    void resumeWithoutMemoryStarts();
    void limitsRestoredWaitsToThePolicy_data();
    void limitsRestoredWaitsToThePolicy();
};

// name, policy, script, expected log, final state; instancescript.h describes the words
// clang-format off
void InstanceMemoryTest::rows_data()
{
    const auto row = InstanceScript::addColumns();
    row("a wait continues for the remaining time", "initial=8s",
        "start fail +3s killed +4s",
        "RUN1 failed scheduled#1@8s 3s KILLED scheduled#1@5s",
        "Waiting in 1s");
    row("an overdue attempt starts at once", "",
        "start fail late +1s +1h killed prompt launch",
        "RUN1 failed scheduled#1@1s 1s LAUNCH 3601s KILLED scheduled#1@0s LAUNCH RUN1 attempt#1",
        "Starting #1 in 30s");
    row("attempts continue to count", "maxRetries=3 breaker=off",
        "start fail +1s fail killed +2s fail killed +4s fail",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1+@2s scheduled#2@2s "
         "KILLED scheduled#2@2s 3s RUN1 attempt#2 failed unsuccessful#2+@4s scheduled#3@4s "
         "KILLED scheduled#3@4s 7s RUN1 attempt#3 failed unsuccessful#3- exhausted#3",
        "Exhausted #3");
    row("a starting agent is started again without a new attempt", "",
        "start fail +1s started killed started fail",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 started KILLED RUN1 started failed "
         "scheduled#2@2s",
        "Waiting #1 in 2s");
    row("a running agent keeps its counts until it is stable", "breaker=3/10s",
        "start ready fail +1s ready fail +2s ready +59s killed ready +59s fail",
        "RUN1 started ready failed scheduled#1@1s 1s RUN2 attempt#1 started ready succeeded#1 "
         "failed scheduled#2@2s 3s RUN3 attempt#2 started ready succeeded#2 62s KILLED RUN1 "
         "started ready 121s failed closed>open@10s trial#3@10s",
        "CircuitOpen #2 in 10s");
    row("stable ends a restored sequence", "breaker=3/10s",
        "start ready fail +1s ready killed ready +60s fail",
        "RUN1 started ready failed scheduled#1@1s 1s RUN2 attempt#1 started ready succeeded#1 "
         "KILLED RUN1 started ready 61s stable failed scheduled#1@1s",
        "Waiting in 1s");
    row("an open breaker stays open for the remaining time", "breaker=1/5m",
        "start fail +1m killed +4m",
        "RUN1 failed closed>open@5m trial#1@5m 1m KILLED restored:closed>open@4m trial#1@4m 5m "
         "RUN1 open>halfopen attempt#1",
        "Starting #1 in 30s");
    row("a trial in flight does not count: the next start is the trial", "breaker=1/10s/2/1h",
        "start fail +10s started killed fail",
        "RUN1 failed closed>open@10s trial#1@10s 10s RUN2 open>halfopen attempt#1 started "
         "KILLED restored:closed>open@0s RUN1 open>halfopen failed halfopen>open@20s trial#2@20s",
        "CircuitOpen #1 in 20s");
    row("failed trials continue to count", "breaker=1/10s/2/1h",
        "start fail +10s fail killed +20s fail",
        "RUN1 failed closed>open@10s trial#1@10s 10s RUN2 open>halfopen attempt#1 failed "
         "unsuccessful#1+@20s halfopen>open@20s trial#2@20s KILLED restored:closed>open@20s "
         "trial#2@20s 30s RUN1 open>halfopen attempt#2 failed unsuccessful#2+@40s "
         "halfopen>open@40s trial#3@40s",
        "CircuitOpen #2 in 40s");
    row("isolated stays isolated", "",
        "start ready isolate killed +1h release",
        "RUN1 started ready closed>open KILLED restored:closed>open 1h open>closed RUN1",
        "Starting in 30s");
    row("a stopped agent stays isolated", "",
        "isolate killed +1h release",
        "closed>open KILLED restored:closed>open 1h open>closed RUN1",
        "Starting in 30s");
    row("a stopping agent stays isolated", "",
        "start ready isolate stop killed +1h start",
        "RUN1 started ready closed>open STOP KILLED restored:closed>open 1h open>closed RUN1",
        "Starting in 30s");
    row("a restored start of an operator is the trial", "breaker=1/5m",
        "start fail stop late start killed prompt launch",
        "RUN1 failed closed>open@5m trial#1@5m cancelled#1 LAUNCH KILLED "
         "restored:closed>open@5m LAUNCH RUN1 open>halfopen",
        "Starting in 30s");
    row("a start delayed by minInterval does not begin a new sequence",
        "minInterval=10s breaker=off maxRetries=1",
        "start fail +10s ready +4s killed killed +6s fail",
        "RUN1 failed scheduled#1@10s 10s RUN2 attempt#1 started ready succeeded#1 14s KILLED KILLED "
         "20s RUN1 failed exhausted#1",
        "Exhausted #1");
    row("exhausted stays exhausted", "maxRetries=0",
        "start fail killed +24h",
        "RUN1 failed exhausted#0 KILLED",
        "Exhausted");
    row("rearming keeps its time", "maxRetries=1 rearm=1h breaker=off",
        "start fail +1s fail +20m killed",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- exhausted#1 1201s "
         "KILLED",
        "Exhausted #1 in 40m");
    row("the restarted host rearms", "maxRetries=1 rearm=1h breaker=off",
        "start fail +1s fail +20m killed +40m",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- exhausted#1 1201s "
         "KILLED 3601s scheduled#1@0s RUN1 attempt#1",
        "Starting #1 in 30s");
    row("exhausted by the window stays exhausted", "window=1/1m breaker=off",
        "start fail +1s fail +1h killed",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- exhausted#1 3601s KILLED",
        "Exhausted #1");
    row("another policy: more attempts and room in the window", "maxRetries=1 window=5/1m breaker=off",
        "start fail +1s fail +1h killed:maxRetries=5,window=5/1m,breaker=off",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- exhausted#1 3601s "
         "KILLED scheduled#2@0s RUN1 attempt#2",
        "Starting #2 in 30s");
    row("another policy: more attempts, but a full window", "maxRetries=1 window=5/1m breaker=off",
        "start fail +1s fail +1h killed:maxRetries=5,window=1/1m,breaker=off",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- exhausted#1 3601s "
         "KILLED",
        "Exhausted #1");
    row("exhausted and isolated stays exhausted", "window=1/1m breaker=off",
        "start fail +1s fail isolate +1h killed release",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- exhausted#1 "
         "closed>open 3601s KILLED restored:closed>open open>closed",
        "Exhausted #1");
    row("the window continues to count", "window=2/1m breaker=off",
        "start fail +1s fail killed +2s fail",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1+@2s scheduled#2@2s "
         "KILLED scheduled#2@2s 3s RUN1 attempt#2 failed unsuccessful#2- exhausted#2",
        "Exhausted #2");
    row("a failed agent is started once by a new host", "type=none",
        "start fail killed fail",
        "RUN1 failed declined:Policy KILLED RUN1 failed declined:Policy",
        "Failed");
    row("a failed agent is not started while the breaker is open", "breaker=1/5m",
        "start permanent +1m killed",
        "RUN1 failed closed>open@5m declined:PermanentFailure 1m KILLED restored:closed>open@4m",
        "CircuitOpen in 4m");
    row("a stopped agent begins a new sequence", "breaker=off",
        "start fail +1s fail shutdown killed fail",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1+@2s scheduled#2@2s "
         "cancelled#2 KILLED RUN1 failed scheduled#1@1s",
        "Waiting in 1s");
    row("a stopped agent begins without failures of a closed breaker", "breaker=2/5m",
        "start fail shutdown killed fail",
        "RUN1 failed scheduled#1@1s cancelled#1 KILLED RUN1 failed scheduled#1@1s",
        "Waiting in 1s");
    row("a stopping agent begins a new sequence", "",
        "start ready shutdown killed",
        "RUN1 started ready STOP KILLED RUN1",
        "Starting in 30s");
    row("an agent that a group stops continues its sequence", "",
        "start fail +1s ready groupstop:group killed fail",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 started ready succeeded#1 STOP KILLED RUN1 "
        "failed scheduled#2@2s",
        "Waiting #1 in 2s");
    row("an agent that an operator has stopped stays stopped", "",
        "start ready stop exited killed +1h",
        "RUN1 started ready STOP stopped KILLED",
        "Stopped");
    row("an agent that an operator is stopping stays stopped", "",
        "start ready stop shutdown killed +1h",
        "RUN1 started ready STOP KILLED",
        "Stopped");
    row("an agent whose restart an operator has cancelled stays stopped", "",
        "start fail stop killed +1h",
        "RUN1 failed scheduled#1@1s cancelled#1 KILLED",
        "Stopped");
    row("an agent that was started after the stop is started", "",
        "start ready stop exited start ready killed",
        "RUN1 started ready STOP stopped RUN2 started ready KILLED RUN1",
        "Starting in 30s");
    row("an agent whose stop was revoked is started", "",
        "start ready stop start killed",
        "RUN1 started ready STOP KILLED RUN1",
        "Starting in 30s");
    row("a requested restart waits for the remaining time", "requested=5s",
        "start ready exit42 +2s killed",
        "RUN1 started ready requested stopped 2s KILLED",
        "Waiting in 3s");
    row("requests continue to count", "",
        "start exit42 exit42 exit42 exit42 exit42 killed exit42 exit42 exit42 exit42 exit42 exit42",
        "RUN1 requested stopped RUN2 requested stopped RUN3 requested stopped RUN4 requested "
         "stopped RUN5 requested stopped RUN6 KILLED RUN1 requested stopped RUN2 requested stopped "
         "RUN3 requested stopped RUN4 requested stopped RUN5 requested stopped RUN6 failed "
         "scheduled#1@1s",
        "Waiting in 1s");
    row("a pending evaluation gets the built-in decision", "custom",
        "start fail killed",
        "RUN1 failed EVALUATE KILLED scheduled#1@1s",
        "Waiting in 1s");
    row("the delay of an evaluator still applies", "custom",
        "start fail delay:1h +10m killed",
        "RUN1 failed EVALUATE scheduled#1@1h 10m KILLED scheduled#1@50m",
        "Waiting in 50m");
    row("minInterval applies across a restart of the host", "minInterval=10s",
        "start ready +4s killed",
        "RUN1 started ready 4s KILLED",
        "Waiting in 6s");
    row("another policy: the delay is calculated again from the failure", "initial=30s",
        "start fail +2s killed:initial=8s",
        "RUN1 failed scheduled#1@30s 2s KILLED scheduled#1@6s",
        "Waiting in 6s");
    row("another policy: no attempt is left", "breaker=off",
        "start fail +1s fail killed:maxRetries=1,breaker=off",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1+@2s scheduled#2@2s "
         "KILLED exhausted#1",
        "Exhausted #1");
    row("another policy: an exhausted agent has attempts left", "maxRetries=1 breaker=off",
        "start fail +1s fail +10m killed:maxRetries=5,breaker=off",
        "RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- exhausted#1 601s "
         "KILLED scheduled#2@0s RUN1 attempt#2",
        "Starting #2 in 30s");
    row("a killed unhealthy agent waits for the remaining time", "initial=8s",
        "start ready unhealthy +3s killed",
        "RUN1 started ready failed scheduled#1@8s KILL 3s KILLED scheduled#1@5s",
        "Waiting in 5s");
    row("the next host does not wait for the unhealthy process", "",
        "start ready unhealthy +1h killed",
        "RUN1 started ready failed scheduled#1@1s KILL 1h KILLED scheduled#1@0s RUN1 attempt#1",
        "Starting #1 in 30s");
    row("a gated agent is started once", "",
        "start fail gate:type=none killed:type=none",
        "RUN1 failed scheduled#1@1s cancelled#1 declined:License KILLED RUN1",
        "Starting in 30s");
    row("another policy: none", "",
        "start fail killed:type=none",
        "RUN1 failed scheduled#1@1s KILLED declined:Policy",
        "Failed");
    row("another policy: no breaker", "breaker=1/1h",
        "start fail +1m killed:breaker=off",
        "RUN1 failed closed>open@1h trial#1@1h 1m KILLED scheduled#1@0s RUN1 attempt#1",
        "Starting #1 in 30s");
    row("another policy: a shorter breaker", "breaker=1/1h",
        "start fail killed:breaker=1/10s/1/10s",
        "RUN1 failed closed>open@1h trial#1@1h KILLED restored:closed>open@10s trial#1@10s",
        "CircuitOpen in 10s");
}
// clang-format on

void InstanceMemoryTest::rows() { InstanceScript::checkRow(); }

void InstanceMemoryTest::isBlankIfNothingMustBeStored_data()
{
    const Rows<QString, bool> row("script", "isBlank");
    row("", true);
    row("start", true);
    row("start ready", true);
    row("start ready +60s", true);
    row("start ready stop", false);
    row("start ready shutdown", true);
    row("start fail", false);
    row("start fail +1s", false);
    row("start fail +1s ready +59s", false);
    row("start fail +1s ready +60s", true);
    row("start fail shutdown", true); // the next start clears the failures of the breaker
    row("start fail stop isolate", false);
    row("isolate", false);
    row("start exit42", false);
    row("start exit42 +61s", false); // not ready in time
    row("start exit42 ready +61s", true);
}

void InstanceMemoryTest::isBlankIfNothingMustBeStored()
{
    QFETCH(QString, script);
    QFETCH(bool, isBlank);
    InstanceScript run(QString{});
    run.play(script);
    QCOMPARE(run.memory().isBlank(), isBlank);
}

void InstanceMemoryTest::shiftedByMovesEveryInstant()
{
    const Instant then{1h};
    InstanceMemory memory;
    memory.breaker.openedAt = memory.breaker.resetAt = then;
    memory.breaker.lastSuccessAt = memory.breaker.lastFailureAt = then;
    memory.restarts = memory.requests = {then};
    memory.startAt = memory.lastStartAt = then;
    memory.firstFailureAt = memory.lastFailureAt = then;
    memory.plannedDelay = memory.previousDelay = 5s;
    const InstanceMemory moved = memory.shiftedBy(-10s);
    const Instant earlier = then - 10s;
    QVERIFY(moved.breaker.openedAt == earlier && moved.breaker.resetAt == earlier);
    QVERIFY(moved.breaker.lastSuccessAt == earlier && moved.breaker.lastFailureAt == earlier);
    QVERIFY(moved.restarts.front() == earlier && moved.requests.front() == earlier);
    QVERIFY(moved.startAt == earlier && moved.lastStartAt == earlier);
    QVERIFY(moved.firstFailureAt == earlier && moved.lastFailureAt == earlier);
    QVERIFY(moved.plannedDelay == 5s && moved.previousDelay == 5s);
    QVERIFY(moved.shiftedBy(10s) == memory);
}

void InstanceMemoryTest::resumeWithoutMemoryStarts()
{
    InstanceScript run(QString{});
    run.play(QStringLiteral("resume"));
    QCOMPARE(run.log(), QStringLiteral("RUN1"));
    // Only a stopped instance can be resumed.
    run.play(QStringLiteral("ready resume fail resume stop"));
    QCOMPARE(run.log(), QStringLiteral("RUN1 started ready failed scheduled#1@1s cancelled#1"));
}

void InstanceMemoryTest::limitsRestoredWaitsToThePolicy_data()
{
    QTest::addColumn<QString>("policy");
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("state");
    const auto row = [](const char *policy, const char *script, const char *state) {
        QTest::newRow(script) << QString::fromLatin1(policy) << QString::fromLatin1(script)
                              << QString::fromLatin1(state);
    };
    row("initial=8s", "start fail +3s", "Waiting in 8s");
    row("breaker=1/5m", "start fail +1m", "CircuitOpen in 5m");
    row("maxRetries=1 rearm=1h breaker=off", "start fail +1s fail +1m", "Exhausted #1 in 1h");
    row("minInterval=10s", "start ready +4s", "Waiting in 10s");
    row("requested=5s", "start ready exit42 +2s", "Waiting in 5s");
}

// All stored times are a year ahead, as if the clock had been set back.
void InstanceMemoryTest::limitsRestoredWaitsToThePolicy()
{
    QFETCH(QString, policy);
    QFETCH(QString, script);
    QFETCH(QString, state);
    InstanceScript run(policy);
    run.play(script);
    run.restartHostLater(std::chrono::hours(24 * 365));
    QCOMPARE(run.state(), state);
}

REKINDLE_TEST(InstanceMemoryTest)
#include "instancememorytest.moc"
