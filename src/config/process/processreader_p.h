// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "probereader_p.h"

#include <rekindle/process/processdefinition.h>

#include <QDir>

namespace Rekindle {

/// Reads the keys that `defaults` and an agent have in common, except policy and environment, which
/// must be read before. exitCodes, stop and limits are merged with `process`; other keys replace
/// its values. Relative paths are relative to `folder`.
void readProcessSettings(JsonObjectReader &object, const QDir &folder, const ProbeReader &probes,
                         ProcessDefinition &process);

/// Reads `program` and `arguments`, after the environment.
void readProgram(JsonObjectReader &object, const QDir &folder, ProcessDefinition &process);

} // namespace Rekindle
