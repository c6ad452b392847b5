// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsonwriter.h"

#include <rekindle/policy/restartdecision.h>

namespace Rekindle {

/// The value of the key `rule` of a decision.
[[nodiscard]] REKINDLE_POLICY_EXPORT QString toText(DecisionRule rule);

/// Writes the members of toJson(RestartDecision) into an open object. With `withJitter`, the inputs
/// also have the kind of jitter.
REKINDLE_POLICY_EXPORT void writeMembers(JsonWriter &json, const RestartDecision &decision,
                                         bool withJitter);

} // namespace Rekindle
