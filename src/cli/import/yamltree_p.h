// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsonnode.h"

#include <rekindle/json/parsed.h>

#include <QByteArrayView>

namespace Rekindle {

/// Reads one YAML document. Aliases and merge keys (`<<`) are replaced by what they refer to. All
/// scalars are strings, except null and an empty one. The number of values is limited, so that
/// nested aliases do not exhaust the memory.
[[nodiscard]] Parsed<JsonNode> readYaml(QByteArrayView text);

} // namespace Rekindle
