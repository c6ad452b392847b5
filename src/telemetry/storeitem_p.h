// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/lifecycleevent.h>
#include <rekindle/policy/restartdecision.h>
#include <rekindle/policy/toolcallfinished.h>

#include <QByteArray>

#include <optional>
#include <variant>

namespace Rekindle {

/// A decision, and what was known of the failure that it is about and of the agent's health.
struct DecisionRecord
{
    enum class Kind {
        Made,
        /// What would have been decided with an evaluator in shadow mode; failure and health stand
        /// with the decision itself.
        Shadow,
    };
    Kind kind = Kind::Made;
    QUuid instanceId{};
    QString agent{};
    Instant monotonicTime{};
    UtcTime time{};
    RestartDecision decision{};
    FailureDetail detail{};
    AgentHealthStatus health{};
    /// What the licence tier had made of the policy that was asked for; nothing: that was in force.
    std::optional<PolicyDowngraded> downgraded{};
};

/// Stands where something was dropped.
struct StoreGap
{
    Instant monotonicTime{}; ///< of the first one, as far as that is known
    UtcTime time{};
    quint64 firstSequence = 0; ///< of the first event among them; 0 where there is none
    quint64 events = 0;
    quint64 decisions = 0;
    quint64 calls = 0;
};

/// Something that waits to be written.
using StoreItem = std::variant<LifecycleEvent, DecisionRecord, ToolCallFinished, StoreGap>;

/// What stands in a decision's row.
struct DecisionText
{
    QString rule{};
    QByteArray data{}; ///< JSON
};
[[nodiscard]] DecisionText toText(const DecisionRecord &record);
[[nodiscard]] QByteArray toJson(const StoreGap &gap);

/// Text as a database gives it back: without NUL and without halves of characters, which it would
/// change.
[[nodiscard]] QString storable(const QString &text);

} // namespace Rekindle
