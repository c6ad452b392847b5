// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>

namespace Rekindle {

/// Puts these bytes in the place of what a file holds, as a whole: whoever reads it, also after a
/// power cut, finds the old ones or the new ones. Only its owner may read it. An empty text means
/// success; else it says why not, and the old file is as it was. Blocks.
[[nodiscard]] QString replaceFile(const QString &path, const QByteArray &bytes);

/// Renames a file to PATH.bad-1, or the next number that is free; the new name, or an empty text
/// where that fails.
[[nodiscard]] QString moveAside(const QString &path);

} // namespace Rekindle
