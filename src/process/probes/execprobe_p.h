// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "process/run/processrun_p.h"

#include <rekindle/lifecycle/healthprobe.h>

namespace Rekindle {

/// Runs a command. Exit code 0 is a success. The text of the result is its last line of stdout or
/// stderr. Processes that it leaves behind are killed with its group.
class ExecProbe final : public HealthProbe, private RunListener
{
    Q_OBJECT

public:
    /// `command` must have a program.
    ExecProbe(const QStringList &command, const ProcessDefinition &surroundings,
              Scheduler &scheduler);
    ~ExecProbe() override;

    void start(Duration timeout) override;
    void cancel() override;

private:
    void runLine(AgentOutput::Stream stream, const QByteArray &line) override;
    void runEnded() override;

    ProcessDefinition m_definition;
    Scheduler &m_scheduler;
    LaunchPlan m_plan;
    GuardSlot m_slot;
    QByteArray m_lastLine;
    std::unique_ptr<ProcessRun> m_run;
};

} // namespace Rekindle
