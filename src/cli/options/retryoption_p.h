// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/callretry.h>

#include <string>

namespace CLI {
class App;
}

namespace Rekindle {

/// Adds --retry safe|always|never; the parser keeps a reference to the target.
void addRetryOption(CLI::App &parser, CallRetry &target, const std::string &description);

} // namespace Rekindle
