// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/agenthealthstatus.h>
#include <rekindle/policy/failure.h>
#include <rekindle/policy/lifecycleevent.h>
#include <rekindle/policy/restartdecision.h>

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

} // namespace Rekindle
