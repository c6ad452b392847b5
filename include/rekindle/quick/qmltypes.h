// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/quick/export.h>

namespace Rekindle {

/// Makes `import Rekindle` available to every QQmlEngine of the process. Call it before a file with
/// this import is loaded, from the main thread; further calls have no effect. It is not necessary
/// if the plug-in of the module is installed in the import path of QML.
REKINDLE_QUICK_EXPORT void registerQmlTypes();

} // namespace Rekindle
