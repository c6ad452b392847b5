// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QJsonObject>
#include <QString>

#include <optional>

namespace Rekindle {

class Messages;

/// Reads the arguments of a call: a JSON object, or `-` for stdin. Reports an error with line and
/// column and returns nothing if it is invalid.
[[nodiscard]] std::optional<QJsonObject> toolArguments(const QString &text, Messages &messages);

} // namespace Rekindle
