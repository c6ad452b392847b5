// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsonplace.h"
#include "json/jsonwriter.h"

#include <rekindle/policy/restartpolicy.h>

namespace Rekindle {

struct RestartPlan;

/// Reads and validates the policy at a place inside a larger text. Faults and warnings are added to
/// the place's collector. A faulty value has its default in the result. `startTimeout` is the
/// default of this key.
[[nodiscard]] REKINDLE_POLICY_EXPORT RestartPolicy
readPolicy(const JsonPlace &place, Duration startTimeout = RestartPolicy().startTimeout);

/// Writes all keys of a policy as one object.
REKINDLE_POLICY_EXPORT void writePolicy(JsonWriter &json, const RestartPolicy &policy);

/// Writes the breaker of a policy as one object, or null without one.
REKINDLE_POLICY_EXPORT void writeBreaker(JsonWriter &json, const RestartPolicy &policy);

/// Writes the members of a plan.
REKINDLE_POLICY_EXPORT void writePlan(JsonWriter &json, const RestartPlan &plan);

/// The keys whose values differ, sorted.
[[nodiscard]] REKINDLE_POLICY_EXPORT QStringList differingKeys(const RestartPolicy &one,
                                                               const RestartPolicy &other);

} // namespace Rekindle
