// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <policy/json/jsonparser_p.h>

#include <QString>

namespace Rekindle {

/// Reads and parses a JSON file. One that cannot be read, is a folder, or is too large (known
/// before it is read, where it has a size) is a fault without a position. `prepared` makes JSON of
/// what the file has; nothing: it is JSON.
[[nodiscard]] Parsed<JsonNode> readJsonFile(const QString &path,
                                            QByteArray (*prepared)(QByteArrayView) = nullptr);

} // namespace Rekindle
