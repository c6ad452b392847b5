// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/process/descriptorlimit.h>

#include <cstdint>

namespace Rekindle {

/// The limits before they were raised, laid out as prlimit64 takes them.
struct OriginalDescriptorLimit
{
    std::uint64_t soft = 0;
    std::uint64_t hard = 0;
};

/// What DescriptorLimit has changed; null if nothing. Set before the change, so that a child that
/// reads it in the memory of its host never misses a change that it was born with. To be read with
/// __atomic_load_n there: a child executes nothing that a sanitizer has added to.
extern const OriginalDescriptorLimit *originalDescriptorLimit;

} // namespace Rekindle
