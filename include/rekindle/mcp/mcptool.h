// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/export.h>

#include <QJsonObject>
#include <QMetaType>
#include <QString>

#include <optional>

namespace Rekindle {

/// A tool as its server lists it.
struct REKINDLE_MCP_EXPORT McpTool
{
    QString name{};
    QJsonObject json{}; ///< all that the server says about it, `name` included

    /// Hints of a server, which may be wrong. What is absent has the default of the protocol.
    [[nodiscard]] bool isReadOnly() const;    ///< false by default
    [[nodiscard]] bool isDestructive() const; ///< true by default; never of a read-only one
    [[nodiscard]] bool isIdempotent() const;  ///< false by default; a read-only one is

    /// Of an entry of tools/list; nothing if it has no name.
    [[nodiscard]] static std::optional<McpTool> fromJson(const QJsonObject &json);

    bool operator==(const McpTool &) const = default;
};

} // namespace Rekindle

Q_DECLARE_METATYPE(Rekindle::McpTool)
