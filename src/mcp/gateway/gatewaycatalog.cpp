// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewaycatalog_p.h"

#include "mcp/jsonrpc/jsonedit_p.h"

#include "json/jsonwriter.h"

#include <QSet>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

JsonSpan wholeOf(const QByteArray &json) { return {0, json.size()}; }

// Clients permit only letters, digits, underscore and hyphen in the name of a tool, and limit its
// length; a key in the file may contain anything.
constexpr qsizetype longestPrefix = 32;

constexpr std::size_t maximumTemplates = 200; // of one server, that a URI is compared with

// Longer templates and URIs never match.
constexpr qsizetype longestUriTemplate = 512;
constexpr qsizetype longestTemplateUri = 4096;

// Whether a URI may be an expansion of a template (RFC 6570) such as "file:///{path}". Only the
// variables of "{+x}", "{#x}", "{/x}" and "{?x}" may contain slashes. The number of steps is at
// most the product of both lengths, because both come from other programs.
bool fitsUriTemplate(QByteArrayView uri, QByteArrayView uriTemplate)
{
    if (uri.size() > longestTemplateUri || uriTemplate.size() > longestUriTemplate)
        return false;
    // The positions in the URI that the template can match up to, all at the same time.
    QByteArray isReached(uri.size() + 1, '\0');
    isReached[0] = 1;
    for (qsizetype at = 0; at < uriTemplate.size() && isReached.contains(1); ++at) {
        if (uriTemplate[at] != '{') {
            for (qsizetype end = uri.size(); end > 0; --end)
                isReached[end] = uri[end - 1] == uriTemplate[at] ? isReached[end - 1] : '\0';
            isReached[0] = 0;
            continue;
        }
        const qsizetype close = uriTemplate.indexOf('}', at);
        if (close < 0)
            return false;
        const bool mayContainSlashes = QByteArrayView("+#/?").contains(uriTemplate[at + 1]);
        for (qsizetype end = 1; end <= uri.size(); ++end) {
            if (isReached[end - 1] != 0 && (mayContainSlashes || uri[end - 1] != '/'))
                isReached[end] = 1;
        }
        at = close;
    }
    return isReached.back() != 0;
}

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

GatewayCatalog::GatewayCatalog(const QStringList &servers)
    : m_prefixes(prefixesOf(servers))
{
    m_entries.fill(std::vector<Entries>(static_cast<std::size_t>(servers.size())));
    // So that the order is that of the file, whichever server is ready first.
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

ToolCatalog &GatewayCatalog::names(ListKind kind)
{
    return kind == ListKind::Tools ? m_tools : m_prompts;
}

bool GatewayCatalog::set(int server, ListKind kind, std::vector<ListItem> entries)
{
    QSet<QByteArray> seen;
    std::erase_if(entries, [&](const ListItem &entry) {
        const bool isRepeated = seen.contains(entry.key);
        seen.insert(entry.key);
        return isRepeated;
    });
    Entries &old = m_entries[static_cast<std::size_t>(kind)][static_cast<std::size_t>(server)];
    if (old == entries)
        return false;
    old = std::move(entries);
    m_areNamesCurrent[static_cast<std::size_t>(kind)] = false;
    return true;
}

void GatewayCatalog::giveNames(ListKind kind)
{
    if (std::exchange(m_areNamesCurrent[static_cast<std::size_t>(kind)], true))
        return;
    const std::vector<Entries> &all = of(kind);
    for (std::size_t i = 0; i < all.size(); ++i) {
        QList<McpTool> tools;
        for (const ListItem &entry : all[i])
            tools.append({QString::fromUtf8(entry.key), {}});
        names(kind).setTools(m_prefixes[static_cast<qsizetype>(i)], tools);
    }
}

bool GatewayCatalog::hasNames(ListKind kind)
{
    return kind == ListKind::Tools || kind == ListKind::Prompts;
}

QByteArray GatewayCatalog::items(ListKind kind)
{
    return hasNames(kind) ? namedItems(kind) : plainItems(kind);
}

QByteArray GatewayCatalog::namedItems(ListKind kind)
{
    giveNames(kind);
    QHash<std::pair<QString, QString>, QString> given; // by server and own name
    const QList<ToolCatalog::Entry> entries = names(kind).entries();
    for (const ToolCatalog::Entry &entry : entries)
        given.insert({entry.backend, entry.tool.name}, entry.name);
    QByteArray items;
    const std::vector<Entries> &all = of(kind);
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (const ListItem &entry : all[i]) {
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

// A URI identifies the same resource on every server.
QByteArray GatewayCatalog::plainItems(ListKind kind) const
{
    QSet<QByteArray> seen;
    QByteArray items;
    for (const Entries &entries : m_entries[static_cast<std::size_t>(kind)]) {
        for (const ListItem &entry : entries) {
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

std::optional<GatewayCatalog::Owner> GatewayCatalog::ownerOf(ListKind kind, const QByteArray &name)
{
    if (hasNames(kind)) {
        giveNames(kind);
        const auto entry = names(kind).find(QString::fromUtf8(name));
        if (!entry)
            return std::nullopt;
        return Owner{static_cast<int>(m_prefixes.indexOf(entry->backend)),
                     entry->tool.name.toUtf8()};
    }
    for (int i = 0; i < m_prefixes.size(); ++i) {
        if (contains(i, kind, name))
            return Owner{i, name};
    }
    for (int i = 0; kind == ListKind::Resources && i < m_prefixes.size(); ++i) {
        if (hasTemplateFor(i, name))
            return Owner{i, name};
    }
    return std::nullopt;
}

bool GatewayCatalog::contains(int server, ListKind kind, const QByteArray &key) const
{
    const Entries &entries = of(kind)[static_cast<std::size_t>(server)];
    return std::any_of(entries.begin(), entries.end(),
                       [&key](const ListItem &entry) { return entry.key == key; });
}

bool GatewayCatalog::hasTemplateFor(int server, const QByteArray &uri) const
{
    const Entries &entries = of(ListKind::ResourceTemplates)[static_cast<std::size_t>(server)];
    const auto compared = static_cast<std::ptrdiff_t>(std::min(entries.size(), maximumTemplates));
    return std::any_of(entries.begin(), entries.begin() + compared,
                       [&uri](const ListItem &entry) { return fitsUriTemplate(uri, entry.key); });
}

QStringList GatewayCatalog::takeNewNames()
{
    QStringList added;
    const QList<ToolCatalog::Entry> entries = m_tools.entries();
    for (const ToolCatalog::Entry &entry : entries) {
        if (entry.name != entry.tool.name && !m_newNames.contains(entry.name))
            added.append(entry.name);
    }
    m_newNames += added;
    return added;
}

} // namespace Rekindle
