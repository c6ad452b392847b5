// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <policy/json/jsonplace_p.h>

#include <rekindle/policy/restartpolicy.h>
#include <rekindle/process/processdefinition.h>

namespace Rekindle {

/// Warns at `place` if the program is not there, or cannot be executed, for now. It would be
/// searched as `process` says, whose own program it need not be.
void warnOfMissingProgram(const JsonPlace &place, const QString &program,
                          const ProcessDefinition &process);

/// The same for the commands of probes that stand in the agent itself: those of the defaults have
/// no place in it.
void warnOfMissingCommands(const JsonPlace &agent, const ProcessDefinition &process);

/// Warns at the key of `object` that gave the process its folder, which need not be there.
void warnOfMissingFolder(const JsonPlace &object, QStringView key,
                         const ProcessDefinition &process);

/// Warns where the process is not given the time that it takes to be ready by being alive.
void warnOfReadyTooLate(const JsonPlace &agent, const ProcessDefinition &process,
                        const RestartPolicy &policy);

/// Warns of a wait for the end of a stdin that is no pipe.
void warnOfStdinWithoutPipe(const JsonPlace &agent, const ProcessDefinition &process);

/// Warns of events of the lines of an agent none of whose streams goes to Lines.
void warnOfOutputWithoutLines(const JsonPlace &agent, const ProcessDefinition &process);

} // namespace Rekindle
