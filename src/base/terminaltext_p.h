// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QByteArrayView>

namespace Rekindle {

// Text that other programs have written for a terminal (ECMA-48).

/// Whether a terminal also gets the sequences that set colors.
enum class Colors { Removed, Kept };

/// Returns a line without escape sequences, such as that of a window title, without control
/// characters except tabs, and without characters that change the direction of text, which could
/// show words in another order. With kept colors, they are reset at the end.
[[nodiscard]] QByteArray textOnTerminal(QByteArrayView line, Colors colors);

} // namespace Rekindle
