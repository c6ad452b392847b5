// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "allocations.h"

#include <rekindle/groups/agentdependencies.h>
#include <rekindle/groups/agentgroups.h>
#include <rekindle/groups/startgate.h>
#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/lifecycle/virtualscheduler.h>
#include <rekindle/policy/grouptable.h>
#include <rekindle/policy/instancetable.h>

#include <QLoggingCategory>

#include <malloc.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <vector>

// CPU time, allocations and memory of groups:
// - of all decisions about one failure in a group of three with oneForAll, in the tables: of the
//   failed agent, its group and the governor
// - of one failure with all events and their receivers: groups, dependencies and the governor
// - additional memory of 10,000 agents in 100 nested groups, compared with the same agents alone
//
//   groupbench

namespace {

using namespace Rekindle;
using namespace std::chrono_literals;

double cpuNanoseconds()
{
    std::timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

/// In this process. It fails on demand.
class Ember final : public Agent
{
public:
    void start() override
    {
        Q_EMIT started();
        Q_EMIT ready();
    }
    void stop() override { Q_EMIT stopped(); }
    void crash() { Q_EMIT failed(FailureReason::UnhandledException, {}); }
};

RestartPolicy endless()
{
    RestartPolicy policy;
    policy.maxRetries.reset();
    policy.circuitBreaker.reset();
    policy.stableAfter = Duration{0};
    policy.jitter.kind = JitterKind::None;
    return policy;
}

void applyIncident(Group &group, Instant now)
{
    constexpr std::array<GroupInput, 8> inputs = {{
        {.kind = GroupInputKind::MemberFailed, .member = 1},
        {.kind = GroupInputKind::MemberDown, .member = 2},
        {.kind = GroupInputKind::MemberDown, .member = 0},
        {.kind = GroupInputKind::MemberDue, .member = 1},
        {.kind = GroupInputKind::MemberReady, .member = 0},
        {.kind = GroupInputKind::MemberReady, .member = 1},
        {.kind = GroupInputKind::MemberReady, .member = 2},
        {.kind = GroupInputKind::Proceed},
    }};
    for (const GroupInput &each : inputs)
        GroupTable::apply(group, each, now);
}

bool measureTables()
{
    constexpr int count = 200'000;
    Group group({.name = QStringLiteral("g"),
                 .members = {{.name = QStringLiteral("a")},
                             {.name = QStringLiteral("b")},
                             {.name = QStringLiteral("c")}},
                 .strategy = GroupStrategy::OneForAll,
                 .period = 1ms});
    group.state = GroupState::Running;
    std::fill(group.members.begin(), group.members.end(), MemberState::Ready);
    Instance instance(std::make_shared<const RestartPolicy>(endless()));
    const Failure crash{FailureReason::ProcessCrash, {.exitCode = 1}};
    Governor governor({.maxStarting = 8, .rate = 10'000, .burst = 10'000});
    const std::array<QUuid, 3> ids = {QUuid::createUuid(), QUuid::createUuid(),
                                      QUuid::createUuid()};
    Instant now{1h};
    governor.admit(QUuid::createUuid(), GovernedStart::Operator, 0, now, now);
    InstanceTable::apply(instance, {.kind = InputKind::Start}, now, 0);
    const auto pass = [&] {
        now += 1s;
        InstanceTable::apply(instance, {.kind = InputKind::Launch}, now, 0);
        const quint64 generation = instance.generation;
        InstanceTable::apply(instance, {.kind = InputKind::Ready, .generation = generation}, now,
                             0);
        InstanceTable::apply(
            instance, {.kind = InputKind::Failed, .generation = generation, .failure = &crash}, now,
            0.5);
        applyIncident(group, now);
        for (const QUuid &id : ids)
            governor.admit(id, GovernedStart::Automatic, 0, now, now);
        for (const QUuid &id : ids)
            governor.release(id);
        now += 1min;
        InstanceTable::apply(instance, {.kind = InputKind::Deadline}, now, 0);
    };
    for (int i = 0; i < 1000; ++i)
        pass();
    const std::uint64_t before = allocationCount();
    const double begin = cpuNanoseconds();
    for (int i = 0; i < count; ++i)
        pass();
    std::printf("tables:  %4.0f ns and %.2f allocations per failure in a group of three\n",
                (cpuNanoseconds() - begin) / count,
                static_cast<double>(allocationCount() - before) / count);
    return group.state == GroupState::Running && instance.generation > count;
}

/// A supervisor with agents, and with all that acts on several agents.
class Host
{
public:
    explicit Host(int count)
    {
        supervisor.featureGate().setProvider(&license);
        for (int i = 0; i < count; ++i) {
            auto ember = std::make_unique<Ember>();
            embers.push_back(ember.get());
            (void)supervisor.add(QStringLiteral("agent-%1").arg(i), std::move(ember), policy);
        }
    }

    VirtualClock clock;
    VirtualScheduler scheduler{clock};
    FixedLicenseProvider license{LicenseTier::Enterprise};
    RestartPolicy policy = endless();
    AgentSupervisor supervisor{scheduler};
    std::vector<Ember *> embers;
};

/// Groups of `size` agents; each group contains the next one, up to ten.
QList<GroupDefinition> nestedGroups(int count, int size)
{
    constexpr int depth = 10;
    QList<GroupDefinition> groups;
    for (int i = 0; i < count; ++i) {
        GroupDefinition group{
            .name = QStringLiteral("group-%1").arg(i), .maxRestarts = 10'000, .period = 1s};
        for (int j = 0; j < size; ++j)
            group.members.append({.name = QStringLiteral("agent-%1").arg(i * size + j)});
        if (i % depth != depth - 1)
            group.members.append({.name = QStringLiteral("group-%1").arg(i + 1), .isGroup = true});
        groups.append(group);
    }
    return groups;
}

bool measureEngine()
{
    constexpr int count = 20'000;
    Host host(30);
    AgentDependencies dependencies(host.supervisor);
    AgentGroups groups(dependencies);
    StartGate gate(host.supervisor);
    gate.setLimits(GovernorLimits{.maxStarting = 8, .rate = 10'000, .burst = 10'000});
    bool isValid = groups.setGroups(nestedGroups(10, 3)).isEmpty();
    for (int i = 1; i < 30; ++i) {
        isValid = isValid
            && dependencies
                   .setDependencies(QStringLiteral("agent-%1").arg(i),
                                    {{.agent = QStringLiteral("agent-%1").arg(i - 1)}})
                   .isEmpty();
    }
    host.supervisor.startAll();
    host.scheduler.advance(1min);
    double time = 0;
    std::uint64_t allocations = 0;
    for (int i = 0; i < count; ++i) {
        Ember *const ember = host.embers[static_cast<std::size_t>(i) % host.embers.size()];
        const std::uint64_t before = allocationCount();
        const double begin = cpuNanoseconds();
        ember->crash();
        time += cpuNanoseconds() - begin;
        allocations += allocationCount() - before;
        host.scheduler.advance(1min);
    }
    std::printf("engine:  %4.0f ns and %.2f allocations per failure\n", time / count,
                static_cast<double>(allocations) / count);
    return isValid && groups.state(QStringLiteral("group-9")) == GroupState::Running;
}

bool measureMemory()
{
    constexpr int count = 10'000;
    const auto used = [] { return static_cast<double>(mallinfo2().uordblks); };
    const double begin = used();
    Host host(count);
    host.supervisor.startAll();
    host.scheduler.advance(1min);
    const double agents = used();
    AgentDependencies dependencies(host.supervisor);
    AgentGroups groups(dependencies);
    const bool isValid = groups.setGroups(nestedGroups(100, count / 100)).isEmpty();
    const double all = used();
    std::printf("memory:  %.2f MB of %d agents, %.2f MB more in 100 nested groups\n",
                (agents - begin) / 1e6, count, (all - agents) / 1e6);
    return isValid && groups.state(QStringLiteral("group-99")) == GroupState::Running;
}

} // namespace

int main()
{
    QLoggingCategory::setFilterRules(QStringLiteral("rekindle.restart=false"));
    if (measureTables() && measureEngine() && measureMemory())
        return 0;
    std::puts("the groups were not in the expected state");
    return 1;
}
