// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>

namespace Rekindle {

/// Where rekindle-guard is, in this order: $REKINDLE_GUARD, which alone counts where it is set;
/// ../libexec/rekindle/ next to the folder of the running program; that folder; relative to the
/// shared library that this code is in; in the CMake package that the program was built with;
/// where this library was meant to be installed. Empty if it is in none of them.
[[nodiscard]] QByteArray guardProgram();

} // namespace Rekindle
