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

/// Reads a JSON text (RFC 8259) strictly: UTF-8, no comments, no NaN, no repeated names, nothing
/// after the value, no byte order mark, within the limits above. Each fault has its position. Never
/// throws.
[[nodiscard]] Parsed<JsonNode> parseJson(QByteArrayView text);

} // namespace Rekindle
