// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "descriptorlimit_p.h"

#include <sys/resource.h>

#include <mutex>

namespace Rekindle {

const OriginalDescriptorLimit *originalDescriptorLimit = nullptr;

bool DescriptorLimit::raise()
{
    static std::mutex mutex;
    static OriginalDescriptorLimit original;
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

} // namespace Rekindle
