// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/lifecycleevent.h>
#include <rekindle/policy/restartdecision.h>

#include <QByteArray>

#include <memory>

namespace Rekindle {

class JsonWriter;

/// A decision with its failure and the agent's health. Its header has no sequence number.
struct DecisionRecord : EventHeader
{
    enum class Kind {
        Made,
        /// The decision that an evaluator in shadow mode would have made. Failure and health are
        /// recorded with the actual decision.
        Shadow,
    };
    Kind kind = Kind::Made;
    RestartDecision decision{};
    FailureDetail detail{};
    AgentHealthStatus health{};
    /// The downgrade of the policy by the license tier; null if there was none.
    std::shared_ptr<const PolicyDowngraded> downgraded{};
};

/// The value of the key `rule` of a decision.
[[nodiscard]] REKINDLE_POLICY_EXPORT QString toText(DecisionRule rule);

/// Writes the members of toJson(RestartDecision) into an open object. With `withJitter`, the inputs
/// also have the kind of jitter.
void writeMembers(JsonWriter &json, const RestartDecision &decision, bool withJitter);

/// The members of toJson(RestartDecision) with the kind of jitter, and `budgetLeft`; `failure` and
/// `health` of an actual decision; `downgraded`. Long texts are shortened.
[[nodiscard]] REKINDLE_POLICY_EXPORT QByteArray toJson(const DecisionRecord &record);

} // namespace Rekindle
