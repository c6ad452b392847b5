// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/decisionrecord.h>

#include <QByteArray>
#include <QJsonObject>

namespace Rekindle {

class JsonWriter;

/// The value of the key `rule` of a decision.
[[nodiscard]] REKINDLE_POLICY_EXPORT QString toText(DecisionRule rule);

/// Writes the members of toJson(RestartDecision) into an open object.
void writeMembers(JsonWriter &json, const RestartDecision &decision);

/// The members of toJson(RestartDecision) with the kind of jitter, and `budgetLeft`; `failure` and
/// `health` of an actual decision; `downgraded`. Long texts are shortened.
[[nodiscard]] REKINDLE_POLICY_EXPORT QByteArray toJson(const DecisionRecord &record);

/// The same members without a text in between.
[[nodiscard]] REKINDLE_POLICY_EXPORT QJsonObject toJsonObject(const DecisionRecord &record);

} // namespace Rekindle
