// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QByteArrayView>

namespace Rekindle {

/// The text as JSON, for files that editors write: comments, and commas before a closing bracket,
/// become blanks, so that every other character keeps its line and column. A byte order mark is
/// left out.
[[nodiscard]] QByteArray withoutComments(QByteArrayView text);

} // namespace Rekindle
