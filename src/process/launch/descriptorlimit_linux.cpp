// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "descriptorlimit_p.h"

#include <rekindle/process/processdefinition.h>

#include <sys/resource.h>

#include <algorithm>
#include <mutex>

namespace Rekindle {

const ResourceLimit *originalDescriptorLimit = nullptr;

bool DescriptorLimit::raise()
{
    static std::mutex mutex;
    static ResourceLimit original;
    const std::scoped_lock lock(mutex);

    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return false;
    if (limit.rlim_cur >= limit.rlim_max)
        return true;
    if (!originalDescriptorLimit) {
        original = {limit.rlim_cur, limit.rlim_max};
        __atomic_store_n(&originalDescriptorLimit, &original, __ATOMIC_RELEASE);
    }
    limit.rlim_cur = limit.rlim_max;
    return ::setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

std::optional<qint64> DescriptorLimit::hard()
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_max == RLIM_INFINITY)
        return std::nullopt;
    return static_cast<qint64>(limit.rlim_max);
}

int DescriptorLimit::neededBy(const ProcessDefinition &definition)
{
    int needed = 1;
    if (definition.standardInput == ProcessDefinition::StandardInput::Pipe)
        ++needed;
    for (const OutputTarget *target : {&definition.standardOutput, &definition.standardError}) {
        if (target->kind == OutputTarget::Kind::Lines || target->kind == OutputTarget::Kind::Pipe)
            ++needed;
        if (target->kind == OutputTarget::Kind::File && target->rotation)
            needed += 2;
    }
    const bool usesWatchdog =
        std::any_of(definition.health.cbegin(), definition.health.cend(),
                    [](const auto &probe) { return probe.kind && probe.kind->usesWatchdog; });
    if (definition.readiness.kind == Readiness::Kind::Notify || usesWatchdog)
        ++needed;
    return needed;
}

} // namespace Rekindle
