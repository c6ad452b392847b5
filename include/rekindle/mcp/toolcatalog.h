// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/mcptool.h>

#include <QHash>
#include <QList>
#include <QStringList>

#include <optional>

namespace Rekindle {

/// The tools of several servers under names that are unique: tool -> backend (spec 9). The first
/// server that shows a tool keeps its name, later ones become SERVER__TOOL; a name once given
/// means the same tool of the same server for as long as the catalog lives.
class REKINDLE_MCP_EXPORT ToolCatalog
{
public:
    struct Entry
    {
        QString name{}; ///< what clients call it
        QString backend{};
        McpTool tool{}; ///< as its server names it
        bool operator==(const Entry &) const = default;
    };

    /// Tools of several servers with one name.
    struct Collision
    {
        QString tool{};
        QStringList names{};    ///< what clients call them
        QStringList backends{}; ///< in the same order
        bool operator==(const Collision &) const = default;
    };

    /// Servers are listed in the order in which they are named here first.
    void setTools(const QString &backend, const QList<McpTool> &tools);

    /// It has none now; its names stay its own.
    void removeTools(const QString &backend) { setTools(backend, {}); }

    /// All there are, in a fixed order.
    [[nodiscard]] QList<Entry> entries() const;
    [[nodiscard]] std::optional<Entry> find(const QString &name) const;

    /// Whose tool it was or is; empty if nobody has ever had it.
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
