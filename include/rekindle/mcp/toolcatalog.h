// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/mcptool.h>

#include <QHash>
#include <QList>
#include <QStringList>

#include <optional>

namespace Rekindle {

/// Assigns unique names to the tools of several servers: tool -> backend (spec 9). The first server
/// that lists a tool keeps its name. For later servers, it becomes SERVER__TOOL. A name means the
/// same tool of the same server for the lifetime of the catalog.
class REKINDLE_MCP_EXPORT ToolCatalog
{
public:
    struct Entry
    {
        QString name{}; ///< name for clients
        QString backend{};
        McpTool tool{}; ///< with the name that the server uses
        bool operator==(const Entry &) const = default;
    };

    /// Tools of several servers with the same name.
    struct Collision
    {
        QString tool{};
        QStringList names{};    ///< names for clients
        QStringList backends{}; ///< in the same order
        bool operator==(const Collision &) const = default;
    };

    /// Sets the tools of a server. Servers are listed in the order of their first call.
    void setTools(const QString &backend, const QList<McpTool> &tools);

    /// Removes the tools of a server. Their names stay reserved.
    void removeTools(const QString &backend) { setTools(backend, {}); }

    /// Returns all tools, in a fixed order.
    [[nodiscard]] QList<Entry> entries() const;
    [[nodiscard]] std::optional<Entry> find(const QString &name) const;

    /// Returns the server that has or had a tool of this name; empty if there was none.
    [[nodiscard]] QString backendOf(const QString &name) const;

    [[nodiscard]] QList<Collision> collisions() const;

private:
    struct Owner
    {
        QString backend;
        QString tool;
        bool operator==(const Owner &) const = default;
    };

    void giveName(const Owner &owner);

    QStringList m_backends;
    QHash<QString, QList<McpTool>> m_tools;
    QHash<QString, Owner> m_owners;                  // by name
    QHash<QString, QHash<QString, QString>> m_names; // by backend and tool
};

} // namespace Rekindle
