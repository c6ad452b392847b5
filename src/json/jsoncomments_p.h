// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/json/fault.h>

#include <QByteArray>
#include <QByteArrayView>

#include <optional>

namespace Rekindle {

/// Converts a text with comments (`//` and `/* */`) and trailing commas to JSON. They are replaced
/// by blanks, so that all other characters keep their line and column. Returns the fault of a
/// comment without an end.
[[nodiscard]] std::optional<Fault> removeComments(QByteArrayView text, QByteArray &json);

} // namespace Rekindle
