// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/mcptool.h>

#include <QList>
#include <QStringList>

#include <memory>
#include <optional>

namespace Rekindle {

class ToolBackend;

/// The tools of several servers under unique names: tool -> backend (spec 9). The first server that
/// lists a tool keeps its name. For later servers, it becomes SERVER__TOOL. A name means the same
/// tool of the same server for the lifetime of the catalog. Not thread-safe.
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

    ToolCatalog();
    ~ToolCatalog();

    /// Adds a server, for example a SupervisedServer. Its tools are set after each handshake and
    /// when it changes them. They stay while it is restarted, and are removed when it is deleted.
    /// It must live in the thread of the catalog.
    void add(ToolBackend &backend);

    /// Sets the tools of a server that was not added; without tools, their names stay reserved.
    /// Servers are listed in the order of their first call.
    void setTools(const QString &backend, const QList<McpTool> &tools);

    /// Returns all tools, in a fixed order.
    [[nodiscard]] QList<Entry> entries() const;
    [[nodiscard]] std::optional<Entry> find(const QString &name) const;
    [[nodiscard]] QList<Collision> collisions() const;

private:
    class Private;
    const std::unique_ptr<Private> d;
};

} // namespace Rekindle
