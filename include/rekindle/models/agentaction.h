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
    QString effect{}; ///< what it would do, or why it is disabled: "web stops and starts again"
};

/// Returns all operations with their effects on an agent, in the order of ControlOperation. The
/// texts are translated. What the status of the agent does not contain is not considered: an open
/// shared breaker can prevent a restart, and a host that exits or a reload that has removed the
/// agent a start. An operation on an agent of a state of a newer host is enabled. Thread-safe.
[[nodiscard]] REKINDLE_MODELS_EXPORT QList<AgentAction> actionsFor(const AgentStatus &agent);

} // namespace Rekindle
