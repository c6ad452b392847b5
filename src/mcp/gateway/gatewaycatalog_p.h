// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/jsonrpc/mcplist_p.h"
#include "mcp/tools/uniquenames_p.h"

#include <QByteArray>
#include <QByteArrayList>
#include <QStringList>

#include <optional>
#include <utility>
#include <vector>

namespace Rekindle {

/// The lists of all servers of a gateway, with unique names for tools and prompts. Names follow the
/// order of the file, and not the order in which the servers become ready: if a server is listed
/// for the first time, the client's next list has the names in this order. Until then, a name means
/// what it meant in the client's last list.
class GatewayCatalog
{
public:
    /// The server that has an entry, by its place in the file.
    using Owner = UniqueNames::Owner;

    explicit GatewayCatalog(const QStringList &servers);

    /// Sets what a server has. Earlier entries keep their names. Returns whether this is a change.
    bool set(int server, ListKind kind, std::vector<ListItem> entries);

    /// The entries of all servers, as JSON separated by commas, for the client.
    [[nodiscard]] QByteArray items(ListKind kind);

    /// The server that has this tool or prompt (by its unique name), resource or template; a
    /// resource also if its URI matches only a template.
    [[nodiscard]] std::optional<Owner> ownerOf(ListKind kind, const QByteArray &name);

    /// Whether the client has listed these entries.
    [[nodiscard]] bool isListed(ListKind kind) const { return m_lists[kind].isListed; }

    /// The SERVER in SERVER__NAME.
    [[nodiscard]] const QByteArray &prefix(int server) const { return m_prefixes[server]; }

    /// The names of renamed tools that were not returned by an earlier call.
    [[nodiscard]] QStringList takeNewNames() { return std::exchange(m_newNames, {}); }

private:
    using Entries = std::vector<ListItem>;

    struct List
    {
        std::vector<Entries> entries{};      ///< by server
        std::vector<Entries> firstEntries{}; ///< by server, when first listed
        UniqueNames names{};                 ///< of tools and prompts
        bool areNamesCurrent = false;        ///< each entry has one
        bool areNamesInOrder = false;        ///< they follow the file
        bool isListed = false;
    };

    [[nodiscard]] static bool hasNames(ListKind kind);
    void giveNames(ListKind kind);
    void nameInOrder(ListKind kind);
    void addNames(ListKind kind, const std::vector<Entries> &entries);
    [[nodiscard]] bool contains(int server, ListKind kind, const QByteArray &key) const;
    [[nodiscard]] bool hasTemplateFor(int server, const QByteArray &uri) const;

    QByteArrayList m_prefixes; ///< before the double underscore of a unique name
    ByListKind<List> m_lists;
    QStringList m_newNames; ///< see takeNewNames()
    QHash<QByteArray, bool> m_isReported;
};

} // namespace Rekindle
