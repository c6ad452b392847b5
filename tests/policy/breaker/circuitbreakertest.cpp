// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "breakers.h"
#include "referencebreaker.h"
#include "testprogram.h"

using namespace Rekindle;
using namespace std::chrono_literals;
using State = CircuitBreakerState;

class CircuitBreakerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void failuresWhileOpenKeepTheResetTime();
    void failedTrialsOpenForLonger();
    void staysIsolatedUntilReleased();
    void offCountsButDoesNotOpen();
    void closesAtTheNextFailureAfterItWasTurnedOff();
    void tripOpensRegardlessOfTheCount();
    void clearFailuresAppliesOnlyIfClosed();
    void policyChangeKeepsTheResetTime();
    void infoHasStateAndTimes();
    void everySequenceToDepthEightMatchesTheReference();
};

void CircuitBreakerTest::failuresWhileOpenKeepTheResetTime()
{
    CircuitBreaker breaker = openBreaker();
    fail(breaker, start + 4min);
    QCOMPARE(breaker.resetAt(), start + 5min);
    QCOMPARE(breaker.failureCount(), 2);
    QCOMPARE(breaker.openFor(start + 4min), std::optional<Duration>(1min));
}

void CircuitBreakerTest::failedTrialsOpenForLonger()
{
    CircuitBreaker breaker = breakerOf(1, 1min, 2.0, 5min);
    Instant now = start;
    for (const Duration expected : {1min, 2min, 4min, 5min, 5min}) {
        fail(breaker, now);
        QCOMPARE(breaker.resetAt() - now, expected);
        now = breaker.resetAt();
        QVERIFY(breaker.admit(now).admitted);
    }
    for (int i = 0; i < 2000; ++i) { // growth^k overflows
        fail(breaker, now);
        QCOMPARE(breaker.resetAt() - now, Duration(5min));
        breaker.beginTrial();
    }
}

void CircuitBreakerTest::staysIsolatedUntilReleased()
{
    CircuitBreaker breaker = breakerOf(3, 5min);
    breaker.isolate();
    QVERIFY(breaker.isIsolated());
    QVERIFY(breaker.state() == State::Open);
    QVERIFY(!breaker.admit(start + 24h).admitted);
    QVERIFY(!breaker.openFor(start));
    breaker.release();
    QVERIFY(breaker.state() == State::Closed);

    CircuitBreaker open = openBreaker();
    open.isolate();
    open.release();
    QVERIFY(open.state() == State::Open);
    QCOMPARE(open.resetAt(), start + 5min);
    open.isolate();
    open.beginTrial();
    QVERIFY(open.state() == State::HalfOpen);
    QVERIFY(!open.isIsolated());
}

void CircuitBreakerTest::offCountsButDoesNotOpen()
{
    CircuitBreaker breaker;
    for (int i = 0; i < 100; ++i)
        fail(breaker, start);
    QVERIFY(breaker.state() == State::Closed);
    QCOMPARE(breaker.failureCount(), 100);
    breaker.isolate();
    QVERIFY(!breaker.admit(start).admitted);
}

void CircuitBreakerTest::closesAtTheNextFailureAfterItWasTurnedOff()
{
    CircuitBreaker breaker = openBreaker();
    breaker.setPolicy({});
    QVERIFY(!breaker.admit(start).admitted);
    const auto trial = breaker.admit(start + 5min).generation;
    QVERIFY(breaker.recordFailure(trial, start + 5min));
    QVERIFY(breaker.state() == State::Closed);
}

void CircuitBreakerTest::tripOpensRegardlessOfTheCount()
{
    CircuitBreaker breaker = breakerOf(5, 5min);
    breaker.trip(start);
    QVERIFY(breaker.state() == State::Open);
    breaker.trip(start + 1min);
    QCOMPARE(breaker.resetAt(), start + 5min);
}

void CircuitBreakerTest::clearFailuresAppliesOnlyIfClosed()
{
    CircuitBreaker breaker = breakerOf(2, 5min);
    fail(breaker, start);
    breaker.isolate();
    breaker.clearFailures();
    QCOMPARE(breaker.failureCount(), 0);
    QVERIFY(breaker.isIsolated());
    breaker.release();
    fail(breaker, start);
    QVERIFY(breaker.state() == State::Closed);

    CircuitBreaker open = openBreaker();
    open.clearFailures();
    QVERIFY(open.state() == State::Open);
    QCOMPARE(open.failureCount(), 1);
    open.beginTrial();
    open.clearFailures();
    QVERIFY(open.state() == State::HalfOpen);
    QCOMPARE(open.failureCount(), 1);
}

void CircuitBreakerTest::policyChangeKeepsTheResetTime()
{
    CircuitBreaker breaker = openBreaker();
    breaker.setPolicy(CircuitBreakerPolicy{1, 1min, 1.0, 1h});
    QVERIFY(breaker.state() == State::Open);
    QCOMPARE(breaker.resetAt(), start + 5min);
    breaker.reset();
    fail(breaker, start);
    QCOMPARE(breaker.resetAt(), start + 1min);
}

void CircuitBreakerTest::infoHasStateAndTimes()
{
    const UtcTime utc{1000h};
    CircuitBreaker breaker = breakerOf(2, 5min);
    QCOMPARE(breaker.info(start, utc), CircuitBreakerInfo::closed());
    breaker.recordSuccess(breaker.generation(), start);
    fail(breaker, start + 10s);
    fail(breaker, start + 20s);
    const CircuitBreakerInfo info = breaker.info(start + 1min, utc + 1min);
    QVERIFY(info.state == State::Open);
    QCOMPARE(info.failureCount, 2);
    QVERIFY(!info.isolated);
    QVERIFY(info.openedAt == utc + 20s);
    QVERIFY(info.resetAt == utc + 20s + 5min);
    QVERIFY(info.lastSuccessAt == utc);
    QVERIFY(info.lastFailureAt == utc + 20s);
    breaker.isolate();
    QVERIFY(breaker.info(start, utc).isolated);
    QVERIFY(!breaker.info(start, utc).resetAt);
    breaker.beginTrial();
    QVERIFY(breaker.info(start, utc).state == State::HalfOpen);
    QVERIFY(!breaker.info(start, utc).openedAt);
}

namespace {

// Both breakers and the last admitted call, whose result can arrive at any time.
struct Pair
{
    CircuitBreaker real = breakerOf(2, 10s, 2.0, 30s);
    ReferenceBreaker reference{CircuitBreakerPolicy{2, 10s, 2.0, 30s}};
    Instant now = start;
    CircuitBreaker::Generation call = real.generation();
    int callBegan = 0; // in transitions of the reference
};

constexpr int operationCount = 7;

// Whether both behave identically.
bool operate(Pair &pair, int operation)
{
    ReferenceBreaker &reference = pair.reference;
    const bool inTime = pair.callBegan == reference.transitions;
    bool agreed = true;
    switch (operation) {
    case 0:
        agreed = pair.real.recordFailure(pair.call, pair.now) == inTime;
        if (inTime)
            reference.fail(pair.now);
        break;
    case 1: {
        const bool counts = inTime && reference.beneath != State::Open;
        agreed = pair.real.recordSuccess(pair.call, pair.now) == counts;
        if (counts)
            reference.succeed();
        break;
    }
    case 2:
        agreed = pair.real.recordIgnored(pair.call, pair.now) == inTime;
        if (inTime)
            reference.ignore(pair.now);
        break;
    case 3: {
        const CircuitBreaker::Admission admission = pair.real.admit(pair.now);
        agreed = admission.admitted == reference.admit(pair.now);
        if (admission.admitted) {
            pair.call = admission.generation;
            pair.callBegan = reference.transitions;
        }
        break;
    }
    case 4:
        pair.now += 5s;
        break;
    case 5:
        reference.setIsolated(!reference.isolated);
        reference.isolated ? pair.real.isolate() : pair.real.release();
        break;
    case 6:
        pair.real.reset();
        reference.reset();
        break;
    }
    return agreed && pair.real.state() == reference.state()
        && pair.real.failureCount() == reference.failures
        && (reference.beneath != State::Open || pair.real.resetAt() == reference.until);
}

// The first sequence that differs, or nothing.
QString explore(const Pair &from, int depth)
{
    for (int operation = 0; depth > 0 && operation < operationCount; ++operation) {
        Pair pair = from;
        if (!operate(pair, operation))
            return QString::number(operation);
        const QString rest = explore(pair, depth - 1);
        if (!rest.isEmpty())
            return QString::number(operation) + rest;
    }
    return {};
}

} // namespace

void CircuitBreakerTest::everySequenceToDepthEightMatchesTheReference()
{
    const QString difference = explore({}, 8);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
}

REKINDLE_TEST(CircuitBreakerTest)
#include "circuitbreakertest.moc"
