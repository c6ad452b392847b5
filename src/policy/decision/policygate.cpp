// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/policygate.h>

#include <algorithm>

namespace Rekindle {

namespace {

void stepsToLine(RestartPolicy &policy)
{
    const auto first = std::find_if(policy.steps.cbegin(), policy.steps.cend(),
                                    [](Duration step) { return step > Duration::zero(); });
    const Duration wanted = first == policy.steps.cend() ? Duration::zero() : *first;
    // The ranges of a linear policy: its delay is at most a day and at most its maximum.
    policy.initialDelay = std::min<Duration>({wanted, policy.maxDelay, std::chrono::days(1)});
    policy.type = RestartPolicyType::Linear;
    policy.steps.clear();
}

// One step of the downgrade.
void fallBack(RestartPolicy &policy)
{
    switch (policy.type) {
    case RestartPolicyType::Custom:
        // An invalid policy may have no base, or custom as its base; the loop must end.
        policy.type = policy.effectiveType() == RestartPolicyType::Custom ? RestartPolicyType::None
                                                                          : policy.effectiveType();
        policy.evaluator.reset();
        break;
    case RestartPolicyType::Stepped:
        stepsToLine(policy);
        break;
    case RestartPolicyType::Exponential:
        policy.type = RestartPolicyType::Linear;
        break;
    case RestartPolicyType::Linear:
    case RestartPolicyType::Immediate:
    case RestartPolicyType::None:
        policy.type = RestartPolicyType::None;
        break;
    }
}

} // namespace

bool allows(LicenseTier tier, RestartPolicyType type)
{
    switch (type) {
    case RestartPolicyType::None:
        return true;
    case RestartPolicyType::Immediate:
    case RestartPolicyType::Linear:
        return tier >= LicenseTier::WriterPro;
    case RestartPolicyType::Exponential:
    case RestartPolicyType::Stepped:
        return tier >= LicenseTier::Teams;
    case RestartPolicyType::Custom:
        break;
    }
    return tier >= LicenseTier::Enterprise;
}

GatedPolicy gatePolicy(const RestartPolicy &requested, LicenseTier tier)
{
    GatedPolicy result{requested};
    while (!allows(tier, result.policy.type))
        fallBack(result.policy);
    result.downgraded = result.policy.type != requested.type;
    result.gated = result.policy.type == RestartPolicyType::None
        && requested.effectiveType() != RestartPolicyType::None;
    return result;
}

} // namespace Rekindle
