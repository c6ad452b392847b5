// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsonparser.h"

#include <QString>

namespace Rekindle {

/// Reads and parses a file that people write, with comments and trailing commas. A file that cannot
/// be read, is a folder, or is too large is a fault without a position.
[[nodiscard]] Parsed<JsonNode> readJsonFile(const QString &path);

} // namespace Rekindle
