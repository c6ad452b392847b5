// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace Rekindle {

/// Whether the file ends before what its headers promise; loading such a one would end the process
/// with SIGBUS, and Qt finds metadata in it all the same.
[[nodiscard]] bool isCutOff(const QString &file);

} // namespace Rekindle
