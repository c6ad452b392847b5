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

DependencyLevels Instance::levels() const
{
    using enum DependencyLevel;
    switch (state) {
    case InstanceState::Starting:
        return launching ? DependencyLevels() : Started;
    case InstanceState::Running:
        return deadline ? Started | Ready : Started | Ready | Stable;
    case InstanceState::Stopped:
        return completed ? Completed : DependencyLevels();
    default:
        return {};
    }
}

} // namespace Rekindle
