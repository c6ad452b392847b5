// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

namespace Rekindle {

/// Whether a public type is a plain value: without a constructor, copied and cheaply moved.
template<typename Value>
constexpr bool isValue = std::is_aggregate_v<Value> && std::is_nothrow_move_constructible_v<Value>
    && std::is_copy_assignable_v<Value>;

} // namespace Rekindle
