// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <chrono>

/// Parses "500ms", "1.5s", "5m", "1h" or "7d". The text is valid, because the host has validated it
/// against the schema.
inline std::chrono::nanoseconds durationFromText(const QString &text)
{
    qsizetype digits = 0;
    while (digits < text.size() && (text[digits].isDigit() || text[digits] == u'.'))
        ++digits;
    const QString unit = text.mid(digits);
    const double seconds = unit == QLatin1String("ms") ? 1e-3
        : unit == QLatin1String("m")                   ? 60.0
        : unit == QLatin1String("h")                   ? 3600.0
        : unit == QLatin1String("d")                   ? 86400.0
                                                       : 1.0;
    const std::chrono::duration<double> length(text.left(digits).toDouble() * seconds);
    return std::chrono::round<std::chrono::nanoseconds>(length);
}
