// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/output/agenttable_p.h"

#include <rekindle/control/controlmessages.h>

namespace Rekindle {

/// The CPU share is that since the `previous` status; without one, that since the start.
[[nodiscard]] QList<AgentRow> agentRows(const QList<AgentStatus> &agents,
                                        const QList<AgentStatus> &previous = {});

/// The rows of `rekindle status`. The first is the header.
[[nodiscard]] QList<QStringList> statusRows(const QList<AgentStatus> &agents,
                                            const QList<AgentStatus> &previous = {});

/// The rows for groups. The first is the header.
[[nodiscard]] QList<QStringList> groupRows(const QList<GroupStatus> &groups);

/// The rows for shared breakers. The first is the header.
[[nodiscard]] QList<QStringList> sharedBreakerRows(const QList<SharedBreakerStatus> &breakers);

/// Why a request to operate an agent was refused; empty if it was not.
[[nodiscard]] QString refusalText(const OperationResult &result);

/// The result of agents.explain as lines: state, what happens next, last failure and stderr.
[[nodiscard]] QStringList explanationLines(const QJsonValue &explanation);

} // namespace Rekindle
