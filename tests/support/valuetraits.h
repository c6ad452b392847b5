// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <type_traits>

namespace Rekindle {

/// A regular type whose moves and destructor do not throw.
template<typename T>
concept Value = std::regular<T> && std::is_nothrow_move_constructible_v<T>
    && std::is_nothrow_move_assignable_v<T> && std::is_nothrow_destructible_v<T>;

/// A value that is initialized with {...} and has only public members.
template<typename T>
concept Record = Value<T> && std::is_aggregate_v<T>;

} // namespace Rekindle
