// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

namespace Rekindle {

// Text that other programs have written for a terminal (ECMA-48).

/// Whether a terminal also gets the sequences that set colors.
enum class Colors { Removed, Kept };

/// Returns a line without escape sequences, such as one of a window title, without control
/// characters except tabs, and without characters that change the direction of text, which could
/// show words in another order. With kept colors, they are reset at the end. Bytes that are not
/// UTF-8 become U+FFFD, because some terminals read them as control characters.
[[nodiscard]] QByteArray textOnTerminal(QByteArrayView line, Colors colors);

/// The longest text of an agent in an event or a message, in UTF-16 code units.
inline constexpr qsizetype longestForeignText = 4096;

/// Returns a text of another program for events, messages and files: the same without colors, on
/// one line, and truncated.
[[nodiscard]] QString foreignText(const QString &text, qsizetype longest = longestForeignText);

} // namespace Rekindle
