// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "agenthistory_p.h"

#include <QByteArray>

namespace Rekindle {

/// Formats the decisions: inputs, rule, delays, budget, stderr, and what happens next as of `now`.
/// If there is none, the result of noDecisionText().
[[nodiscard]] QByteArray explainText(const QString &agent, const AgentHistory &found, UtcTime now);

/// Why there is no decision, and the state of the agent.
[[nodiscard]] QString noDecisionText(const QString &agent, const AgentHistory &found);

/// One line of JSON.
[[nodiscard]] QByteArray decisionJson(const StoredDecision &decision, const AgentHistory &found);

} // namespace Rekindle
