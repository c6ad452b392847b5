// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

#include <QString>

#include <functional>
#include <optional>

namespace Rekindle {

/// How far a request is (notifications/progress).
struct McpProgress
{
    double progress = 0; ///< always more than before
    std::optional<double> total{};
    QString message{};

    bool operator==(const McpProgress &) const = default;
};

/// How long to wait for an answer, and what to hear of it meanwhile.
struct CallOptions
{
    /// From the request, or from its last progress, to the answer; more than 0.
    Duration timeout = std::chrono::seconds(60);

    /// From the request to the answer, whatever its progress; at least `timeout`.
    Duration longest = std::chrono::minutes(10);

    /// Whether progress begins `timeout` anew.
    bool resetByProgress = true;

    /// Never called once the answer is there. Called from the thread of the client.
    std::function<void(const McpProgress &)> onProgress{};
};

} // namespace Rekindle
