// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace Rekindle {

/// Returns the name of a signal, such as "SIGKILL", or "signal 99" for a number without a name.
[[nodiscard]] QString signalName(int number);

} // namespace Rekindle
