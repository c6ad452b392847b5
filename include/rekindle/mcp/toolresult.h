// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/mcperror.h>

#include <QByteArray>
#include <QJsonObject>

#include <optional>

namespace Rekindle {

/// The response to a request: a result, or an error.
struct REKINDLE_MCP_EXPORT McpAnswer
{
    std::optional<McpError> error{};
    QJsonObject result{};
    QByteArray resultText{}; ///< the same as its server wrote it, with the order of its keys

    bool operator==(const McpAnswer &) const = default;
};

/// The response to a call of a tool. If the tool itself failed, there is no `error`, and isError()
/// is true.
struct REKINDLE_MCP_EXPORT ToolResult : McpAnswer
{
    /// Returns whether the tool reported a failure.
    [[nodiscard]] bool isError() const;

    /// Returns all texts of the result, separated by line ends.
    [[nodiscard]] QString text() const;
};

} // namespace Rekindle

Q_DECLARE_METATYPE(Rekindle::McpAnswer)
Q_DECLARE_METATYPE(Rekindle::ToolResult)
