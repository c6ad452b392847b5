// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsonobjectreader.h"

#include <rekindle/process/processdefinition.h>

namespace Rekindle {

/// Reads `user`, `group`, `umask` and `nice`. Users and groups that do not exist on this machine
/// are faults.
void readExecution(JsonObjectReader &object, ProcessDefinition &process);

} // namespace Rekindle
