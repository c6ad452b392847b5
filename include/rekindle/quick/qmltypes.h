// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/quick/export.h>

class QObject;

namespace Rekindle {

class AgentSupervisor;

/// Makes `import Rekindle` available to every QQmlEngine of the process. Call it from the main
/// thread, before a file with this import is loaded; further calls have no effect. The call is not
/// necessary if the plug-in of the module is installed in the import path of QML.
REKINDLE_QUICK_EXPORT void registerQmlTypes();

/// Returns a supervisor as the QML type Supervisor: for setContextProperty(), or as the property
/// `source` of a model. The supervisor owns the object; each call returns the same one. Calls
/// registerQmlTypes(). Use it from the thread of the supervisor.
[[nodiscard]] REKINDLE_QUICK_EXPORT QObject *supervisorForQml(AgentSupervisor &supervisor);

} // namespace Rekindle
