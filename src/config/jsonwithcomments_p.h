// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QByteArrayView>

namespace Rekindle {

/// Converts a text with comments and trailing commas, as editors write it, to JSON. Both are
/// replaced by blanks, so that all other characters keep their line and column. A byte order mark
/// is removed.
[[nodiscard]] QByteArray withoutComments(QByteArrayView text);

} // namespace Rekindle
