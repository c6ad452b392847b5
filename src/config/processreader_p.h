// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <policy/json/jsonobjectreader_p.h>

#include <rekindle/process/processdefinition.h>

#include <QDir>

namespace Rekindle {

/// Reads the keys that `defaults` and an agent have in common, but for the policy, on top of what
/// `process` holds: environment, exitCodes and stop are merged, the others replaced. Relative
/// paths count from `folder`.
void readProcessSettings(JsonObjectReader &object, const QDir &folder, ProcessDefinition &process);

/// Reads `program` and `arguments`.
void readProgram(JsonObjectReader &object, const QDir &folder, ProcessDefinition &process);

} // namespace Rekindle
