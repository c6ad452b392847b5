// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "instancechecker.h"

#include <cstdint>

namespace Rekindle {

/// A policy that depends on the number only.
[[nodiscard]] std::shared_ptr<const RestartPolicy> randomPolicy(std::uint32_t number);

/// Applies an input that depends on the number and on the state only.
void applyRandomInput(InstanceChecker &checker, std::uint32_t number);

/// The number and the kind of its input, for messages.
[[nodiscard]] QString describeRandomInput(std::uint32_t number);

/// Applies 200 inputs after a start, or fewer if one violates a rule. Near seeds give different
/// inputs.
[[nodiscard]] InstanceChecker playRandomInputs(std::uint32_t seed);

} // namespace Rekindle
