// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/json/parsed.h>
#include <rekindle/policy/restartdecision.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/policy/validation.h>

#include <QByteArray>

namespace Rekindle {

/// Reads a policy from a JSON object. Missing keys have their defaults. All unknown keys, wrong
/// types, ranges and contradictions are reported at once, each with its place. Never throws.
/// Thread-safe.
[[nodiscard]] REKINDLE_POLICY_EXPORT Parsed<RestartPolicy>
restartPolicyFromJson(const QByteArray &json);

/// The policy with all keys, indented. Reads back to an equal policy; durations are exact to a
/// microsecond.
[[nodiscard]] REKINDLE_POLICY_EXPORT QByteArray toJson(const RestartPolicy &policy);

/// The decision as one line of JSON, for display and storage. There is no function that parses it.
/// Durations are milliseconds in keys that end in "Ms".
[[nodiscard]] REKINDLE_POLICY_EXPORT QByteArray toJson(const RestartDecision &decision);

} // namespace Rekindle
