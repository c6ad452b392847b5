// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "wire/jsonscanner_p.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

namespace Rekindle {

/// Returns the severity of an MCP log level, given as JSON text; empty if it is not a log level.
[[nodiscard]] inline std::optional<std::size_t> severityOf(QByteArrayView level)
{
    static constexpr std::array<QByteArrayView, 8> levels{
        "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};
    const auto name = jsonStringText(level);
    const auto *const found = std::find(levels.begin(), levels.end(), name.value_or(QByteArray()));
    if (found == levels.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - levels.begin());
}

} // namespace Rekindle
