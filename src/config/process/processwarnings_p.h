// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsonplace.h"

#include <rekindle/process/processdefinition.h>

namespace Rekindle {

/// Warns at `place` if the program is not found or not executable. It is looked up in the
/// environment of `process`. `arguments` names the place of the arguments, for programs that
/// contain them.
void warnOfMissingProgram(const JsonPlace &place, const QString &program,
                          const ProcessDefinition &process, const QString &arguments);

/// Warns of missing programs in the probes of the agent itself. Probes of the defaults have no
/// place in the agent.
void warnOfMissingCommands(const JsonPlace &agent, const ProcessDefinition &process);

/// Warns at `place` if the file for the output of an agent cannot be opened, or is a named pipe.
void warnOfOutputFile(const JsonPlace &place, const QString &path);

/// Warns at `key` of `object` if the working directory of the process does not exist.
void warnOfMissingFolder(const JsonPlace &object, QStringView key,
                         const ProcessDefinition &process);

} // namespace Rekindle
