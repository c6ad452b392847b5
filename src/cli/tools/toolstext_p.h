// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/toolcaller.h>

#include <QByteArray>
#include <QList>
#include <QString>

namespace Rekindle {

/// Formats a line for each tool: name, annotations and description, cut to `width`.
[[nodiscard]] QByteArray toolTable(const QList<McpTool> &tools, int width);

/// Formats an array of the tools as sent by the server.
[[nodiscard]] QByteArray toolsAsJson(const QList<McpTool> &tools);

/// The texts of a result; without text, its structured content as JSON. Ends with a line end.
[[nodiscard]] QByteArray resultText(const ToolResult &result);

/// The content that resultText() does not show: "1 image, 2 resources"; otherwise empty.
[[nodiscard]] QString unshownContent(const ToolResult &result);

/// Formats the outcome of a call as a line of JSON.
[[nodiscard]] QByteArray outcomeAsJson(const QString &tool, const ToolCallOutcome &outcome);

/// The exit code of the command after this outcome.
[[nodiscard]] int exitCodeOf(const ToolCallOutcome &outcome);

} // namespace Rekindle
