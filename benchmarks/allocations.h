// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

/// How often memory was allocated in this program so far: operator new, malloc() and the like.
[[nodiscard]] std::uint64_t allocationCount();
