// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace Rekindle {

/// Returns the text with U+FFFD instead of each half of a surrogate pair without the other half.
/// QString::toUtf8() replaces or removes these, depending on the version of Qt.
[[nodiscard]] inline QString validText(const QString &text)
{
    return text.isValidUtf16() ? text : QString::fromStdU32String(text.toStdU32String());
}

} // namespace Rekindle
