// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/export.h>
#include <rekindle/policy/timepoint.h>

namespace Rekindle {

/// What time it is. The only reader of the system's clocks in this library is SystemClock.
/// Implementations are thread-safe unless they say otherwise.
class REKINDLE_LIFECYCLE_EXPORT Clock
{
public:
    Clock() = default;
    virtual ~Clock();
    Q_DISABLE_COPY_MOVE(Clock)

    /// Monotonic: what everything is decided by. It stands still while the machine is suspended.
    [[nodiscard]] virtual Instant now() const = 0;

    /// Wall-clock time, for people and records only.
    [[nodiscard]] virtual UtcTime utcNow() const = 0;

    /// The wall-clock time of a moment, as far as one can tell now.
    [[nodiscard]] UtcTime toUtc(Instant instant) const;
};

/// The machine's own clocks. Thread-safe.
class REKINDLE_LIFECYCLE_EXPORT SystemClock final : public Clock
{
public:
    [[nodiscard]] Instant now() const override;
    [[nodiscard]] UtcTime utcNow() const override;
};

} // namespace Rekindle
