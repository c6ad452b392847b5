// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

/// Returns the number of allocations of this program so far: operator new, malloc() and the like.
[[nodiscard]] std::uint64_t allocationCount();
