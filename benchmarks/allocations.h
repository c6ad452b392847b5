// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>

/// How often operator new was called in this program so far.
[[nodiscard]] std::uint64_t allocationCount();
