// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/export.h>

#include <QByteArray>
#include <QJsonObject>
#include <QMetaType>
#include <QString>

#include <optional>

namespace Rekindle {

/// A tool as its server lists it.
struct REKINDLE_MCP_EXPORT McpTool
{
    QString name{};
    QJsonObject json{}; ///< the whole entry of the list, including `name`
    QByteArray text{};  ///< the same as its server wrote it, with the order of its keys

    /// Hints of the server, which may be wrong. Missing hints have the default of the protocol.
    [[nodiscard]] bool isReadOnly() const;    ///< false by default
    [[nodiscard]] bool isDestructive() const; ///< true by default; false if read-only
    [[nodiscard]] bool isIdempotent() const;  ///< false by default; true if read-only

    /// Reads an entry of tools/list, a JSON object. Nothing if it has no name.
    [[nodiscard]] static std::optional<McpTool> fromJson(const QByteArray &text);

    bool operator==(const McpTool &) const = default;
};

} // namespace Rekindle

Q_DECLARE_METATYPE(Rekindle::McpTool)
