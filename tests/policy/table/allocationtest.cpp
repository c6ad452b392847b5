// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/instancetable.h>

#include <QtTest>

#include <atomic>
#include <cstdlib>
#include <new>

// Counts every allocation of the program. A sanitizer uses this operator new instead of its own and
// still checks malloc() and free().
namespace {
std::atomic<int> allocations{0};
}

void *operator new(std::size_t size)
{
    allocations.fetch_add(1, std::memory_order_relaxed);
    if (void *memory = std::malloc(size == 0 ? 1 : size))
        return memory;
    std::abort();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

int counted(auto work)
{
    const int before = allocations.load();
    work();
    return allocations.load() - before;
}

} // namespace

class AllocationTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void countsAllocations();
    void decideAllocatesNothing();
    void failureAllocatesNothing();
    void guardingCallsAllocatesNothing();
};

void AllocationTest::countsAllocations()
{
    std::unique_ptr<int> kept;
    QCOMPARE(counted([&] { kept = std::make_unique<int>(1); }), 1);
}

void AllocationTest::decideAllocatesNothing()
{
    RestartPolicy policy;
    policy.permanentReasons = {FailureReason::Timeout};
    CircuitBreaker breaker(policy.circuitBreaker);
    int restarts = 0;
    const int count = counted([&] {
        for (int attempt = 0; attempt < 20; ++attempt) {
            const RestartDecision decision = decide({.policy = policy,
                                                     .breaker = breaker,
                                                     .attemptsMade = attempt,
                                                     .exitCode = 1,
                                                     .failedAt = Instant(1h)});
            restarts += decision.shouldRestart ? 1 : 0;
        }
    });
    QCOMPARE(restarts, 10);
    QCOMPARE(count, 0);
}

// Repeated failures, through an open breaker to exhaustion.
void AllocationTest::failureAllocatesNothing()
{
    auto policy = std::make_shared<RestartPolicy>();
    policy->maxRetries = 8;
    Instance instance(policy);
    Instant now{1h};
    const Failure crash{FailureReason::ProcessCrash, {.exitCode = 1}};
    const auto give = [&](InputKind kind) {
        InstanceInput input;
        input.kind = kind;
        input.generation = instance.generation;
        input.failure = &crash;
        return InstanceTable::apply(instance, input, now, 0.5);
    };
    give(InputKind::Start);
    give(InputKind::Launch);
    const int count = counted([&] {
        while (instance.state != InstanceState::Exhausted) {
            give(InputKind::Started);
            give(InputKind::Ready);
            give(InputKind::Failed);
            if (instance.deadline) {
                now = *instance.deadline;
                give(InputKind::Deadline);
                give(InputKind::Launch);
            }
        }
    });
    QCOMPARE(instance.attempt, 8);
    QCOMPARE(count, 0);
}

void AllocationTest::guardingCallsAllocatesNothing()
{
    CircuitBreaker breaker(CircuitBreakerPolicy{});
    const int count = counted([&] {
        for (int i = 0; i < 100; ++i) {
            const Instant now{std::chrono::minutes(i)};
            const auto admission = breaker.admit(now);
            if (i % 7 < 5)
                breaker.recordFailure(admission.generation, now);
            else
                breaker.recordSuccess(admission.generation, now);
        }
    });
    QCOMPARE(count, 0);
}

QTEST_GUILESS_MAIN(AllocationTest)
#include "allocationtest.moc"
