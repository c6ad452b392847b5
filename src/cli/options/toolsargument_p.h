// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QJsonObject>
#include <QString>

#include <optional>

namespace Rekindle {

class Messages;

/// The arguments of a call: a JSON object as it stands on the command line, or `-` for all of
/// stdin. Nothing if it is none, which is then said, with line and column.
[[nodiscard]] std::optional<QJsonObject> toolArguments(const QString &text, Messages &messages);

} // namespace Rekindle
