// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "probereader_p.h"

#include <rekindle/process/processdefinition.h>

#include <QDir>

#include <functional>

namespace Rekindle {

/// Reads the keys that `defaults` and an agent have in common, except the policy. environment,
/// exitCodes and stop are merged with those of `process`, other keys replace them. Relative paths
/// count from `folder`.
void readProcessSettings(JsonObjectReader &object, const QDir &folder, const ProbeReader &probes,
                         ProcessDefinition &process);

/// Adds environment variables. null removes a variable; `valueOf` reads all other values.
void readEnvironment(const JsonPlace &place, ProcessDefinition &process,
                     const std::function<std::optional<QString>(const JsonPlace &)> &valueOf);

/// Reads `program` and `arguments`.
void readProgram(JsonObjectReader &object, const QDir &folder, ProcessDefinition &process);

} // namespace Rekindle
