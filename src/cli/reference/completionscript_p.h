// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "commandtree_p.h"

namespace Rekindle {

/// The script that completes command lines in a shell: "bash", "zsh" or "fish". It completes
/// commands, options, fixed values, files, and the names of agents of the running host.
[[nodiscard]] std::string completionScript(const CommandEntry &program, const std::string &shell);

} // namespace Rekindle
