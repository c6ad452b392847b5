// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace Rekindle {

/// "a, b, c"; after 20 texts only "and 3 more".
[[nodiscard]] QString listed(const QStringList &texts);

/// Removes all control characters and escape sequences from a line, except those that set colors.
[[nodiscard]] QByteArray forTerminal(const QByteArray &line);

} // namespace Rekindle
