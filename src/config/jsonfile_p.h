// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsonparser.h"

#include <QString>

namespace Rekindle {

/// Reads and parses a JSON file. A file that cannot be read, is a folder, or is too large is a
/// fault without a position. `prepared` converts the content to JSON; null: the content is JSON.
[[nodiscard]] Parsed<JsonNode> readJsonFile(const QString &path,
                                            QByteArray (*prepared)(QByteArrayView) = nullptr);

} // namespace Rekindle
