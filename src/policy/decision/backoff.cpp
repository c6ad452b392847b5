// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/backoff.h>

#include <QtGlobal>

#include <algorithm>
#include <cmath>

namespace Rekindle::Backoff {

namespace {

// Multiplies in floating point, which does not wrap, and converts back only below the ceiling.
Duration scaled(Duration duration, double factor, Duration ceiling)
{
    const double product = static_cast<double>(duration.count()) * factor;
    if (!(product < static_cast<double>(ceiling.count())))
        return duration == Duration::zero() ? Duration::zero() : ceiling;
    return Duration(std::llround(product));
}

Duration uncapped(const RestartPolicy &policy, int n)
{
    switch (policy.effectiveType()) {
    case RestartPolicyType::Linear:
        return scaled(policy.initialDelay, n, policy.maxDelay);
    case RestartPolicyType::Exponential:
        return scaled(policy.initialDelay, std::pow(policy.multiplier, n - 1), policy.maxDelay);
    case RestartPolicyType::Stepped:
        return policy.steps.isEmpty()
            ? Duration::zero()
            : policy.steps[std::min<qsizetype>(n, policy.steps.size()) - 1];
    case RestartPolicyType::None:
    case RestartPolicyType::Immediate:
    case RestartPolicyType::Custom:
        break;
    }
    return Duration::zero();
}

Duration between(Duration least, Duration greatest, double u)
{
    return least + Duration(std::llround(u * static_cast<double>((greatest - least).count())));
}

// Without withinMax a draw can exceed the maximum.
Duration held(const RestartPolicy &policy, Duration drawn)
{
    if (!policy.jitter.withinMax || drawn <= policy.maxDelay)
        return drawn;
    return std::max(Duration::zero(), 2 * policy.maxDelay - drawn);
}

Duration jittered(const RestartPolicy &policy, Duration base, Draw draw)
{
    const double ratio = policy.jitter.ratio;
    const double u = draw.u;
    switch (policy.jitter.kind) {
    case JitterKind::None:
        return base;
    case JitterKind::Symmetric:
        return held(policy,
                    between(scaled(base, 1 - ratio, base), base + scaled(base, ratio, base), u));
    case JitterKind::Additive:
        return held(policy, between(base, base + scaled(base, ratio, base), u));
    case JitterKind::Full:
        return between(Duration::zero(), base, u);
    case JitterKind::Decorrelated: {
        const Duration previous = std::max(draw.previous, policy.initialDelay);
        const Duration greatest = scaled(previous, 3, policy.maxDelay);
        return between(std::min(policy.initialDelay, greatest), greatest, u);
    }
    }
    return base;
}

} // namespace

Duration baseDelay(const RestartPolicy &policy, int n)
{
    if (n < 1) {
        qCritical("Backoff: attempt %d: expected 1 or more", n);
        n = 1;
    }
    if (policy.immediateFirst) {
        if (n == 1)
            return Duration::zero();
        --n;
    }
    return std::min(uncapped(policy, n), policy.maxDelay);
}

Duration delay(const RestartPolicy &policy, int n, Draw draw)
{
    const Duration base = baseDelay(policy, n);
    return base > Duration::zero() ? jittered(policy, base, draw) : base;
}

Band band(const RestartPolicy &policy, int n)
{
    const Duration base = baseDelay(policy, n);
    if (base == Duration::zero())
        return {};
    if (policy.jitter.kind == JitterKind::Decorrelated) {
        // The previous delay is itself a draw: at most 3^(n - 1) times the first.
        const int drawn = policy.immediateFirst ? n - 1 : n;
        return {std::min(policy.initialDelay, policy.maxDelay),
                scaled(policy.initialDelay, std::pow(3.0, drawn), policy.maxDelay)};
    }
    const Duration low = jittered(policy, base, {0.0, {}});
    RestartPolicy open = policy;
    open.jitter.withinMax = false;
    const Duration high = jittered(open, base, {1.0, {}});
    if (high <= policy.maxDelay || !policy.jitter.withinMax)
        return {low, high};
    return {std::min(low, held(policy, high)), policy.maxDelay};
}

std::optional<Duration> totalRetryTime(const RestartPolicy &policy)
{
    if (policy.effectiveType() == RestartPolicyType::None || policy.maxRetries == 0)
        return Duration::zero();
    if (!policy.maxRetries)
        return {};
    Duration total{0};
    for (int n = 1; n <= *policy.maxRetries; ++n) {
        const Duration next = baseDelay(policy, n);
        if (next > Duration::max() - total)
            return Duration::max();
        total += next;
    }
    return total;
}

} // namespace Rekindle::Backoff
