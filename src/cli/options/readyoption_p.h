// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/process/processdefinition.h>

namespace CLI {
class App;
}

namespace Rekindle {

/// Adds --ready; the parser keeps a reference to the target.
void addReadyOption(CLI::App &parser, Readiness &target);

} // namespace Rekindle
