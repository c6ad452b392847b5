// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/circuitbreaker.h>
#include <rekindle/policy/instance.h>

#include <vector>

namespace Rekindle {

/// The part of an instance that must survive a crash of the host: attempts, breaker, windows and
/// the planned start. A plain value, made by remember() and restored by InputKind::Resume. Its
/// instants belong to one monotonic clock; shiftedBy() converts them to another.
struct REKINDLE_POLICY_EXPORT InstanceMemory : InstanceProgress
{
    InstanceState state = InstanceState::Stopped;
    PlannedStart planned = PlannedStart::None;

    CircuitBreakerSnapshot breaker{};
    std::vector<Instant> restarts{}; ///< within the policy's window, oldest first
    std::vector<Instant> requests{}; ///< within the policy's request limit, oldest first

    std::optional<Instant> startAt{}; ///< of a planned start that has a time

    /// Whether a new instance would be started in the same way, so that nothing must be stored.
    [[nodiscard]] bool isBlank() const;

    /// The same on a clock that is ahead by `shift`.
    [[nodiscard]] InstanceMemory shiftedBy(Duration shift) const;

    bool operator==(const InstanceMemory &) const = default;
};

/// Returns what must be stored of an instance now.
[[nodiscard]] REKINDLE_POLICY_EXPORT InstanceMemory remember(const Instance &instance, Instant now);

} // namespace Rekindle
