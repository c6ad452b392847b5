// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "breakers.h"
#include "testprogram.h"

using namespace Rekindle;
using namespace std::chrono_literals;
using State = CircuitBreakerState;

/// Restoring a breaker from a snapshot.
class BreakerSnapshotTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void restoresTheSnapshot();
    void restoredTrialDoesNotCount();
    void limitsRestoredResetTimeToThePolicy();
    void restoresClosedWithoutABreakerPolicy();
};

void BreakerSnapshotTest::restoresTheSnapshot()
{
    CircuitBreaker before = breakerOf(2, 10s, 2.0);
    QVERIFY(before.recordSuccess(before.generation(), start));
    fail(before, start + 1s);
    fail(before, start + 2s);
    before.beginTrial();
    fail(before, start + 12s);
    before.isolate();

    CircuitBreaker after = breakerOf(2, 10s, 2.0);
    after.restore(before.snapshot(), start + 13s);
    QVERIFY(after.snapshot() == before.snapshot());
    QVERIFY(after.isIsolated());
    after.release();
    QVERIFY(after.state() == State::Open);
    QVERIFY(after.resetAt() == start + 32s);
    QCOMPARE(after.failureCount(), 3);
    QVERIFY(!after.admit(start + 31s).admitted);
    QVERIFY(after.admit(start + 32s).admitted);
    fail(after, start + 33s);
    QVERIFY(after.resetAt() == start + 73s); // growth continues: 10 s, 20 s, 40 s
}

void BreakerSnapshotTest::restoredTrialDoesNotCount()
{
    CircuitBreaker before = openBreaker();
    before.beginTrial();
    CircuitBreaker after = breakerOf(1, 5min);
    after.restore(before.snapshot(), start + 6min);
    QVERIFY(after.state() == State::Open);
    QVERIFY(after.admit(start + 6min).admitted);
}

void BreakerSnapshotTest::limitsRestoredResetTimeToThePolicy()
{
    CircuitBreakerSnapshot late = openBreaker(1h).snapshot();
    late.resetAt += 24h;
    late.openedAt += 24h;
    late.lastFailureAt = start + 24h;
    CircuitBreaker after = breakerOf(1, 10s);
    after.restore(late, start);
    QVERIFY(after.resetAt() == start + 10s);
    QVERIFY(after.snapshot().openedAt == start && after.snapshot().lastFailureAt == start);
}

void BreakerSnapshotTest::restoresClosedWithoutABreakerPolicy()
{
    CircuitBreaker before = openBreaker();
    CircuitBreaker after{std::optional<CircuitBreakerPolicy>()};
    after.restore(before.snapshot(), start + 1s);
    QVERIFY(after.state() == State::Closed);
    QVERIFY(after.admit(start + 1s).admitted);
    before.beginTrial();
    after.restore(before.snapshot(), start + 1s);
    QVERIFY(after.state() == State::Closed);
    before.isolate(); // isolation needs no policy
    after.restore(before.snapshot(), start + 1s);
    QVERIFY(after.isIsolated() && after.state() == State::Open);
    after.release();
    QVERIFY(after.state() == State::Closed);
}

REKINDLE_TEST(BreakerSnapshotTest)
#include "breakersnapshottest.moc"
