// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

#include <QString>

#include <functional>
#include <optional>

namespace Rekindle {

/// Progress of a request (notifications/progress).
struct McpProgress
{
    double progress = 0; ///< greater than in every earlier notification of the request
    std::optional<double> total{};
    QString message{};

    bool operator==(const McpProgress &) const = default;
};

/// Timeouts of a request, and a callback for its progress.
struct CallOptions
{
    /// Time from the request, or from its last progress, to the response; more than 0.
    Duration timeout = std::chrono::seconds(60);

    /// Time from the request to the response, regardless of progress; at least `timeout`.
    Duration longest = std::chrono::minutes(10);

    /// Whether progress restarts `timeout`.
    bool resetByProgress = true;

    /// Called for each progress notification, in the thread of the client. Not called after the
    /// response.
    std::function<void(const McpProgress &)> onProgress{};
};

} // namespace Rekindle
