// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/lifecycleevent.h>
#include <rekindle/policy/restartdecision.h>

#include <QByteArray>

#include <memory>

namespace Rekindle {

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

/// The members of toJson(RestartDecision) with the kind of jitter, and `budgetLeft`; `failure` and
/// `health` of an actual decision; `downgraded`. Long texts are shortened.
[[nodiscard]] REKINDLE_POLICY_EXPORT QByteArray toJson(const DecisionRecord &record);

} // namespace Rekindle
