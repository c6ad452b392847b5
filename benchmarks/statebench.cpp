// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/state/statefile.h>

#include <QCoreApplication>
#include <QLoggingCategory>
#include <QTemporaryDir>
#include <QUuid>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <optional>
#include <tuple>

// N agents crash about ten times a second in real time, with and without a state file: writes per
// second, CPU time of the engine's thread, and the longest block of its event loop.
//
//   statebench [N] [SECONDS]

namespace {

using namespace Rekindle;
using namespace std::chrono_literals;

// Fails as soon as it runs.
class Mayfly final : public Agent
{
public:
    void start() override
    {
        Q_EMIT started();
        Q_EMIT failed(FailureReason::ProcessCrash, {});
    }
    void stop() override { Q_EMIT stopped(); }
};

// CPU time of this thread, without the writer's thread.
Duration ownTime()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

struct Cost
{
    quint64 changes = 0; ///< of memory
    quint64 failures = 0;
    quint64 writes = 0;
    Duration engine{0};
    Duration maxBlocked{0}; ///< of the event loop
};

double microseconds(Duration time, quint64 each)
{
    return std::chrono::duration<double, std::micro>(time).count()
        / static_cast<double>(std::max<quint64>(each, 1));
}

RestartPolicy looping()
{
    RestartPolicy policy;
    policy.type = RestartPolicyType::Exponential;
    policy.initialDelay = 100ms;
    policy.multiplier = 1;
    policy.jitter.withinMax = false;
    policy.maxRetries.reset();
    policy.circuitBreaker.reset();
    return policy;
}

Cost measure(int count, std::chrono::seconds time, bool withState)
{
    const QTemporaryDir folder;
    const SystemClock clock;
    TimerScheduler scheduler;
    AgentSupervisor supervisor(scheduler);
    FixedLicenseProvider license(LicenseTier::Enterprise);
    supervisor.featureGate().setProvider(&license);
    std::optional<StateFile> state;
    if (withState) {
        state.emplace(supervisor, StateFileOptions{.path = folder.filePath(QStringLiteral("s"))});
        if (!state->open())
            std::exit(1);
    }
    for (int i = 0; i < count; ++i)
        std::ignore = supervisor.add(QStringLiteral("agent-%1").arg(i), std::make_unique<Mayfly>(),
                                     looping());

    Cost cost;
    const QMetaObject::Connection counting =
        QObject::connect(&supervisor.policyEvaluator(), &RestartPolicyEvaluator::agentFailed,
                         &supervisor, [&cost] { ++cost.failures; });
    if (withState)
        QObject::connect(&supervisor.policyEvaluator(), &RestartPolicyEvaluator::memoryChanged,
                         &supervisor, [&cost] { ++cost.changes; });
    supervisor.startAll();

    const Duration before = ownTime();
    const Instant end = clock.now() + time;
    while (clock.now() < end) {
        const Duration begun = ownTime();
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        cost.maxBlocked = std::max(cost.maxBlocked, ownTime() - begun);
    }
    cost.engine = ownTime() - before;
    cost.writes = state ? state->writeCount() : 0;
    QObject::disconnect(counting);
    return cost;
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    QLoggingCategory::setFilterRules(QStringLiteral("rekindle.restart=false"));
    const int count = argc > 1 ? std::atoi(argv[1]) : 1000;
    const std::chrono::seconds time(argc > 2 ? std::atoi(argv[2]) : 10);
    std::printf("%d agents in a crash loop, %lld s each\n", count,
                static_cast<long long>(time.count()));
    std::printf("%-13s %10s %10s %9s %14s %13s\n", "", "failures/s", "changes/s", "writes/s",
                "us/failure", "longest pass");
    double perFailure[2] = {};
    quint64 changesPerFailure = 1;
    for (const bool withState : {false, true}) {
        const Cost cost = measure(count, time, withState);
        const auto perSecond = [&](quint64 number) {
            return static_cast<double>(number) / static_cast<double>(time.count());
        };
        perFailure[withState ? 1 : 0] = microseconds(cost.engine, cost.failures);
        if (withState)
            changesPerFailure =
                std::max<quint64>(1, cost.changes / std::max<quint64>(1, cost.failures));
        std::printf("%-13s %10.0f %10.0f %9.2f %14.2f %10.2f ms\n",
                    withState ? "with state" : "without", perSecond(cost.failures),
                    perSecond(cost.changes), perSecond(cost.writes), perFailure[withState ? 1 : 0],
                    std::chrono::duration<double, std::milli>(cost.maxBlocked).count());
    }
    std::printf("the state file costs the engine's thread %.2f us for each change\n",
                (perFailure[1] - perFailure[0]) / static_cast<double>(changesPerFailure));
    return 0;
}
