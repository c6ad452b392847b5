// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/jsonrpc/jsonscanner_p.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QMap>
#include <QStringList>

#include <optional>

namespace Rekindle {

/// What a client lists: each kind has a method, a member of its result and a notification.
enum class ListKind { Tools, Prompts, Resources };
inline constexpr int listKindCount = 3;

/// "tools", "prompts", "resources": the member of a result, and of the capabilities.
[[nodiscard]] QLatin1String listName(ListKind kind);
[[nodiscard]] QLatin1String listMethod(ListKind kind);
[[nodiscard]] QLatin1String listChangedMethod(ListKind kind);

/// One entry of a list, as far as it matters here.
struct ListedEntry
{
    QByteArray digest{};     ///< of all that it says
    bool repeatable = false; ///< of a tool: it says that it is read-only or idempotent

    bool operator==(const ListedEntry &) const = default;
};

/// The entries of one kind by name, or by URI.
using ListedEntries = QMap<QByteArray, ListedEntry>;

/// One page of a list.
struct ListPage
{
    ListedEntries entries{};
    QByteArray nextCursor{}; ///< JSON text; empty on the last page
};

/// Reads the result of a list request; nothing where it is none.
[[nodiscard]] std::optional<ListPage> readListPage(ListKind kind, QByteArrayView result);

/// A list as it comes in, page by page.
class ListReader
{
public:
    /// True once the last page was taken: then `entries()` is the list.
    bool take(const ListPage &page, bool isFirst);

    [[nodiscard]] const ListedEntries &entries() const { return m_entries; }
    [[nodiscard]] bool isComplete() const { return m_complete; }

private:
    ListedEntries m_entries;
    ListedEntries m_reading;
    bool m_complete = false;
};

/// The names that only `one` has.
[[nodiscard]] QStringList namesMissingIn(const ListedEntries &other, const ListedEntries &one);

} // namespace Rekindle
