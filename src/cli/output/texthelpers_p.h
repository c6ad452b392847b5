// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/text/terminaltext_p.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace Rekindle {

/// "a, b, c"; after 20 texts only "and 3 more".
[[nodiscard]] QString listed(const QStringList &texts);

/// A line that a terminal can show. Colors are kept.
[[nodiscard]] inline QByteArray forTerminal(const QByteArray &line)
{
    return textOnTerminal(line, Colors::Kept);
}

} // namespace Rekindle
