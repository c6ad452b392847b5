// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <string>

namespace Chaos {

using Words = std::deque<std::string>;

/// Takes the first command with its arguments from the words and carries it out; false if it is
/// unknown or lacks an argument.
bool carryOut(Words &words);

[[noreturn]] void hang();

} // namespace Chaos
