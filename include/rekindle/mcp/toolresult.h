// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/mcperror.h>

#include <QJsonObject>

#include <optional>

namespace Rekindle {

/// What became of a request: its result, unless there is an error.
struct REKINDLE_MCP_EXPORT McpAnswer
{
    std::optional<McpError> error{};
    QJsonObject result{};

    bool operator==(const McpAnswer &) const = default;
};

/// What became of a call of a tool. A tool that failed has answered all the same: there is no
/// `error`, and isError() is true.
struct REKINDLE_MCP_EXPORT ToolResult : McpAnswer
{
    /// The tool itself says that it has failed.
    [[nodiscard]] bool isError() const;

    /// Its texts, one after the other, with line ends between them.
    [[nodiscard]] QString text() const;
};

} // namespace Rekindle

Q_DECLARE_METATYPE(Rekindle::McpAnswer)
Q_DECLARE_METATYPE(Rekindle::ToolResult)
