// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Checks the traits of the public value types at compile time, for the host of plug-ins and for the
// interface that plug-ins are built with.

#include "valuetraits.h"

#include <rekindle/evaluator/restartevaluator.h>
#include <rekindle/plugin/evaluatorinfo.h>

namespace Rekindle {

static_assert(Record<EvaluatorInfo>);

template<typename T>
constexpr bool isMessage =
    std::semiregular<T> && std::is_nothrow_move_constructible_v<T> && std::is_aggregate_v<T>;
static_assert(isMessage<EvaluatorQuestion>);
static_assert(isMessage<EvaluatorProbeResult>);
static_assert(isMessage<EvaluatorAnswer>);

static_assert(!std::is_copy_constructible_v<RestartEvaluator>);
static_assert(!std::is_copy_constructible_v<RestartEvaluatorPlugin>);
static_assert(std::has_virtual_destructor_v<RestartEvaluator>);
static_assert(std::has_virtual_destructor_v<RestartEvaluatorPlugin>);

} // namespace Rekindle
