// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "commandline_p.h"

namespace Rekindle {

// The subcommands of `rekindle license`.
std::unique_ptr<Command> makeLicenseKeygenCommand();
std::unique_ptr<Command> makeLicenseIssueCommand();
std::unique_ptr<Command> makeLicenseVerifyCommand();

} // namespace Rekindle
