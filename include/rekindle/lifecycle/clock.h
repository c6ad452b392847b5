// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/export.h>
#include <rekindle/policy/timepoint.h>

namespace Rekindle {

/// The source of time (spec 8). Only SystemClock reads the clocks of the system. Implementations
/// are thread-safe unless they state otherwise.
class REKINDLE_LIFECYCLE_EXPORT Clock
{
public:
    Clock() = default;
    virtual ~Clock();
    Q_DISABLE_COPY_MOVE(Clock)

    /// Returns the monotonic time, which all decisions use. It does not include time in which the
    /// machine is suspended.
    [[nodiscard]] virtual Instant now() const = 0;

    /// Returns the time since the machine was booted. Unlike now(), it includes time in which the
    /// machine is suspended. Do not compare or mix it with now(). The default, also of platforms
    /// without such a clock, is now().
    [[nodiscard]] virtual Instant bootNow() const { return now(); }

    /// Returns the wall-clock time, for display and records only.
    [[nodiscard]] virtual UtcTime utcNow() const = 0;

    /// Converts a monotonic time to wall-clock time by the current offset of the two clocks.
    [[nodiscard]] UtcTime toUtc(Instant instant) const;
};

/// The clocks of the system. Thread-safe.
class REKINDLE_LIFECYCLE_EXPORT SystemClock final : public Clock
{
public:
    [[nodiscard]] Instant now() const override;
    /// Reads CLOCK_BOOTTIME.
    [[nodiscard]] Instant bootNow() const override;
    [[nodiscard]] UtcTime utcNow() const override;
};

} // namespace Rekindle
