// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

namespace Rekindle {

/// Warns, once, if this program has told the kernel to throw away how its children end.
void warnIfChildrenAreTaken();

} // namespace Rekindle
