// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewaycatalog_p.h"

#include "mcp/jsonrpc/jsonedit_p.h"
#include "uritemplate_p.h"

#include "json/jsonwriter.h"

#include <QSet>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

struct Names
{
    QLatin1String member;
    QLatin1String method;
    QLatin1String changed;
    QByteArrayView key; // what an entry is known by
};

constexpr std::array<Names, gatewayListCount> listNames{{
    {QLatin1String("tools"), QLatin1String("tools/list"),
     QLatin1String("notifications/tools/list_changed"), "name"},
    {QLatin1String("prompts"), QLatin1String("prompts/list"),
     QLatin1String("notifications/prompts/list_changed"), "name"},
    {QLatin1String("resources"), QLatin1String("resources/list"),
     QLatin1String("notifications/resources/list_changed"), "uri"},
    {QLatin1String("resourceTemplates"), QLatin1String("resources/templates/list"), QLatin1String(),
     "uriTemplate"},
}};

const Names &namesOf(GatewayList kind) { return listNames[static_cast<std::size_t>(kind)]; }

JsonSpan wholeOf(const QByteArray &json) { return {0, json.size()}; }

// Clients take no more than letters, digits, underscore and hyphen in the name of a tool, and not
// many of them; keys of a file may be anything.
constexpr qsizetype longestPrefix = 32;

constexpr std::size_t mostTemplates = 200; // of one server, that a URI is compared with

QString prefixOf(const QString &server)
{
    QString prefix;
    for (const QChar c : server.left(longestPrefix)) {
        const bool isPlain = (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z')
            || (c >= u'0' && c <= u'9') || c == u'-' || c == u'_';
        prefix += isPlain ? c : QChar(u'_');
    }
    return prefix.isEmpty() ? QStringLiteral("server") : prefix;
}

} // namespace

QLatin1String gatewayListMethod(GatewayList kind) { return namesOf(kind).method; }
QLatin1String gatewayListChangedMethod(GatewayList kind) { return namesOf(kind).changed; }
QLatin1String gatewayListMember(GatewayList kind) { return namesOf(kind).member; }

std::optional<GatewayPage> readGatewayPage(GatewayList kind, QByteArrayView result)
{
    const JsonSpan whole{0, result.size()};
    const Names &names = namesOf(kind);
    const JsonSpan list =
        jsonMember(result, whole, QByteArrayView(names.member.data(), names.member.size()));
    if (!list.of(result).startsWith('['))
        return std::nullopt;
    GatewayPage page;
    for (const QByteArray &item : jsonItems(list.of(result))) {
        const auto key = jsonStringText(jsonMember(item, wholeOf(item), names.key).of(item));
        if (key && !key->isEmpty())
            page.entries.push_back({*key, item});
    }
    const JsonSpan cursor = jsonMember(result, whole, "nextCursor");
    if (cursor.of(result).startsWith('"'))
        page.nextCursor = cursor.of(result).toByteArray();
    return page;
}

GatewayCatalog::GatewayCatalog(const QStringList &servers)
    : m_prefixes(prefixesOf(servers))
{
    m_entries.fill(std::vector<Entries>(static_cast<std::size_t>(servers.size())));
    // So that they keep the order of the file, whichever comes up first.
    for (const QString &prefix : m_prefixes) {
        m_tools.setTools(prefix, {});
        m_prompts.setTools(prefix, {});
    }
}

QStringList GatewayCatalog::prefixesOf(const QStringList &servers)
{
    QStringList prefixes;
    for (const QString &server : servers) {
        const QString plain = prefixOf(server);
        QString prefix = plain;
        for (int number = 2; prefixes.contains(prefix); ++number)
            prefix = plain + u'_' + QString::number(number);
        prefixes.append(prefix);
    }
    return prefixes;
}

ToolCatalog &GatewayCatalog::names(GatewayList kind)
{
    return kind == GatewayList::Tools ? m_tools : m_prompts;
}

bool GatewayCatalog::set(int server, GatewayList kind, std::vector<GatewayEntry> entries)
{
    QSet<QByteArray> seen;
    std::erase_if(entries, [&](const GatewayEntry &entry) {
        const bool isRepeated = seen.contains(entry.key);
        seen.insert(entry.key);
        return isRepeated;
    });
    Entries &old = m_entries[static_cast<std::size_t>(kind)][static_cast<std::size_t>(server)];
    if (old == entries)
        return false;
    old = std::move(entries);
    m_isNamed[static_cast<std::size_t>(kind)] = false;
    return true;
}

void GatewayCatalog::giveNames(GatewayList kind)
{
    if (std::exchange(m_isNamed[static_cast<std::size_t>(kind)], true))
        return;
    const std::vector<Entries> &all = m_entries[static_cast<std::size_t>(kind)];
    for (std::size_t i = 0; i < all.size(); ++i) {
        QList<McpTool> tools;
        for (const GatewayEntry &entry : all[i])
            tools.append({QString::fromUtf8(entry.key), {}});
        names(kind).setTools(m_prefixes[static_cast<qsizetype>(i)], tools);
    }
}

QByteArray GatewayCatalog::items(GatewayList kind)
{
    const bool hasNames = kind == GatewayList::Tools || kind == GatewayList::Prompts;
    return hasNames ? namedItems(kind) : plainItems(kind);
}

QByteArray GatewayCatalog::namedItems(GatewayList kind)
{
    giveNames(kind);
    QHash<std::pair<QString, QString>, QString> given; // by server and own name
    const QList<ToolCatalog::Entry> entries = names(kind).entries();
    for (const ToolCatalog::Entry &entry : entries)
        given.insert({entry.backend, entry.tool.name}, entry.name);
    QByteArray items;
    const std::vector<Entries> &all = m_entries[static_cast<std::size_t>(kind)];
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (const GatewayEntry &entry : all[i]) {
            const QString own = QString::fromUtf8(entry.key);
            const QString name = given.value({m_prefixes[static_cast<qsizetype>(i)], own});
            if (!items.isEmpty())
                items += ',';
            if (name == own) {
                items += entry.json;
                continue;
            }
            QByteArray text;
            JsonWriter(text).value(name);
            JsonEdit edit(entry.json);
            edit.setMember(wholeOf(entry.json), "name", text);
            items += edit.result();
        }
    }
    return items;
}

// A URI is the same thing whoever shows it.
QByteArray GatewayCatalog::plainItems(GatewayList kind)
{
    QSet<QByteArray> seen;
    QByteArray items;
    for (const Entries &entries : m_entries[static_cast<std::size_t>(kind)]) {
        for (const GatewayEntry &entry : entries) {
            if (seen.contains(entry.key))
                continue;
            seen.insert(entry.key);
            if (!items.isEmpty())
                items += ',';
            items += entry.json;
        }
    }
    return items;
}

std::optional<GatewayCatalog::Owner> GatewayCatalog::find(GatewayList kind, const QByteArray &name)
{
    giveNames(kind);
    const auto entry = names(kind).find(QString::fromUtf8(name));
    if (!entry)
        return std::nullopt;
    return Owner{static_cast<int>(m_prefixes.indexOf(entry->backend)), entry->tool.name.toUtf8()};
}

std::optional<GatewayCatalog::Owner> GatewayCatalog::tool(const QByteArray &name)
{
    return find(GatewayList::Tools, name);
}

std::optional<GatewayCatalog::Owner> GatewayCatalog::prompt(const QByteArray &name)
{
    return find(GatewayList::Prompts, name);
}

std::optional<GatewayCatalog::Owner> GatewayCatalog::first(GatewayList kind,
                                                           const QByteArray &key) const
{
    const std::vector<Entries> &all = m_entries[static_cast<std::size_t>(kind)];
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool has = std::any_of(all[i].begin(), all[i].end(),
                                     [&](const GatewayEntry &entry) { return entry.key == key; });
        if (has)
            return Owner{static_cast<int>(i), key};
    }
    return std::nullopt;
}

std::optional<GatewayCatalog::Owner> GatewayCatalog::resource(const QByteArray &uri) const
{
    if (const auto listed = first(GatewayList::Resources, uri))
        return listed;
    const auto &all = m_entries[static_cast<std::size_t>(GatewayList::Templates)];
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto looked = static_cast<std::ptrdiff_t>(std::min(all[i].size(), mostTemplates));
        const bool fits =
            std::any_of(all[i].begin(), all[i].begin() + looked,
                        [&](const GatewayEntry &entry) { return fitsUriTemplate(uri, entry.key); });
        if (fits)
            return Owner{static_cast<int>(i), uri};
    }
    return std::nullopt;
}

std::optional<GatewayCatalog::Owner>
GatewayCatalog::resourceTemplate(const QByteArray &uriTemplate) const
{
    return first(GatewayList::Templates, uriTemplate);
}

QStringList GatewayCatalog::takeNewNames()
{
    QStringList news;
    const QList<ToolCatalog::Entry> entries = m_tools.entries();
    for (const ToolCatalog::Entry &entry : entries) {
        if (entry.name != entry.tool.name && !m_newNames.contains(entry.name))
            news.append(entry.name);
    }
    m_newNames += news;
    return news;
}

} // namespace Rekindle
