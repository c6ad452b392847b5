// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/circuitbreaker.h>
#include <rekindle/policy/parsed.h>
#include <rekindle/policy/restartcontext.h>
#include <rekindle/policy/restartdecision.h>
#include <rekindle/policy/restartpolicy.h>

#include <QByteArray>

namespace Rekindle {

/// Reads a policy from a JSON object with the keys of spec 2; what is left out has its default.
/// It is validated whole: unknown keys, wrong types, ranges and contradictions are all reported at
/// once, each with its place. Never throws. Thread-safe.
[[nodiscard]] REKINDLE_POLICY_EXPORT Parsed<RestartPolicy>
restartPolicyFromJson(const QByteArray &json);

/// The policy with every key written out, indented, in the order of spec 2. Reads back to an equal
/// policy; durations are exact to a microsecond.
[[nodiscard]] REKINDLE_POLICY_EXPORT QByteArray toJson(const RestartPolicy &policy);

/// One line of JSON for records and people. Durations are milliseconds in keys that end in "Ms",
/// times are RFC 3339 in UTC. They are written, never read back.
[[nodiscard]] REKINDLE_POLICY_EXPORT QByteArray toJson(const CircuitBreakerInfo &info);
[[nodiscard]] REKINDLE_POLICY_EXPORT QByteArray toJson(const RestartContext &context);
[[nodiscard]] REKINDLE_POLICY_EXPORT QByteArray toJson(const RestartDecision &decision);

} // namespace Rekindle
