// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/text/terminaltext_p.h"
#include "base/text/textlist_p.h"

#include <QByteArray>

namespace Rekindle {

/// A line that a terminal can show. Colors are kept.
[[nodiscard]] inline QByteArray forTerminal(const QByteArray &line)
{
    return textOnTerminal(line, Colors::Kept);
}

} // namespace Rekindle
