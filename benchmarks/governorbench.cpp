// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/governor.h>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <vector>

// CPU time per operation of the governor with N queued starts of ten priorities: to queue a start,
// to read its place, to grant and launch it, and to cancel queued starts in the reverse order of
// their addition, as when a host stops all agents.
//
//   governorbench

namespace {

using namespace Rekindle;

double cpuNanoseconds()
{
    std::timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

double perOperation(std::size_t count, const auto &work)
{
    const double begin = cpuNanoseconds();
    work();
    return (cpuNanoseconds() - begin) / static_cast<double>(count);
}

void measure(uint count)
{
    constexpr int priorities = Governor::highestPriority + 1;
    constexpr auto automatic = GovernedStart::Automatic;
    const Instant now{std::chrono::hours(1)};
    std::vector<QUuid> ids;
    for (uint i = 0; i < count; ++i)
        ids.emplace_back(i * 2654435761U, static_cast<ushort>(i), 0, 0, 0, 0, 0, 0, 0, 0, 1);
    Governor governor({.maxStarting = 1, .rate = 10'000, .burst = 10'000});
    governor.admit(QUuid::createUuid(), GovernedStart::Operator, 0, now, now);
    int priority = 0;
    const auto queueAll = [&] {
        for (const QUuid &id : ids)
            governor.admit(id, automatic, priority++ % priorities, now, now);
    };
    const double queued = perOperation(ids.size(), queueAll);
    qsizetype places = 0;
    const double place = perOperation(ids.size(), [&] {
        for (const QUuid &id : ids)
            places += governor.place(id);
    });
    const double canceled = perOperation(ids.size(), [&] {
        for (auto id = ids.rbegin(); id != ids.rend(); ++id)
            governor.cancel(*id);
    });
    queueAll();
    governor.setLimits({.maxStarting = 10'000, .rate = 10'000, .burst = 10'000}, now);
    // Each launched agent is ready at once.
    Instant then = now;
    const double granted = perOperation(ids.size(), [&] {
        while (governor.queuedCount() > 0) {
            then += std::chrono::microseconds(100);
            while (const std::optional<QUuid> id = governor.next(then)) {
                governor.admit(*id, automatic, 0, then, then);
                governor.release(*id);
            }
        }
    });
    std::printf(
        "%7u queued: queue %4.0f ns, place %4.0f ns, cancel %4.0f ns, grant to ready %4.0f ns\n",
        count, queued, place, canceled, granted);
    if (places == 0)
        std::puts("no start was queued");
}

} // namespace

int main()
{
    for (const uint count : {1'000U, 10'000U, 100'000U})
        measure(count);
    return 0;
}
