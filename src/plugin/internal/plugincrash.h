// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/plugin/export.h>

/// Reports which plug-in has crashed the process.
namespace Rekindle::PluginCrash {

/// Marks the calling thread: it runs the code of the plug-in `file`. The text must outlive the
/// thread.
void markThread(const char *file);

/// Installs signal handlers. If a marked thread crashes, they write its plug-in and the signal to
/// stderr before the default action. Call it only in programs, because signal handlers apply to the
/// whole process. Existing handlers are not replaced.
REKINDLE_PLUGIN_EXPORT void reportOnStderr();

} // namespace Rekindle::PluginCrash
