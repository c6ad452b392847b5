// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/process/processdefinition.h>

#include <algorithm>

namespace Rekindle {

ProcessDefinition ProcessDefinition::stdioServer(const QString &program,
                                                 const QStringList &arguments)
{
    using namespace std::chrono_literals;
    ProcessDefinition process;
    process.program = program;
    process.arguments = arguments;
    process.readiness.kind = Readiness::Kind::Reported;
    process.standardInput = ProcessDefinition::StandardInput::Pipe;
    process.standardOutput.kind = OutputTarget::Kind::Pipe;
    process.standardOutput.graceAtEnd = 100ms;
    process.stop = {2s, 2s, 2s};
    return process;
}

std::optional<Duration> ProcessDefinition::watchdogInterval() const
{
    std::optional<Duration> shortest;
    for (const HealthProbeDefinition &probe : health) {
        if (probe.kind && probe.kind->usesWatchdog)
            shortest = std::min(shortest.value_or(Duration::max()), probe.schedule.interval);
    }
    return shortest;
}

} // namespace Rekindle
