// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "commandtree_p.h"

namespace Rekindle {

/// The name of the page in section 1: "rekindle-tools-call".
[[nodiscard]] std::string manPageName(const CommandEntry &command);

/// The page of a command, for man(1).
[[nodiscard]] std::string manPage(const CommandEntry &command);

} // namespace Rekindle
