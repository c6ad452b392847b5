// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/process/processdefinition.h>

namespace Rekindle {

/// What a start of `process` needs and does not find now. It may be installed before the start.
/// The texts are empty if nothing is missing.

/// "program x is not found", or not executable. It is looked up in the environment of `process`.
/// `hint` is appended if it is not found.
[[nodiscard]] REKINDLE_PROCESS_EXPORT QString missingProgram(const QString &program,
                                                             const ProcessDefinition &process,
                                                             const QString &hint = {});

/// "folder x is not found".
[[nodiscard]] REKINDLE_PROCESS_EXPORT QString missingFolder(const ProcessDefinition &process);

/// Both, as warnings at "/program" and "/workingDirectory".
[[nodiscard]] REKINDLE_PROCESS_EXPORT QList<Fault> missingFiles(const ProcessDefinition &process);

} // namespace Rekindle
