// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/export.h>

#include <QObject>

namespace Rekindle {

class RestartPolicyEvaluator;

/// Writes log lines with the prefix [RST] (S1 6.1) to the logging category `rekindle.restart`. The
/// lines contain the name and the id of the agent. The default level is Info. AgentSupervisor
/// contains one. Create a log for an evaluator without a supervisor.
///
/// A host that shows the events itself may disable the lines:
///
/// ```
/// QLoggingCategory::setFilterRules(QStringLiteral("rekindle.restart=false"));
/// ```
class REKINDLE_LIFECYCLE_EXPORT RestartLog : public QObject
{
    Q_OBJECT

public:
    /// Logs the events of `evaluator` until one of the two objects is destroyed.
    explicit RestartLog(RestartPolicyEvaluator &evaluator, QObject *parent = nullptr);
};

} // namespace Rekindle
