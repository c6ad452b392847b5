// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "wire/messageid_p.h"
#include "json/jsonscanner.h"

#include <rekindle/mcp/mcpprotocol.h>

#include <QByteArray>
#include <QByteArrayView>
#include <QLatin1String>
#include <QSet>

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace Rekindle {

/// The lists of an MCP server.
enum class ListKind { Tools, Prompts, Resources, ResourceTemplates };
inline constexpr std::size_t listKindCount = 4;
inline constexpr std::array<ListKind, listKindCount> allLists{
    ListKind::Tools, ListKind::Prompts, ListKind::Resources, ListKind::ResourceTemplates};

/// The kinds that have a capability and a list_changed notification of their own.
inline constexpr std::array announcedLists{ListKind::Tools, ListKind::Prompts, ListKind::Resources};

/// One value for each list.
template<typename Value>
struct ByListKind
{
    [[nodiscard]] Value &operator[](ListKind kind)
    {
        return values[static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] const Value &operator[](ListKind kind) const
    {
        return values[static_cast<std::size_t>(kind)];
    }

    std::array<Value, listKindCount> values{};
};

/// The member of the result, and of the capabilities: "tools", "resourceTemplates".
[[nodiscard]] QLatin1String listName(ListKind kind);
[[nodiscard]] QLatin1String listMethod(ListKind kind);
/// Empty for ResourceTemplates.
[[nodiscard]] QLatin1String listChangedMethod(ListKind kind);
/// The list that a method requests.
[[nodiscard]] std::optional<ListKind> listRequestedBy(QByteArrayView method);

/// The result of a list request with all entries, which are JSON separated by commas.
[[nodiscard]] QByteArray listResult(ListKind kind, const QByteArray &entries,
                                    McpProtocol::Revision revision);

/// Whether the `notifications` of subscriptions/listen include list_changed.
[[nodiscard]] bool requestsListChanged(QByteArrayView notifications, ListKind kind);
/// The `_meta` member of notifications in a subscription of a modern client.
[[nodiscard]] QByteArray subscriptionMeta(const MessageId &subscription);

/// One entry of a list, as the server wrote it.
struct ListItem
{
    QByteArray key{};  ///< name, URI or URI template, unescaped
    QByteArray json{}; ///< the whole entry

    bool operator==(const ListItem &) const = default;
};

struct ListPage
{
    std::vector<ListItem> items{};
    QByteArray nextCursor{}; ///< JSON text; empty on the last page
};

/// Reads the result of a list request; no value if it is not one. Entries without a key are
/// ignored.
[[nodiscard]] std::optional<ListPage> readListPage(ListKind kind, QByteArrayView result);
/// The same of any list: the member `list` of the result, with entries that `key` identifies.
[[nodiscard]] std::optional<ListPage> readListPage(QByteArrayView list, QByteArrayView key,
                                                   QByteArrayView result);

/// Collects the pages of one list. The number of pages and their size are limited, and a cursor
/// must not repeat.
class ListReader
{
public:
    enum class Step {
        NextPage, ///< request the page at `page.nextCursor`
        Complete, ///< items() is the list
        Endless,  ///< the list exceeds the limits, or its cursors repeat
    };

    void clear();
    [[nodiscard]] Step add(const ListPage &page);

    [[nodiscard]] const std::vector<ListItem> &items() const { return m_items; }

private:
    std::vector<ListItem> m_items;
    QSet<QByteArray> m_cursors;
    qsizetype m_bytes = 0;
};

} // namespace Rekindle
