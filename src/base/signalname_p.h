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

/// Whether a process can handle the signal, so that it can end because of it in order.
[[nodiscard]] bool isStopSignal(int number);

} // namespace Rekindle
