// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/instance.h>

#include <vector>

namespace Rekindle {

/// The part of an instance that must survive a crash of the host: attempts, breaker, windows and
/// the planned start. A plain value, made by remember() and restored by InputKind::Resume. Its
/// instants belong to one monotonic clock; shiftedBy() converts them to another.
struct REKINDLE_POLICY_EXPORT InstanceMemory
{
    InstanceState state = InstanceState::Stopped;
    PlannedStart planned = PlannedStart::None;
    int attempt = 0; ///< automatic restarts begun in this sequence
    bool inSequence = false;
    bool onceReady = false;

    CircuitBreakerSnapshot breaker{};
    std::vector<Instant> restarts{}; ///< within the policy's window, oldest first
    std::vector<Instant> requests{}; ///< requested restarts of the last minute, oldest first

    std::optional<Instant> startAt{}; ///< of a planned start that has a time
    std::optional<Instant> lastStartAt{};

    // Of a sequence.
    Instant firstFailureAt{};
    Instant lastFailureAt{};
    FailureReason lastReason = FailureReason::Unknown;
    std::optional<int> lastExitCode{};
    bool lastPermanent = false;
    double draw = 0; ///< in [0, 1)
    Duration plannedDelay{0};
    Duration previousDelay{0};

    /// Whether a new instance would be started in the same way, so that nothing must be stored.
    [[nodiscard]] bool isBlank() const;

    /// The same on a clock that is ahead by `shift`.
    [[nodiscard]] InstanceMemory shiftedBy(Duration shift) const;

    bool operator==(const InstanceMemory &) const = default;
};

/// Returns what must be stored of an instance now.
[[nodiscard]] REKINDLE_POLICY_EXPORT InstanceMemory remember(const Instance &instance, Instant now);

} // namespace Rekindle
