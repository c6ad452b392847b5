// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/process/processdefinition.h>

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

} // namespace Rekindle
