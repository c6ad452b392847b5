// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/toolcaller.h>

#include <QByteArray>
#include <QList>
#include <QString>

namespace Rekindle {

/// A line for each tool: name, what its annotations say, and its description, cut to `width`.
[[nodiscard]] QByteArray toolTable(const QList<McpTool> &tools, int width);

/// As the server tells them, in an array.
[[nodiscard]] QByteArray toolsAsJson(const QList<McpTool> &tools);

/// What a tool has answered: its texts; without one its structured content, as JSON. Ends with a
/// line end.
[[nodiscard]] QByteArray resultText(const ToolResult &result);

/// "1 image, 2 resources" of what resultText() does not show; else empty.
[[nodiscard]] QString unshownContent(const ToolResult &result);

/// All that became of a call, as a line of JSON.
[[nodiscard]] QByteArray outcomeAsJson(const QString &tool, const ToolCallOutcome &outcome);

/// What the command ends with after it.
[[nodiscard]] int exitCodeOf(const ToolCallOutcome &outcome);

} // namespace Rekindle
