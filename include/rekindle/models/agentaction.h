// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/control/controlmessages.h>
#include <rekindle/models/export.h>

#include <QList>
#include <QString>

namespace Rekindle {

/// An operation that a view offers for an agent.
struct AgentAction
{
    Q_GADGET_EXPORT(REKINDLE_MODELS_EXPORT)
    Q_PROPERTY(Rekindle::ControlOperation operation MEMBER operation)
    Q_PROPERTY(bool isEnabled MEMBER isEnabled)
    Q_PROPERTY(QString text MEMBER text)
    Q_PROPERTY(QString effect MEMBER effect)

public:
    ControlOperation operation = ControlOperation::Start;
    bool isEnabled = false; ///< whether it would change anything
    QString text{};         ///< the label: "Restart"
    QString effect{};       ///< or why it is disabled: "web stops and starts again"
};

/// Returns all operations with their effects on an agent, in the order of ControlOperation. The
/// texts are translated. Only the status of the agent is considered. Therefore, an enabled
/// operation can have no effect: an open shared breaker prevents a restart, and a host that exits
/// or a reload that has removed the agent prevents a start. An unknown state of a newer host
/// disables no operation. Thread-safe.
[[nodiscard]] REKINDLE_MODELS_EXPORT QList<AgentAction> actionsFor(const AgentStatus &agent);

} // namespace Rekindle
