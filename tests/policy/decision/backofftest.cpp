// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "properties.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/policy/backoff.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <vector>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

constexpr double almostOne = 0x1.fffffffffffffp-1;

RestartPolicy plain(RestartPolicyType type)
{
    RestartPolicy policy;
    policy.type = type;
    policy.jitter.kind = JitterKind::None;
    return policy;
}

// Any permitted value; the limits are more frequent than others.
Duration anyDuration(Duration greatest)
{
    return *rc::gen::weightedOneOf<Duration>(
        {{1, rc::gen::element<Duration>(0ns, 1ns, 1ms, 1s, greatest)},
         {3,
          rc::gen::map(rc::gen::resize(100, rc::gen::inRange<std::int64_t>(0, greatest.count())),
                       [](std::int64_t count) { return Duration(count); })}});
}

double anyUnit()
{
    return *rc::gen::weightedOneOf<double>(
        {{1, rc::gen::element(0.0, 0.5, almostOne)},
         {3, rc::gen::map(rc::gen::resize(100, rc::gen::inRange(0, 1 << 30)), [](int number) {
              return number / static_cast<double>(1 << 30);
          })}});
}

RestartPolicy anyPolicy()
{
    using enum RestartPolicyType;
    RestartPolicy policy;
    policy.type = *rc::gen::element(None, Immediate, Linear, Exponential, Stepped);
    policy.initialDelay = anyDuration(24h);
    policy.maxDelay = policy.initialDelay + anyDuration(7 * 24h - policy.initialDelay);
    policy.multiplier = 1 + 99 * std::pow(anyUnit(), 3);
    policy.immediateFirst = *rc::gen::arbitrary<bool>();
    for (int i = *rc::gen::inRange(1, 6); i > 0; --i)
        policy.steps.append(anyDuration(7 * 24h));
    policy.jitter.kind =
        *rc::gen::element(JitterKind::None, JitterKind::Symmetric, JitterKind::Additive,
                          JitterKind::Full, JitterKind::Decorrelated);
    policy.jitter.ratio = *rc::gen::element(0.0, 0.2, 0.25, 0.5, 1.0);
    return policy;
}

int anyAttempt()
{
    return *rc::gen::weightedOneOf<int>(
        {{3, rc::gen::resize(100, rc::gen::inRange(1, 40))},
         {1, rc::gen::resize(100, rc::gen::inRange(1, std::numeric_limits<int>::max()))},
         {1, rc::gen::element(1, 2, std::numeric_limits<int>::max())}});
}

} // namespace

class BackoffTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reportsAttemptsBelowOne();
    void ExponentialBackoff_CalculatesCorrectly();
    void Jitter_AppliesRandomization();
    void delayOfEachType_data();
    void delayOfEachType();
    void jitterWithoutMaximumFollowsItsFormula_data();
    void jitterWithoutMaximumFollowsItsFormula();
    void drawsAboveTheMaximumAreReflected();
    void totalRetryTime_data();
    void totalRetryTime();

    void exponentialGrowsByItsMultiplier();
    void linearGrowsByItsBase();
    void delaysDoNotShrinkOrExceedTheMaximum();
    void immediateFirstShiftsTheFormula();
    void jitterStaysInItsBandAndBelowTheMaximum();
    void decorrelatedStaysWithinThreeTimesThePrevious();
    void delaysAtTheMaximumStayDistributed_data();
    void delaysAtTheMaximumStayDistributed();
};

void BackoffTest::reportsAttemptsBelowOne()
{
    QTest::ignoreMessage(QtCriticalMsg, "Backoff: attempt 0: expected 1 or more");
    QCOMPARE(Backoff::baseDelay({}, 0), Duration(1s));
    QTest::ignoreMessage(QtCriticalMsg, "Backoff: attempt -1: expected 1 or more");
    QCOMPARE(Backoff::baseDelay({}, -1), Duration(1s));
}

void BackoffTest::ExponentialBackoff_CalculatesCorrectly()
{
    RestartPolicy policy = plain(RestartPolicyType::Exponential);
    policy.initialDelay = 1s;
    policy.multiplier = 2.0;
    const std::array<Duration, 5> expected{1s, 2s, 4s, 8s, 16s};
    for (int n = 1; n <= 5; ++n)
        QCOMPARE(Backoff::delay(policy, n, {}), expected[static_cast<std::size_t>(n - 1)]);
}

void BackoffTest::Jitter_AppliesRandomization()
{
    RestartPolicy policy;
    policy.type = RestartPolicyType::Linear;
    policy.initialDelay = 10s;
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> unit;
    std::vector<Duration> delays;
    for (int i = 0; i < 100; ++i)
        delays.push_back(Backoff::delay(policy, 1, {unit(random), {}}));
    const auto [least, greatest] = std::minmax_element(delays.begin(), delays.end());
    QVERIFY(*least >= 7500ms);
    QVERIFY(*greatest <= 12500ms);
    // The whole band is used.
    QVERIFY(*least < 8s);
    QVERIFY(*greatest > 12s);
    QCOMPARE(Backoff::delay(policy, 1, {0, {}}), Duration(7500ms));
    QCOMPARE(Backoff::delay(policy, 1, {0.5, {}}), Duration(10s));
}

void BackoffTest::delayOfEachType_data()
{
    const Rows<RestartPolicy, int, qint64> row("policy", "attempt", "seconds");
    using enum RestartPolicyType;
    constexpr int huge = std::numeric_limits<int>::max();

    row("none", plain(None), 3, 0LL);
    row("immediate", plain(Immediate), 3, 0LL);
    row("linear", plain(Linear), 7, 7LL);
    row("linear at the cap", plain(Linear), 60, 60LL);
    row("linear beyond the cap", plain(Linear), 61, 60LL);
    row("linear, huge attempt", plain(Linear), huge, 60LL);
    row("exponential below the cap", plain(Exponential), 6, 32LL);
    row("exponential beyond the cap", plain(Exponential), 7, 60LL);
    row("exponential, huge attempt", plain(Exponential), huge, 60LL);

    RestartPolicy steep = plain(Exponential);
    steep.initialDelay = 24h;
    steep.multiplier = 100;
    steep.maxDelay = 7 * 24h;
    row("one day, multiplier 100: first", steep, 1, 86400LL);
    row("one day, multiplier 100: second", steep, 2, 7 * 86400LL);
    row("one day, multiplier 100: huge attempt", steep, huge, 7 * 86400LL);

    RestartPolicy flat = plain(Exponential);
    flat.initialDelay = 0s;
    flat.multiplier = 100;
    row("no delay stays none", flat, 1, 0LL);
    row("no delay stays none, huge attempt", flat, huge, 0LL);
    flat.type = Linear;
    row("no delay stays none, linear", flat, huge, 0LL);

    RestartPolicy stepped = plain(Stepped);
    stepped.steps = {1s, 1s, 5s, 10s};
    row("stepped: first", stepped, 1, 1LL);
    row("stepped: third", stepped, 3, 5LL);
    row("stepped: last repeats", stepped, huge, 10LL);
    stepped.maxDelay = 8s;
    row("stepped: capped", stepped, 4, 8LL);

    RestartPolicy custom = plain(Custom);
    custom.evaluator = EvaluatorReference{};
    custom.evaluator->base = Linear;
    row("custom has the delays of its base", custom, 4, 4LL);
}

void BackoffTest::delayOfEachType()
{
    QFETCH(RestartPolicy, policy);
    QFETCH(int, attempt);
    QFETCH(qint64, seconds);
    QCOMPARE(Backoff::baseDelay(policy, attempt), Duration(std::chrono::seconds(seconds)));
    QCOMPARE(Backoff::delay(policy, attempt, {}), Duration(std::chrono::seconds(seconds)));
}

void BackoffTest::jitterWithoutMaximumFollowsItsFormula_data()
{
    const Rows<JitterKind, double, double, qint64> row("kind", "ratio", "u", "milliseconds");
    // At the cap of 60 s, where the difference shows.
    row("S1: 0.75 + u / 2, least", JitterKind::Symmetric, 0.25, 0.0, 45000LL);
    row("S1: middle", JitterKind::Symmetric, 0.25, 0.5, 60000LL);
    row("S1: above the maximum", JitterKind::Symmetric, 0.25, 0.75, 67500LL);
    row("S2: none added", JitterKind::Additive, 0.5, 0.0, 60000LL);
    row("S2: a quarter added", JitterKind::Additive, 0.5, 0.5, 75000LL);
}

void BackoffTest::jitterWithoutMaximumFollowsItsFormula()
{
    QFETCH(JitterKind, kind);
    QFETCH(double, ratio);
    QFETCH(double, u);
    QFETCH(qint64, milliseconds);
    RestartPolicy policy;
    policy.jitter = {kind, ratio, false};
    QCOMPARE(Backoff::delay(policy, 20, {u, {}}),
             Duration(std::chrono::milliseconds(milliseconds)));
}

void BackoffTest::drawsAboveTheMaximumAreReflected()
{
    RestartPolicy policy;
    QCOMPARE(Backoff::delay(policy, 20, {0.75, {}}), Duration(52500ms)); // 67.5 s
    QCOMPARE(Backoff::delay(policy, 20, {0.25, {}}), Duration(52500ms));
    policy.jitter = {JitterKind::Additive, 1.0, true};
    QCOMPARE(Backoff::delay(policy, 20, {0.75, {}}), Duration(15s)); // 105 s
}

void BackoffTest::totalRetryTime_data()
{
    const Rows<RestartPolicy, std::optional<Duration>> row("policy", "total");
    using Total = std::optional<Duration>;
    using enum RestartPolicyType;

    row("none", plain(None), Total(0s));
    row("immediate", plain(Immediate), Total(0s));
    RestartPolicy policy = plain(Exponential);
    policy.maxRetries = 5;
    row("S1's five attempts", policy, Total(31s));
    policy.jitter = {};
    row("jitter does not count", policy, Total(31s));
    policy.immediateFirst = true;
    row("immediateFirst", policy, Total(15s));
    policy.maxRetries = 0;
    row("no retries", policy, Total(0s));
    policy.maxRetries.reset();
    row("unlimited has no total", policy, Total());
    policy.type = None;
    row("unlimited, but none", policy, Total(0s));
    policy = plain(Linear);
    policy.maxRetries = 3;
    row("linear", policy, Total(6s));
    policy.maxRetries = 1'000'000;
    policy.initialDelay = 24h;
    policy.maxDelay = 7 * 24h;
    row("saturates", policy, Total(Duration::max()));
}

void BackoffTest::totalRetryTime()
{
    QFETCH(RestartPolicy, policy);
    QFETCH(std::optional<Duration>, total);
    QCOMPARE(Backoff::totalRetryTime(policy), total);
}

void BackoffTest::exponentialGrowsByItsMultiplier()
{
    verifyProperty("d(n + 1) / d(n) is the multiplier until the cap", 1000, [] {
        RestartPolicy policy = anyPolicy();
        policy.type = RestartPolicyType::Exponential;
        policy.immediateFirst = false;
        const int n = *rc::gen::inRange(1, 30);
        const double now = static_cast<double>(Backoff::baseDelay(policy, n).count());
        const double next = static_cast<double>(Backoff::baseDelay(policy, n + 1).count());
        const double cap = static_cast<double>(policy.maxDelay.count());
        const double expected = std::min(cap, now * policy.multiplier);
        // Half a nanosecond is lost at either rounding.
        RC_ASSERT(std::abs(next - expected) <= 1 + policy.multiplier + expected * 1e-12);
    });
}

void BackoffTest::linearGrowsByItsBase()
{
    verifyProperty("d(n) is n times the base until the cap", 1000, [] {
        RestartPolicy policy = anyPolicy();
        policy.type = RestartPolicyType::Linear;
        policy.immediateFirst = false;
        const int n = *rc::gen::inRange(1, 100'000);
        RC_ASSERT(Backoff::baseDelay(policy, n)
                  == std::min<Duration>(policy.initialDelay * n, policy.maxDelay));
    });
}

void BackoffTest::delaysDoNotShrinkOrExceedTheMaximum()
{
    verifyProperty("monotone and at most maxDelay", 1000, [] {
        RestartPolicy policy = anyPolicy();
        std::sort(policy.steps.begin(), policy.steps.end());
        const int n = std::min(anyAttempt(), std::numeric_limits<int>::max() - 1);
        const Duration now = Backoff::baseDelay(policy, n);
        RC_ASSERT(now >= 0ns);
        RC_ASSERT(now <= Backoff::baseDelay(policy, n + 1));
        RC_ASSERT(Backoff::baseDelay(policy, n + 1) <= policy.maxDelay);
    });
}

void BackoffTest::immediateFirstShiftsTheFormula()
{
    verifyProperty("attempt 1 at once, attempt n + 1 as n", 500, [] {
        RestartPolicy policy = anyPolicy();
        policy.immediateFirst = false;
        RestartPolicy shifted = policy;
        shifted.immediateFirst = true;
        const int n = std::min(anyAttempt(), std::numeric_limits<int>::max() - 1);
        RC_ASSERT(Backoff::delay(shifted, 1, {anyUnit(), 1s}) == 0ns);
        RC_ASSERT(Backoff::baseDelay(shifted, n + 1) == Backoff::baseDelay(policy, n));
    });
}

void BackoffTest::jitterStaysInItsBandAndBelowTheMaximum()
{
    verifyProperty("every draw lies in band(); withinMax holds", 3000, [] {
        RestartPolicy policy = anyPolicy();
        policy.jitter.withinMax = *rc::gen::arbitrary<bool>();
        // Several draws, because decorrelated jitter depends on the previous delay.
        Duration previous{0};
        const int first = policy.jitter.kind == JitterKind::Decorrelated ? 1 : anyAttempt();
        for (int n = first, left = 5; left > 0 && n >= first; --left) {
            const Duration delay = Backoff::delay(policy, n, {anyUnit(), previous});
            const Backoff::Band band = Backoff::band(policy, n);
            RC_ASSERT(delay >= 0ns);
            RC_ASSERT(delay >= band.least);
            RC_ASSERT(delay <= band.greatest);
            if (policy.jitter.withinMax || policy.jitter.kind == JitterKind::Decorrelated)
                RC_ASSERT(band.greatest <= policy.maxDelay);
            if (Backoff::baseDelay(policy, n) == 0ns)
                RC_ASSERT(delay == 0ns);
            previous = delay;
            n = n < std::numeric_limits<int>::max() ? n + 1 : first - 1;
        }
    });
}

void BackoffTest::decorrelatedStaysWithinThreeTimesThePrevious()
{
    verifyProperty("initialDelay <= d <= min(maxDelay, 3 * previous)", 1000, [] {
        RestartPolicy policy = anyPolicy();
        policy.type = RestartPolicyType::Exponential;
        policy.immediateFirst = false;
        policy.jitter.kind = JitterKind::Decorrelated;
        RC_PRE(policy.initialDelay > 0ns);
        const Duration previous = *rc::gen::element<Duration>(
            0ns, policy.initialDelay, policy.maxDelay, policy.maxDelay / 3, Duration::max());
        const Duration delay = Backoff::delay(policy, anyAttempt(), {anyUnit(), previous});
        const Duration before = std::max(previous, policy.initialDelay);
        RC_ASSERT(delay >= policy.initialDelay);
        RC_ASSERT(delay <= policy.maxDelay);
        RC_ASSERT(delay / 3 <= before);
    });
}

void BackoffTest::delaysAtTheMaximumStayDistributed_data()
{
    const Rows<Jitter> row("jitter");
    row("symmetric", Jitter{JitterKind::Symmetric, 0.25, true});
    row("additive", Jitter{JitterKind::Additive, 0.5, true});
    row("full", Jitter{JitterKind::Full, 0.25, true});
    row("decorrelated", Jitter{JitterKind::Decorrelated, 0.25, true});
}

// The requirement of spec 2: 1,000 clients fail together, twelve times in a row.
void BackoffTest::delaysAtTheMaximumStayDistributed()
{
    QFETCH(Jitter, jitter);
    RestartPolicy policy;
    policy.maxDelay = 30s;
    policy.jitter = jitter;
    std::mt19937_64 random(42);
    std::uniform_real_distribution<double> unit;
    std::map<std::int64_t, int> bins;
    for (int client = 0; client < 1000; ++client) {
        Duration delay{0};
        for (int n = 1; n <= 12; ++n)
            delay = Backoff::delay(policy, n, {unit(random), delay});
        QVERIFY(delay <= policy.maxDelay);
        ++bins[delay / 100ms];
    }
    const auto fullest = std::max_element(bins.begin(), bins.end(),
                                          [](auto &a, auto &b) { return a.second < b.second; });
    QVERIFY2(fullest->second <= 30, qPrintable(QString::number(fullest->second)));
}

REKINDLE_TEST(BackoffTest)
#include "backofftest.moc"
