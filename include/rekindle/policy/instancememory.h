// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/instance.h>

#include <vector>

namespace Rekindle {

/// What a host must not forget of an instance when it is killed: attempts, breaker, windows and the
/// start that is planned (spec 11). A plain value, taken out by remember() and put back by
/// InputKind::Resume. Its moments are of one monotonic clock; shiftedBy() moves them to another.
struct REKINDLE_POLICY_EXPORT InstanceMemory
{
    InstanceState state = InstanceState::Stopped;
    PlannedStart planned = PlannedStart::None;
    int attempt = 0; ///< automatic restarts begun in this sequence
    bool inSequence = false;
    bool onceReady = false;

    CircuitBreakerSnapshot breaker{};
    std::vector<Instant> restarts{}; ///< those that count in the policy's window, oldest first
    std::vector<Instant> requests{}; ///< requested restarts of the last minute, oldest first

    std::optional<Instant> startAt{}; ///< of a planned start; nothing where none has a time
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

    /// Whether an instance that nobody knows anything about would be started in the same way: then
    /// there is nothing to keep.
    [[nodiscard]] bool isBlank() const;

    /// The same on a clock that shows `shift` more.
    [[nodiscard]] InstanceMemory shiftedBy(Duration shift) const;

    bool operator==(const InstanceMemory &) const = default;
};

/// What there is to keep of an instance at this moment.
[[nodiscard]] REKINDLE_POLICY_EXPORT InstanceMemory remember(const Instance &instance, Instant now);

} // namespace Rekindle
