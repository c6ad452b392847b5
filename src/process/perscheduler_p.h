// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/scheduler.h>

#include <memory>
#include <unordered_map>

namespace Rekindle {

/// Returns the only T of this thread and scheduler, which exists while it is referenced.
template<typename T>
std::shared_ptr<T> perScheduler(Scheduler &scheduler)
{
    static thread_local std::unordered_map<Scheduler *, std::weak_ptr<T>> all;
    const auto known = all.find(&scheduler);
    std::shared_ptr<T> one = known == all.end() ? nullptr : known->second.lock();
    if (!one) {
        std::erase_if(all, [](const auto &entry) { return entry.second.expired(); });
        one = std::make_shared<T>(scheduler);
        all.insert_or_assign(&scheduler, one);
    }
    return one;
}

} // namespace Rekindle
