// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <optional>

namespace Rekindle {

/// A text in which comments and trailing commas are replaced by blanks, so that all other
/// characters keep their line and column.
struct PlainJson
{
    QByteArray text;
    std::optional<qsizetype> unclosed; ///< where a comment without an end begins
};

/// Converts a text with comments (`//` and `/* */`) and trailing commas to JSON.
[[nodiscard]] PlainJson withoutComments(QByteArrayView text);

} // namespace Rekindle
