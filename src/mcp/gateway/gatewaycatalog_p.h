// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/jsonrpc/mcplist_p.h"
#include "mcp/tools/uniquenames_p.h"

#include <QByteArray>
#include <QByteArrayList>
#include <QStringList>

#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace Rekindle {

/// The lists of all servers of a gateway, with unique names for tools and prompts. Names are given
/// out when the client first lists or uses them, in the order of the file: until then it does not
/// matter which server was ready first.
class GatewayCatalog
{
public:
    /// The server that has an entry, by its place in the file.
    using Owner = UniqueNames::Owner;

    explicit GatewayCatalog(const QStringList &servers);

    /// Sets what a server has. Earlier entries keep their names. Returns whether this is a change.
    bool set(int server, ListKind kind, std::vector<ListItem> entries);

    /// The entries of all servers, as JSON separated by commas.
    [[nodiscard]] QByteArray items(ListKind kind);

    /// The server that has this tool or prompt (by its unique name), resource or template; a
    /// resource also if its URI matches only a template.
    [[nodiscard]] std::optional<Owner> ownerOf(ListKind kind, const QByteArray &name);

    /// The SERVER in SERVER__NAME.
    [[nodiscard]] const QByteArray &prefix(int server) const { return m_prefixes[server]; }

    /// The names of renamed tools that were not returned by an earlier call.
    [[nodiscard]] QStringList takeNewNames() { return std::exchange(m_newNames, {}); }

private:
    using Entries = std::vector<ListItem>;

    [[nodiscard]] static bool hasNames(ListKind kind);
    [[nodiscard]] UniqueNames &names(ListKind kind);
    void giveNames(ListKind kind);
    [[nodiscard]] QByteArray namedItems(ListKind kind);
    [[nodiscard]] QByteArray plainItems(ListKind kind) const;
    [[nodiscard]] bool contains(int server, ListKind kind, const QByteArray &key) const;
    [[nodiscard]] bool hasTemplateFor(int server, const QByteArray &uri) const;
    [[nodiscard]] const std::vector<Entries> &of(ListKind kind) const
    {
        return m_entries[static_cast<std::size_t>(kind)];
    }

    QByteArrayList m_prefixes; ///< before the double underscore of a unique name
    std::array<std::vector<Entries>, listKindCount> m_entries; ///< by server
    std::array<UniqueNames, 2> m_names;                        ///< of tools and prompts
    std::array<bool, listKindCount> m_areNamesCurrent{};
    QStringList m_newNames; ///< see takeNewNames()
};

} // namespace Rekindle
