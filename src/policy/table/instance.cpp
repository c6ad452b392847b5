// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/instance.h>
#include <rekindle/policy/instancetable.h>

#include "json/enumnames.h"

namespace Rekindle {

namespace {
using enum InstanceState;
constexpr std::array<EnumName<InstanceState>, instanceStateCount> names = {{
    {Stopped, QLatin1String("Stopped")},
    {Starting, QLatin1String("Starting")},
    {Running, QLatin1String("Running")},
    {Waiting, QLatin1String("Waiting")},
    {CircuitOpen, QLatin1String("CircuitOpen")},
    {Evaluating, QLatin1String("Evaluating")},
    {Stopping, QLatin1String("Stopping")},
    {Exhausted, QLatin1String("Exhausted")},
    {Failed, QLatin1String("Failed")},
    {Gated, QLatin1String("Gated")},
}};

SlidingWindow restartsOf(const RestartPolicy &policy)
{
    return policy.window ? SlidingWindow(policy.window->restarts, policy.window->period)
                         : SlidingWindow();
}
} // namespace

QString toText(InstanceState state) { return nameOf(names, state); }

Instance::Instance(std::shared_ptr<const RestartPolicy> thePolicy)
    : policy(std::move(thePolicy))
    , breaker(policy->circuitBreaker)
    , restarts(restartsOf(*policy))
    , requests(InstanceTable::freeRequests, InstanceTable::requestPeriod)
{
}

} // namespace Rekindle
