// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsonobjectreader.h"

#include <rekindle/process/processdefinition.h>

namespace Rekindle {

/// Whether calls can be counted, too, as for an MCP server.
enum class RecycledBy { Process, ProcessOrCalls };

/// Reads `limits`, which is merged with the limits of `process`, and `recycle`, which replaces its
/// recycling.
void readLimits(JsonObjectReader &object, ProcessDefinition &process, RecycledBy kind);

} // namespace Rekindle
