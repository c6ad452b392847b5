// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "process/agent/processrun_p.h"

#include <rekindle/lifecycle/healthprobe.h>

namespace Rekindle {

/// Runs a command; exit 0 is good. Its last line, of stdout or stderr, is the text. What it leaves
/// behind, or what does not end, is killed with its whole group; the guard process knows it too.
class ExecProbe final : public HealthProbe, private RunListener
{
    Q_OBJECT

public:
    /// `command` has a program at least.
    ExecProbe(const QStringList &command, const ProcessDefinition &surroundings,
              Scheduler &scheduler);
    ~ExecProbe() override;

    void start(Duration timeout) override;
    void cancel() override;

private:
    void runLine(ProcessAgent::Stream stream, const QByteArray &line) override;
    void runEnded() override;

    ProcessDefinition m_definition;
    Scheduler &m_scheduler;
    LaunchPlan m_plan;
    GuardSlot m_slot;
    QByteArray m_lastLine;
    std::unique_ptr<ProcessRun> m_run;
};

} // namespace Rekindle
