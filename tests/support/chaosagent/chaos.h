// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <string>

namespace Chaos {

using Words = std::deque<std::string>;

/// Removes the first command and its arguments from the words and executes it. Returns false if the
/// command is unknown or an argument is missing.
bool carryOut(Words &words);

[[noreturn]] void hang();

} // namespace Chaos
