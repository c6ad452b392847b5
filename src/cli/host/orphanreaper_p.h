// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

namespace Rekindle {

/// Orphans become children of this process if it is process 1, for example of a container, or a
/// child subreaper. It must wait for each of them that exits. In that case, this function forks. In
/// the child, which becomes the command, it returns nothing. The parent waits for all children,
/// forwards signals to the command, and gets the exit code of the command.
///
/// Call it while there is only one thread.
[[nodiscard]] std::optional<int> reapOrphans();

} // namespace Rekindle
