// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "jsonnode.h"

#include <rekindle/json/parsed.h>

#include <QByteArrayView>

namespace Rekindle {

/// Limits of a text, which bound the cost of a hostile one.
constexpr qsizetype maxJsonSize = qsizetype{8} * 1024 * 1024;
constexpr int maxJsonDepth = 64;
constexpr int maxJsonValues = 500'000;

enum class JsonSyntax {
    Strict,       ///< RFC 8259, for files and messages of programs
    WithComments, ///< also comments (`//` and `/* */`) and trailing commas, for files that people
                  ///< write
};

/// Reads a JSON text: UTF-8, no NaN, no repeated names, nothing after the value, within the limits
/// above. `syntax` can permit comments and trailing commas. A byte order mark is ignored. Each
/// fault has its position. Never throws.
[[nodiscard]] Parsed<JsonNode> parseJson(QByteArrayView text,
                                         JsonSyntax syntax = JsonSyntax::Strict);

} // namespace Rekindle
