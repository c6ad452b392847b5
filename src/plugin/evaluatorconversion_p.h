// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/evaluator/restartevaluator.h>
#include <rekindle/lifecycle/customevaluators.h>

namespace Rekindle {

// Between the types of the library and the frozen types of the plug-in interface.

[[nodiscard]] EvaluatorQuestion toQuestion(const EvaluatorRequest &request);
[[nodiscard]] EvaluatorVerdict toVerdict(const EvaluatorAnswer &answer);

} // namespace Rekindle
