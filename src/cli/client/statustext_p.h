// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/output/agenttable_p.h"

#include <QJsonArray>

namespace Rekindle {

/// The snapshots of agents.list. The CPU share is that since the `previous` snapshots; without one,
/// that since the start.
[[nodiscard]] QList<AgentRow> agentRows(const QJsonArray &agents, const QJsonArray &previous = {});

/// The rows of `rekindle status`. The first is the header.
[[nodiscard]] QList<QStringList> statusRows(const QJsonArray &agents,
                                            const QJsonArray &previous = {});

/// The rows for the groups of agents.list. The first is the header.
[[nodiscard]] QList<QStringList> groupRows(const QJsonArray &groups);

/// The rows for the shared breakers of agents.list. The first is the header.
[[nodiscard]] QList<QStringList> sharedBreakerRows(const QJsonArray &breakers);

/// Why a request to operate an agent was refused, from its row of the result; empty if it was not.
[[nodiscard]] QString refusalText(const QJsonObject &operated);

/// The result of agents.explain as lines: state, what happens next, last failure and stderr.
[[nodiscard]] QStringList explanationLines(const QJsonObject &explanation);

} // namespace Rekindle
