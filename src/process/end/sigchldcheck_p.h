// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

namespace Rekindle {

/// Logs a warning, once, if this program makes the kernel discard the exit status of its children.
void warnIfSigchldIgnored();

} // namespace Rekindle
