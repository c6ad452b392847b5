// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "instancescript.h"
#include "testprogram.h"

#include <rekindle/policy/instancememory.h>

#include <QtTest>

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
    InstanceScript::addColumns();
    InstanceScript::row("a wait continues for the remaining time", u"initial=8s",
        u"start fail +3s killed +4s",
        u"RUN1 failed scheduled#1@8s 3s KILLED scheduled#1@5s",
        u"Waiting in 1s");
    InstanceScript::row("an overdue attempt starts at once", u"",
        u"start fail late +1s +1h killed prompt launch",
        u"RUN1 failed scheduled#1@1s 1s LAUNCH 3601s KILLED scheduled#1@0s LAUNCH RUN1 attempt#1",
        u"Starting #1 in 30s");
    InstanceScript::row("attempts continue to count", u"maxRetries=3 breaker=off",
        u"start fail +1s fail killed +2s fail killed +4s fail",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1+@2s scheduled#2@2s "
         "KILLED scheduled#2@2s 3s RUN1 attempt#2 failed unsuccessful#2+@4s scheduled#3@4s "
         "KILLED scheduled#3@4s 7s RUN1 attempt#3 failed unsuccessful#3- exhausted#3",
        u"Exhausted #3");
    InstanceScript::row("a starting agent is started again without a new attempt", u"",
        u"start fail +1s started killed started fail",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 started KILLED RUN1 started failed "
         "scheduled#2@2s",
        u"Waiting #1 in 2s");
    InstanceScript::row("a running agent keeps its counts until it is stable", u"breaker=3/10s",
        u"start ready fail +1s ready fail +2s ready +59s killed ready +59s fail",
        u"RUN1 started ready failed scheduled#1@1s 1s RUN2 attempt#1 started ready succeeded#1 "
         "failed scheduled#2@2s 3s RUN3 attempt#2 started ready succeeded#2 62s KILLED RUN1 "
         "started ready 121s failed closed>open@10s",
        u"CircuitOpen #2 in 10s");
    InstanceScript::row("stable ends a restored sequence", u"breaker=3/10s",
        u"start ready fail +1s ready killed ready +60s fail",
        u"RUN1 started ready failed scheduled#1@1s 1s RUN2 attempt#1 started ready succeeded#1 "
         "KILLED RUN1 started ready 61s stable failed scheduled#1@1s",
        u"Waiting in 1s");
    InstanceScript::row("an open breaker stays open for the remaining time", u"breaker=1/5m",
        u"start fail +1m killed +4m",
        u"RUN1 failed closed>open@5m 1m KILLED restored:closed>open@4m 5m RUN1 open>halfopen attempt#1",
        u"Starting #1 in 30s");
    InstanceScript::row("a trial in flight does not count: the next start is the trial", u"breaker=1/10s/2/1h",
        u"start fail +10s started killed fail",
        u"RUN1 failed closed>open@10s 10s RUN2 open>halfopen attempt#1 started KILLED "
         "restored:closed>open@0s RUN1 open>halfopen failed halfopen>open@20s",
        u"CircuitOpen #1 in 20s");
    InstanceScript::row("failed trials continue to count", u"breaker=1/10s/2/1h",
        u"start fail +10s fail killed +20s fail",
        u"RUN1 failed closed>open@10s 10s RUN2 open>halfopen attempt#1 failed "
         "unsuccessful#1+@20s halfopen>open@20s KILLED restored:closed>open@20s 30s RUN1 open>halfopen "
         "attempt#2 failed unsuccessful#2+@40s halfopen>open@40s",
        u"CircuitOpen #2 in 40s");
    InstanceScript::row("isolated stays isolated", u"",
        u"start ready isolate killed +1h release",
        u"RUN1 started ready closed>open KILLED restored:closed>open 1h open>closed RUN1",
        u"Starting in 30s");
    InstanceScript::row("a stopped agent stays isolated", u"",
        u"isolate killed +1h release",
        u"closed>open KILLED restored:closed>open 1h open>closed RUN1",
        u"Starting in 30s");
    InstanceScript::row("a stopping agent stays isolated", u"",
        u"start ready isolate stop killed +1h start",
        u"RUN1 started ready closed>open STOP KILLED restored:closed>open 1h open>closed RUN1",
        u"Starting in 30s");
    InstanceScript::row("a restored start of an operator is the trial", u"breaker=1/5m",
        u"start fail stop late start killed prompt launch",
        u"RUN1 failed closed>open@5m LAUNCH KILLED restored:closed>open@5m LAUNCH RUN1 "
         "open>halfopen",
        u"Starting in 30s");
    InstanceScript::row("a start delayed by minInterval does not begin a new sequence",
        u"minInterval=10s breaker=off maxRetries=1",
        u"start fail +10s ready +4s killed killed +6s fail",
        u"RUN1 failed scheduled#1@10s 10s RUN2 attempt#1 started ready succeeded#1 14s KILLED KILLED "
         "20s RUN1 failed exhausted#1",
        u"Exhausted #1");
    InstanceScript::row("exhausted stays exhausted", u"maxRetries=0",
        u"start fail killed +24h",
        u"RUN1 failed exhausted#0 KILLED",
        u"Exhausted");
    InstanceScript::row("rearming keeps its time", u"maxRetries=1 rearm=1h breaker=off",
        u"start fail +1s fail +20m killed",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- exhausted#1 1201s "
         "KILLED",
        u"Exhausted #1 in 40m");
    InstanceScript::row("the restarted host rearms", u"maxRetries=1 rearm=1h breaker=off",
        u"start fail +1s fail +20m killed +40m",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- exhausted#1 1201s "
         "KILLED 3601s RUN1 attempt#1",
        u"Starting #1 in 30s");
    InstanceScript::row("exhausted by the window stays exhausted", u"window=1/1m breaker=off",
        u"start fail +1s fail +1h killed",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- exhausted#1 3601s KILLED",
        u"Exhausted #1");
    InstanceScript::row("another policy: more attempts and room in the window", u"maxRetries=1 window=5/1m breaker=off",
        u"start fail +1s fail +1h killed:maxRetries=5,window=5/1m,breaker=off",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- exhausted#1 3601s "
         "KILLED scheduled#2@0s RUN1 attempt#2",
        u"Starting #2 in 30s");
    InstanceScript::row("another policy: more attempts, but a full window", u"maxRetries=1 window=5/1m breaker=off",
        u"start fail +1s fail +1h killed:maxRetries=5,window=1/1m,breaker=off",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- exhausted#1 3601s "
         "KILLED",
        u"Exhausted #1");
    InstanceScript::row("exhausted and isolated stays exhausted", u"window=1/1m breaker=off",
        u"start fail +1s fail isolate +1h killed release",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- exhausted#1 "
         "closed>open 3601s KILLED restored:closed>open open>closed",
        u"Exhausted #1");
    InstanceScript::row("the window continues to count", u"window=2/1m breaker=off",
        u"start fail +1s fail killed +2s fail",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1+@2s scheduled#2@2s "
         "KILLED scheduled#2@2s 3s RUN1 attempt#2 failed unsuccessful#2- exhausted#2",
        u"Exhausted #2");
    InstanceScript::row("a failed agent is started once by a new host", u"type=none",
        u"start fail killed fail",
        u"RUN1 failed KILLED RUN1 failed",
        u"Failed");
    InstanceScript::row("a failed agent is not started while the breaker is open", u"breaker=1/5m",
        u"start permanent +1m killed",
        u"RUN1 failed closed>open@5m 1m KILLED restored:closed>open@4m",
        u"CircuitOpen in 4m");
    InstanceScript::row("a stopped agent begins a new sequence", u"breaker=off",
        u"start fail +1s fail stop killed fail",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1+@2s scheduled#2@2s "
         "cancelled#2 KILLED RUN1 failed scheduled#1@1s",
        u"Waiting in 1s");
    InstanceScript::row("a stopping agent begins a new sequence", u"",
        u"start ready stop killed",
        u"RUN1 started ready STOP KILLED RUN1",
        u"Starting in 30s");
    InstanceScript::row("a requested restart waits for the remaining time", u"requested=5s",
        u"start ready exit42 +2s killed",
        u"RUN1 started ready requested stopped 2s KILLED",
        u"Waiting in 3s");
    InstanceScript::row("requests continue to count", u"",
        u"start exit42 exit42 exit42 exit42 exit42 killed exit42 exit42 exit42 exit42 exit42 exit42",
        u"RUN1 requested stopped RUN2 requested stopped RUN3 requested stopped RUN4 requested "
         "stopped RUN5 requested stopped RUN6 KILLED RUN1 requested stopped RUN2 requested stopped "
         "RUN3 requested stopped RUN4 requested stopped RUN5 requested stopped RUN6 failed "
         "scheduled#1@1s",
        u"Waiting in 1s");
    InstanceScript::row("a pending evaluation gets the built-in decision", u"custom",
        u"start fail killed",
        u"RUN1 failed EVALUATE KILLED scheduled#1@1s",
        u"Waiting in 1s");
    InstanceScript::row("the delay of an evaluator still applies", u"custom",
        u"start fail delay:1h +10m killed",
        u"RUN1 failed EVALUATE scheduled#1@1h 10m KILLED scheduled#1@50m",
        u"Waiting in 50m");
    InstanceScript::row("minInterval applies across a restart of the host", u"minInterval=10s",
        u"start ready +4s killed",
        u"RUN1 started ready 4s KILLED",
        u"Waiting in 6s");
    InstanceScript::row("another policy: the delay is calculated again from the failure", u"initial=30s",
        u"start fail +2s killed:initial=8s",
        u"RUN1 failed scheduled#1@30s 2s KILLED scheduled#1@6s",
        u"Waiting in 6s");
    InstanceScript::row("another policy: no attempt is left", u"breaker=off",
        u"start fail +1s fail killed:maxRetries=1,breaker=off",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1+@2s scheduled#2@2s "
         "KILLED exhausted#1",
        u"Exhausted #1");
    InstanceScript::row("another policy: an exhausted agent has attempts left", u"maxRetries=1 breaker=off",
        u"start fail +1s fail +10m killed:maxRetries=5,breaker=off",
        u"RUN1 failed scheduled#1@1s 1s RUN2 attempt#1 failed unsuccessful#1- exhausted#1 601s "
         "KILLED scheduled#2@0s RUN1 attempt#2",
        u"Starting #2 in 30s");
    InstanceScript::row("a killed unhealthy agent waits for the remaining time", u"initial=8s",
        u"start ready unhealthy +3s killed",
        u"RUN1 started ready failed scheduled#1@8s KILL 3s KILLED scheduled#1@5s",
        u"Waiting in 5s");
    InstanceScript::row("the next host does not wait for the unhealthy process", u"",
        u"start ready unhealthy +1h killed",
        u"RUN1 started ready failed scheduled#1@1s KILL 1h KILLED scheduled#1@0s RUN1 attempt#1",
        u"Starting #1 in 30s");
    InstanceScript::row("a gated agent is started once", u"",
        u"start fail gate:type=none killed:type=none",
        u"RUN1 failed scheduled#1@1s cancelled#1 KILLED RUN1",
        u"Starting in 30s");
    InstanceScript::row("another policy: none", u"",
        u"start fail killed:type=none",
        u"RUN1 failed scheduled#1@1s KILLED",
        u"Failed");
    InstanceScript::row("another policy: no breaker", u"breaker=1/1h",
        u"start fail +1m killed:breaker=off",
        u"RUN1 failed closed>open@1h 1m KILLED scheduled#1@0s RUN1 attempt#1",
        u"Starting #1 in 30s");
    InstanceScript::row("another policy: a shorter breaker", u"breaker=1/1h",
        u"start fail killed:breaker=1/10s/1/10s",
        u"RUN1 failed closed>open@1h KILLED restored:closed>open@10s",
        u"CircuitOpen in 10s");
}
// clang-format on

void InstanceMemoryTest::rows() { InstanceScript::checkRow(); }

void InstanceMemoryTest::isBlankIfNothingMustBeStored_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<bool>("isBlank");
    const auto row = [](const char *script, bool isBlank) {
        QTest::newRow(script) << QString::fromLatin1(script) << isBlank;
    };
    row("", true);
    row("start", true);
    row("start ready", true);
    row("start ready +60s", true);
    row("start ready stop", true);
    row("start fail", false);
    row("start fail +1s", false);
    row("start fail +1s ready +59s", false);
    row("start fail +1s ready +60s", true);
    row("start fail stop", false); // the breaker has counted it
    row("start fail stop reset", true);
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
