// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringView>

#include <chrono>
#include <optional>

namespace Rekindle {

/// The same type as in <rekindle/policy/timepoint.h>, which is above this component.
using Duration = std::chrono::nanoseconds;

/// Implements durationFromString(): "500ms", "1.5s", "5m", "1h", "7d".
[[nodiscard]] std::optional<Duration> parseDuration(QStringView text);

/// Implements durationToString(): the shortest text that parseDuration() reads back to the value.
[[nodiscard]] QString formatDuration(Duration duration);

} // namespace Rekindle
