// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <optional>

namespace Rekindle {

/// Returns the name of a signal, such as "SIGKILL", or "signal 99" for a number without a name.
[[nodiscard]] QString signalName(int number);

/// Returns the number of a signal with a name, such as "SIGKILL".
[[nodiscard]] std::optional<int> signalNumber(const QString &name);

/// Whether the signal can ask a process to exit: a process can handle it, and it has no other
/// effect by default.
[[nodiscard]] bool isStopSignal(int number);

} // namespace Rekindle
