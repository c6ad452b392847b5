// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>

namespace Rekindle {

/// Where rekindle-guard is: $REKINDLE_GUARD, beside the running program, in the libexec folder
/// next to it, or where this library was installed. Empty if it is in none of them.
[[nodiscard]] QByteArray guardProgram();

} // namespace Rekindle
