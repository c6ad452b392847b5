// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/instance.h>

namespace Rekindle {

Instance::Instance(std::shared_ptr<const RestartPolicy> thePolicy)
    : policy(std::move(thePolicy))
    , breaker(policy->circuitBreaker)
    , restarts(policy->window ? SlidingWindow(policy->window->restarts, policy->window->period)
                              : SlidingWindow())
    , requests(policy->requestLimit.count, policy->requestLimit.period)
{
}

} // namespace Rekindle
