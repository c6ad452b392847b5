// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/process/descriptorlimit.h>
#include <rekindle/process/resourcelimit.h>

namespace Rekindle {

/// The limits before DescriptorLimit::raise(); null if it was not called. Set before the limits
/// change, because a child reads it in the memory of its host. The child must use __atomic_load_n,
/// because it must not execute instrumentation of a sanitizer.
extern const ResourceLimit *originalDescriptorLimit;

} // namespace Rekindle
