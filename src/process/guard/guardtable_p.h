// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace Rekindle {

/// What a host and its guard share: memory that the host writes and the guard reads when it is
/// rung or when the host is gone. A start and an end cost the host one store each.
struct GuardTable
{
    static constexpr std::uint32_t capacity = 65536;

    struct Slot
    {
        /// Of the live process group; 0 where there is none. Written by the child itself, before
        /// it executes its program: there is no moment at which it runs unknown.
        std::atomic<std::int32_t> group;

        /// Starts of this slot up to this number are over; what still carries their mark in its
        /// environment is an orphan.
        std::atomic<std::uint32_t> ended;
    };

    std::atomic<std::uint32_t> used; ///< slots from here on were never used
    std::atomic<std::uint32_t> rung; ///< not 0: the guard knows that something has ended
    std::array<Slot, capacity> slots;
};

static_assert(std::atomic<std::int32_t>::is_always_lock_free, "it is shared between processes");

/// The name under which each child carries its mark, "RUN:SLOT:START", hexadecimal digits of fixed
/// width. A host that is itself supervised puts the mark of its own supervisor and a '/' in front.
constexpr char markName[] = "REKINDLE_INSTANCE";
constexpr int runDigits = 16;
constexpr int slotDigits = 8;
constexpr int startDigits = 8;
constexpr int markLength = runDigits + 1 + slotDigits + 1 + startDigits;

} // namespace Rekindle
