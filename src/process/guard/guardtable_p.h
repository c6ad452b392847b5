// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace Rekindle {

/// Memory that the host writes, and that the guard reads when it is notified, when the kill time is
/// due, and when the host has exited. A start and an end cost the host one store each.
struct GuardTable
{
    static constexpr std::uint32_t capacity = 65536;

    struct Slot
    {
        /// The process group; 0 if there is none. The child writes it before it executes its
        /// program, so that it never runs unregistered.
        std::atomic<std::int32_t> group;

        /// Starts of this slot up to this number have ended. Processes with their mark in the
        /// environment are orphans.
        std::atomic<std::uint32_t> ended;

        /// Not 0: `killTime` applies to the processes of this slot.
        std::atomic<std::uint32_t> bound;
    };

    static constexpr std::int64_t noKillTime = 0;
    static constexpr std::int64_t killTimePassed = 1;

    /// When the guard kills the processes of all bound slots, in nanoseconds of CLOCK_BOOTTIME. The
    /// host moves it with one exchange. It wakes the guard only if the guard has no timer for this
    /// time or an earlier one. After the guard has killed, it replaces the time with
    /// killTimePassed.
    ///
    /// A child writes its group first and reads this time then, and the guard does the reverse.
    /// Therefore, the child does not execute its program, or the guard kills it.
    std::atomic<std::int64_t> killTime;

    std::atomic<std::uint32_t> used;     ///< slots from this one on were never used
    std::atomic<std::uint32_t> notified; ///< not 0: the guard was notified of an end
    std::array<Slot, capacity> slots;
};

static_assert(std::atomic<std::int32_t>::is_always_lock_free
                  && std::atomic<std::int64_t>::is_always_lock_free,
              "shared between processes");

/// The variable with the mark of a child: "RUN:SLOT:START" in hexadecimal digits of fixed width. A
/// host that is itself supervised prepends the mark of its own supervisor and a '/'.
constexpr char markName[] = "REKINDLE_INSTANCE";
constexpr int runDigits = 16;
constexpr int slotDigits = 8;
constexpr int startDigits = 8;
constexpr int markLength = runDigits + 1 + slotDigits + 1 + startDigits;

} // namespace Rekindle
