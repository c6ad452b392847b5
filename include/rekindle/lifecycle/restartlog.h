// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/export.h>

#include <QObject>

#include <functional>

namespace Rekindle {

class RestartPolicyEvaluator;

/// Writes log lines with the prefix [RST] (S1 6.1) to the logging category `rekindle.restart`. The
/// lines contain the name and the id of the agent. The default level is Info. AgentSupervisor
/// contains one. It is quiet if the host has connected to a signal of the supervisor for events of
/// agents, such as lifecycleEvent() or agentFailed(); agentOutput() does not count. Create a log
/// for an evaluator without a supervisor.
class REKINDLE_LIFECYCLE_EXPORT RestartLog : public QObject
{
    Q_OBJECT

public:
    /// Logs the events of `evaluator` until one of the two objects is destroyed. While `isQuiet`
    /// returns true, all lines have the level Debug, which is off by default. Without `isQuiet`,
    /// the log is never quiet.
    explicit RestartLog(RestartPolicyEvaluator &evaluator, std::function<bool()> isQuiet = {},
                        QObject *parent = nullptr);
};

} // namespace Rekindle
