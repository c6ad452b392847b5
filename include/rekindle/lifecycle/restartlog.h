// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/export.h>

#include <QObject>

namespace Rekindle {

class RestartPolicyEvaluator;

/// Writes the log lines of S1 6.1 (prefix [RST]) to the logging category `rekindle.restart`, whose
/// default level is Info. AgentSupervisor has one; a host with an evaluator of its own makes one.
class REKINDLE_LIFECYCLE_EXPORT RestartLog : public QObject
{
    Q_OBJECT

public:
    /// Listens to an evaluator for as long as both live.
    explicit RestartLog(RestartPolicyEvaluator &evaluator, QObject *parent = nullptr);
};

} // namespace Rekindle
