// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcplist_p.h"

#include <algorithm>

namespace Rekindle {

namespace {

constexpr qsizetype maximumPages = 1000;
constexpr qsizetype maximumBytes = qsizetype{32} * 1024 * 1024; // of all pages

struct Names
{
    QLatin1String list;
    QLatin1String method;
    QLatin1String changed;
    QByteArrayView key; // identifies an entry
};

constexpr std::array<Names, listKindCount> names{{
    {QLatin1String("tools"), QLatin1String("tools/list"),
     QLatin1String("notifications/tools/list_changed"), "name"},
    {QLatin1String("prompts"), QLatin1String("prompts/list"),
     QLatin1String("notifications/prompts/list_changed"), "name"},
    {QLatin1String("resources"), QLatin1String("resources/list"),
     QLatin1String("notifications/resources/list_changed"), "uri"},
    {QLatin1String("resourceTemplates"), QLatin1String("resources/templates/list"), QLatin1String(),
     "uriTemplate"},
}};

const Names &namesOf(ListKind kind) { return names[static_cast<std::size_t>(kind)]; }

} // namespace

QLatin1String listName(ListKind kind) { return namesOf(kind).list; }
QLatin1String listMethod(ListKind kind) { return namesOf(kind).method; }
QLatin1String listChangedMethod(ListKind kind) { return namesOf(kind).changed; }

std::optional<ListKind> listRequestedBy(QByteArrayView method)
{
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (method == QByteArrayView(names[i].method))
            return static_cast<ListKind>(i);
    }
    return std::nullopt;
}

QByteArray listResult(ListKind kind, const QByteArray &entries, McpProtocol::Revision revision)
{
    QByteArray result = "{\"" + QByteArray(listName(kind).data()) + "\":[" + entries + ']';
    if (revision == McpProtocol::Revision::Modern)
        result += R"(,"resultType":"complete","ttlMs":0,"cacheScope":"private")";
    return result + '}';
}

bool requestsListChanged(QByteArrayView notifications, ListKind kind)
{
    const QByteArray member = QByteArray(listName(kind).data()) + "ListChanged";
    return jsonMember(notifications, {0, notifications.size()}, member).of(notifications) == "true";
}

QByteArray subscriptionMeta(const MessageId &subscription)
{
    return R"("_meta":{"io.modelcontextprotocol/subscriptionId":)" + subscription.json() + '}';
}

std::optional<ListPage> readListPage(ListKind kind, QByteArrayView result)
{
    return readListPage(QByteArrayView(namesOf(kind).list), namesOf(kind).key, result);
}

std::optional<ListPage> readListPage(QByteArrayView list, QByteArrayView key, QByteArrayView result)
{
    const JsonSpan whole{0, result.size()};
    const JsonSpan entries = jsonMember(result, whole, list);
    if (!entries.of(result).startsWith('['))
        return std::nullopt;
    ListPage page;
    for (const QByteArray &item : jsonItems(entries.of(result))) {
        const JsonSpan value = jsonMember(item, {0, item.size()}, key);
        if (const auto text = jsonStringText(value.of(item)); text && !text->isEmpty())
            page.items.push_back({*text, item});
    }
    const QByteArrayView cursor = jsonMember(result, whole, "nextCursor").of(result);
    if (cursor.startsWith('"'))
        page.nextCursor = cursor.toByteArray();
    return page;
}

void ListReader::clear()
{
    m_items.clear();
    m_cursors.clear();
    m_bytes = 0;
}

ListReader::Step ListReader::add(const ListPage &page)
{
    for (const ListItem &item : page.items)
        m_bytes += item.json.size();
    m_items.insert(m_items.end(), page.items.begin(), page.items.end());
    if (page.nextCursor.isEmpty())
        return Step::Complete;
    if (m_cursors.contains(page.nextCursor) || m_cursors.size() >= maximumPages
        || m_bytes >= maximumBytes)
        return Step::Endless;
    m_cursors.insert(page.nextCursor);
    return Step::NextPage;
}

} // namespace Rekindle
