// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace Rekindle {

/// Whether the file is shorter than its ELF headers state. To load such a file would kill the
/// process with SIGBUS, although Qt can read its metadata.
[[nodiscard]] bool isTruncated(const QString &path);

} // namespace Rekindle
