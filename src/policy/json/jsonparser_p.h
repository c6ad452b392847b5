// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "jsonnode_p.h"

#include <rekindle/policy/parsed.h>

#include <QByteArrayView>

namespace Rekindle {

/// Bounds on a text that people write; they keep what a hostile one can cost small.
constexpr qsizetype maxJsonSize = qsizetype{8} * 1024 * 1024;
constexpr int maxJsonDepth = 64;
constexpr int maxJsonValues = 500'000;

/// Reads a JSON text (RFC 8259) strictly: UTF-8, no comments, no NaN, no repeated names, nothing
/// after the value, no byte order mark, within the bounds above. Each fault has its position. Never
/// throws.
[[nodiscard]] REKINDLE_POLICY_EXPORT Parsed<JsonNode> parseJson(QByteArrayView text);

} // namespace Rekindle
