// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/process/descriptorlimit.h>

#include <cstdint>

namespace Rekindle {

/// The limits before they were raised, in the layout of prlimit64.
struct OriginalDescriptorLimit
{
    std::uint64_t soft = 0;
    std::uint64_t hard = 0;
};

/// The limits before DescriptorLimit::raise(); null if it was not called. Set before the limits
/// change, because a child reads it in the memory of its host. The child must use __atomic_load_n,
/// because it must not execute instrumentation of a sanitizer.
extern const OriginalDescriptorLimit *originalDescriptorLimit;

} // namespace Rekindle
