// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

namespace Rekindle {

/// `rekindle-guard keys`, in the group of a program that has the terminal: writes a byte, SIGINT or
/// SIGQUIT, to the host's socket for each of these that the terminal sends. Returns the exit code
/// once the host has nothing more to ask.
int watchKeys(int hostSocket);

} // namespace Rekindle
