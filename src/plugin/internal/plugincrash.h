// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/plugin/export.h>

/// Names the plug-in whose code crashes the process.
namespace Rekindle::PluginCrash {

/// The calling thread runs the code of this plug-in. `file` must exist as long as the thread.
void markThread(const char *file);

/// If a marked thread crashes from now on, its plug-in and the signal are written to stderr before
/// the default action. For programs, because a signal handler belongs to the whole process. Signals
/// that have a handler keep it.
REKINDLE_PLUGIN_EXPORT void reportOnStderr();

} // namespace Rekindle::PluginCrash
