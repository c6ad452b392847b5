// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>

namespace Rekindle {

/// Finds rekindle-guard. If $REKINDLE_GUARD is set, only that is used. Otherwise the order is:
/// ../libexec/rekindle/ relative to the folder of the running program, that folder, relative to the
/// shared library with this code, the package that the program was built with (CMake or
/// pkg-config), the install prefix of this library. Returns an empty path if it is not found.
[[nodiscard]] QByteArray guardProgram();

} // namespace Rekindle
