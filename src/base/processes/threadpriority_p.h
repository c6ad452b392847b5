// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

namespace Rekindle {

/// Lowers the scheduling priority of the calling thread, so that other threads and processes are
/// scheduled first if all cores are in use.
void lowerPriorityOfThisThread();

} // namespace Rekindle
