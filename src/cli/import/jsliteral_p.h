// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsonnode.h"

#include <rekindle/json/parsed.h>

namespace Rekindle {

/// Reads JSON, or JavaScript that exports one literal: `module.exports = {...}` or `export default
/// {...}`. Names need no quotes, strings can have any quotes, and comments are ignored. Everything
/// that would have to be executed is a fault with its place.
[[nodiscard]] Parsed<JsonNode> readJsLiteral(const QString &text);

} // namespace Rekindle
